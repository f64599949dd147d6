/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers in "device memory" (see fakecuda.c) on one rank only, now the send buffer, now the
 * receive buffer. Blocks of such calls have DEVICE_INTS integers, those of other calls HOST_INTS:
 * the script tells them apart in the log by their size.
 *
 * device LIBRARY [RANK [late]]   loads LIBRARY, the stand-in runtime, on every rank or on that rank
 *                                only; late: after some calls, and then it has to be asked. One
 *                                without those functions is only loaded
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

#define HOST_INTS 5
#define DEVICE_INTS 7
#define MOST_RANKS 64

static int send[MOST_RANKS * DEVICE_INTS], recv[MOST_RANKS * DEVICE_INTS];
static void (*set_device)(const void *, size_t);
static void (*set_host)(const void *, size_t);
static unsigned long (*asked)(void);

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    void *device = library ? dlsym(library, "fakecuda_device") : NULL;
    void *host = library ? dlsym(library, "fakecuda_host") : NULL;
    void *count = library ? dlsym(library, "fakecuda_asked") : NULL;

    EXCHANGE_REQUIRE(library, "cannot load %s", path);
    memcpy(&set_device, &device, sizeof device);
    memcpy(&set_host, &host, sizeof host);
    memcpy(&asked, &count, sizeof count);
}

static void call(int v, int count, int salt)
{
    int counts[MOST_RANKS], places[MOST_RANKS];
    int me, ranks, error;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < ranks * count; i++) {
        send[i] = me * 10000 + i / count * 100 + i % count + salt;
        recv[i] = -1;
        counts[i / count] = count;
        places[i / count] = i / count * count;
    }
    error = v ? MPI_Alltoallv(send, counts, places, MPI_INT, recv, counts, places, MPI_INT,
                              MPI_COMM_WORLD)
              : MPI_Alltoall(send, count, MPI_INT, recv, count, MPI_INT, MPI_COMM_WORLD);
    EXCHANGE_REQUIRE(error == MPI_SUCCESS, "error %d", error);
    for (int i = 0; i < ranks * count; i++)
        EXCHANGE_REQUIRE(recv[i] == i / count * 10000 + me * 100 + i % count + salt,
                         "wrong value %d at %d", recv[i], i);
}

static void calls(int count, int salt)
{
    for (int i = 0; i < 4; i++)
        call(i % 2, count, salt + i);
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc > 1 && ranks <= MOST_RANKS, "usage: device LIBRARY [RANK [late]]");
    if (argc > 3)
        calls(HOST_INTS, 7);
    if (argc == 2 || atoi(argv[2]) == rank)
        load(argv[1]);
    if (set_host)
        set_host(send, sizeof send);
    for (int round = 0; round < 3; round++) {
        int one = argc > 2 ? atoi(argv[2]) : round;

        calls(HOST_INTS, round);
        if (rank == one && set_device)
            set_device(send, sizeof send);
        calls(DEVICE_INTS, round);
        if (rank == one && set_device)
            set_device(recv, sizeof recv);
        calls(DEVICE_INTS, round);
        if (set_device)
            set_device(NULL, 0);
    }
    calls(HOST_INTS, 9);
    EXCHANGE_REQUIRE(argc < 4 || !asked || asked() > 0, "nobody asks the runtime about buffers");
    if (rank == 0)
        printf("PASS: device buffers on one rank\n");
    MPI_Finalize();
    return 0;
}
