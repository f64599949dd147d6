/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * large: two ranks, and one block of 2.2 GiB from rank 0 to rank 1; then small blocks that lie
 * beyond 2^31 elements. usage: large block|place
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "exchange.h"
#include "mpi4.h"

/* Not a multiple of anything. */
static const MPI_Count LARGE = (MPI_Count)22 * (1 << 30) / 10 + 7;
enum { SMALL = 1001 };

/* Address space: what is never touched costs nothing. */
static unsigned char *space(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    EXCHANGE_REQUIRE(at != MAP_FAILED, "no address space");
    return at;
}

/* Of a word of the block: no two places of it look alike. */
static uint64_t word(uint64_t i)
{
    return (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void fill(unsigned char *to, MPI_Count bytes)
{
    for (MPI_Count at = 0; at < bytes; at += 8) {
        const uint64_t value = word((uint64_t)at);
        memcpy(to + at, &value, bytes - at < 8 ? (size_t)(bytes - at) : 8);
    }
}

static void check(const unsigned char *from, MPI_Count bytes)
{
    for (MPI_Count at = 0; at < bytes; at += 8) {
        const uint64_t value = word((uint64_t)at);
        EXCHANGE_REQUIRE(memcmp(from + at, &value, bytes - at < 8 ? (size_t)(bytes - at) : 8) == 0,
                         "wrong byte at %lld or after", (long long)at);
    }
}

/* Calls: two, for the second one goes other ways than the first. */
static void large_block(int me)
{
    const MPI_Count out[2] = {SMALL, me == 0 ? LARGE : SMALL},
                    in[2] = {me == 0 ? SMALL : LARGE, SMALL};
    const MPI_Aint from[2] = {0, SMALL + 5}, to[2] = {3, in[0] + 8};
    unsigned char *send = space((size_t)(from[1] + out[1])), *recv = space((size_t)(to[1] + in[1]));

    fill(send, out[0]);
    fill(send + from[1], out[1]);
    for (int call = 0; call < 2; call++) {
        const int status =
            MPI_Alltoallv_c(send, out, from, MPI_BYTE, recv, in, to, MPI_BYTE, MPI_COMM_WORLD);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS, "call %d returned %d", call, status);
        check(recv + to[0], in[0]);
        check(recv + to[1], in[1]);
        EXCHANGE_REQUIRE(recv[0] == 0 && recv[to[0] + in[0]] == 0,
                         "something was written beside the blocks");
        memset(recv + to[me == 0], 0, SMALL);
    }
    munmap(send, (size_t)(from[1] + out[1]));
    munmap(recv, (size_t)(to[1] + in[1]));
}

/* Displacements count elements. */
static void far_place(void)
{
    const MPI_Count counts[2] = {SMALL, SMALL};
    const MPI_Aint far = ((MPI_Aint)1 << 31) + 11, from[2] = {0, far}, to[2] = {far + 3, 1};
    const size_t bytes = (size_t)far + (size_t)2 * SMALL;
    unsigned char *send = space(bytes), *recv = space(bytes);

    for (int call = 0; call < 4; call++) {
        fill(send, SMALL);
        fill(send + far, SMALL);
        memset(recv + to[0], 0, SMALL);
        memset(recv + to[1], 0, SMALL);
        const int status = MPI_Alltoallv_c(send, counts, from, MPI_BYTE, recv, counts, to, MPI_BYTE,
                                           MPI_COMM_WORLD);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS, "call %d returned %d", call, status);
        check(recv + to[0], SMALL);
        check(recv + to[1], SMALL);
    }
    munmap(send, bytes);
    munmap(recv, bytes);
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
        far_place();
    if (me == 0)
        printf("PASS: %s\n", argv[1]);
    MPI_Finalize();
    return 0;
}
