/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limited: exchanges on several communicators, with growing blocks, of a program that gets little
 * of the system. usage: limited fsize:BYTES|nofile:COUNT|as:BYTES|none [die|CALLS]
 *
 * The limit comes after the first calls, and after a message from each rank to each other, for a
 * connection that the library makes later may want more of the system than there is: files of so
 * many bytes, so many descriptors more than are open, so much address space more than is mapped. At
 * the end every rank is killed, or so many more calls of one size are made, for what is learned.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exchange.h"

/* One more than the highest number that is in use: below it, some may be free. */
static rlim_t descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    long most = 2;

    EXCHANGE_REQUIRE(folder, "/proc/self/fd cannot be read");
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const long number = strtol(entry->d_name, NULL, 10);

        if (number > most && number != dirfd(folder))
            most = number;
    }
    closedir(folder);
    return (rlim_t)most + 1;
}

static rlim_t mapped(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    long pages = 0;

    EXCHANGE_REQUIRE(file && fscanf(file, "%ld", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void set(const char *wish)
{
    const char *colon = strchr(wish, ':');

    EXCHANGE_REQUIRE(colon, "usage: limited fsize:BYTES|nofile:COUNT|as:BYTES|none [die|CALLS]");
    const rlim_t amount = (rlim_t)strtoull(colon + 1, NULL, 10);
    const unsigned resource = wish[0] == 'f'   ? RLIMIT_FSIZE
                              : wish[0] == 'n' ? RLIMIT_NOFILE
                                               : RLIMIT_AS;
    const rlim_t base = wish[0] == 'f' ? 0 : wish[0] == 'n' ? descriptors() : mapped();
    const struct rlimit limit = {.rlim_cur = base + amount, .rlim_max = base + amount};

    EXCHANGE_REQUIRE(setrlimit(resource, &limit) == 0, "the limit was refused");
}

/* Twice, by small messages and by ones of a kind that UCX treats in another way. */
static void wire(void)
{
    static int out[2000], in[2000];
    int me, ranks;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < 2 * ranks - 1; i++) {
        const int count = i < ranks ? 1 : 2000, step = i < ranks ? i : i - ranks + 1;

        MPI_Sendrecv(out, count, MPI_INT, (me + step) % ranks, 0, in, count, MPI_INT,
                     (me + ranks - step) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comms[3];

    MPI_Init(&argc, &argv);
    EXCHANGE_REQUIRE(argc > 1, "which limit?");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wire();
    exchange_both(MPI_COMM_WORLD, 4, 1);
    if (strcmp(argv[1], "none") != 0)
        set(argv[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        exchange_both(comms[i], 5, 10 + i);
        exchange_alltoall(comms[i], 5000 << i, 20 + i);
        exchange_alltoallv(comms[i], 5000 << i, 30 + i);
        exchange_both(MPI_COMM_WORLD, 2, 40 + i);
    }
    if (argc > 2 && strcmp(argv[2], "die") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        kill(getpid(), SIGKILL);
    }
    for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
        exchange_alltoall(MPI_COMM_WORLD, 128, i);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("PASS: exchanges with little of the system\n");
    MPI_Finalize();
    return 0;
}
