/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large: two ranks, and one block of 2.2 GiB from rank 0 to rank 1; then small blocks that lie
 * beyond 2^31 elements. usage: large block|place
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "exchange.h"
#include "mpi4.h"

/* Not a multiple of anything. */
static const MPI_Count LARGE = (MPI_Count)22 * (1 << 30) / 10 + 7;
enum { SMALL = 1001 };

/* Address space: what is never touched costs nothing, and large pages cost few faults. */
static unsigned char *space(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    EXCHANGE_REQUIRE(at != MAP_FAILED, "no address space");
    madvise(at, bytes, MADV_HUGEPAGE);
    return at;
}

/* What is sent repeats after a prime number of pages: places that are powers of two apart do not
 * look alike, nor do others within a period. */
enum { PERIOD = 7919 * 4096, WORDS = PERIOD / 8 };
static uint64_t period[WORDS];

/* To be sent: one period, mapped again and again. */
static const unsigned char *repeated(size_t bytes)
{
    unsigned char *at = space(bytes);
    const int file = memfd_create("period", 0);

    for (int i = 0; i < WORDS; i++)
        period[i] = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    EXCHANGE_REQUIRE(file >= 0 && write(file, period, sizeof period) == (ssize_t)sizeof period,
                     "no memory for what is sent");
    for (size_t done = 0; done < bytes; done += PERIOD) {
        const size_t size = bytes - done < PERIOD ? bytes - done : PERIOD;
        EXCHANGE_REQUIRE(mmap(at + done, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) !=
                             MAP_FAILED,
                         "what is sent cannot be mapped");
    }
    close(file);
    return at;
}

/* A block that was sent from the place `sent` of such a buffer. */
static void check(const unsigned char *block, MPI_Count bytes, MPI_Aint sent)
{
    MPI_Count size;

    for (MPI_Count at = 0; at < bytes; at += size) {
        const MPI_Count place = (sent + at) % PERIOD, left = PERIOD - place;
        size = bytes - at < left ? bytes - at : left;
        EXCHANGE_REQUIRE(memcmp(block + at, (const unsigned char *)period + place, (size_t)size) ==
                             0,
                         "a wrong byte after %lld", (long long)at);
    }
}

/* Waits for the other rank without a processor: it has gibibytes to write or to compare. */
static void meet(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request request;
    int met = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &met, MPI_STATUS_IGNORE); !met;
         MPI_Test(&request, &met, MPI_STATUS_IGNORE))
        nanosleep(&pause, NULL);
}

/* Calls: two, for the second one goes other ways than the first. */
static void large_block(int me)
{
    const MPI_Count out[2] = {SMALL, me == 0 ? LARGE : SMALL},
                    in[2] = {me == 0 ? SMALL : LARGE, SMALL};
    const MPI_Aint from[2] = {0, SMALL + 5}, to[2] = {3, in[0] + 8};
    const unsigned char *send = repeated((size_t)(from[1] + out[1]));
    unsigned char *recv = space((size_t)(to[1] + in[1]));

    for (int call = 0; call < 2; call++) {
        meet();
        const int status =
            MPI_Alltoallv_c(send, out, from, MPI_BYTE, recv, in, to, MPI_BYTE, MPI_COMM_WORLD);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS, "call %d returned %d", call, status);
        check(recv + to[0], in[0], from[me]);
        check(recv + to[1], in[1], from[me]);
        EXCHANGE_REQUIRE(recv[0] == 0 && recv[to[0] + in[0]] == 0,
                         "something was written beside the blocks");
        memset(recv + to[me == 0], 0, SMALL);
    }
    meet();
}

/* Displacements count elements. */
static void far_place(int me)
{
    const MPI_Count counts[2] = {SMALL, SMALL};
    const MPI_Aint far = ((MPI_Aint)1 << 31) + 11, from[2] = {0, far}, to[2] = {far + 3, 1};
    const size_t bytes = (size_t)far + (size_t)2 * SMALL;
    const unsigned char *send = repeated(bytes);
    unsigned char *recv = space(bytes);

    for (int call = 0; call < 4; call++) {
        memset(recv + to[0], 0, SMALL);
        memset(recv + to[1], 0, SMALL);
        const int status = MPI_Alltoallv_c(send, counts, from, MPI_BYTE, recv, counts, to, MPI_BYTE,
                                           MPI_COMM_WORLD);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS, "call %d returned %d", call, status);
        check(recv + to[0], SMALL, from[me]);
        check(recv + to[1], SMALL, from[me]);
    }
}

int main(int argc, char **argv)
{
    int me, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc == 2 && ranks == 2, "usage: large block|place, with two ranks");
    if (!has_mpi4()) {
        if (me == 0)
            lacks_mpi4("large counts");
        MPI_Finalize();
        return 0;
    }
    if (strcmp(argv[1], "block") == 0)
        large_block(me);
    else
        far_place(me);
    if (me == 0)
        printf("PASS: %s\n", argv[1]);
    MPI_Finalize();
    return 0;
}
