/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lessons: many calls of one size, and their results, for what is learned while a program runs.
 * usage: lessons alltoall|alltoallv|both BLOCK CALLS [COMMUNICATORS [after]]
 *
 * Both: all calls of MPI_Alltoall, then as many of MPI_Alltoallv on the same communicators.
 * Communicators come in turn; `after`: one after the other, the next one is made when that is gone.
 * Every call has other bytes, and all of them are checked. Rank 0 prints the nanoseconds of all
 * calls, of the last half of them, and "good" or "bad".
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COMMUNICATORS = 64 };

static int rank, size, block;
static unsigned char *send, *recv;
static int *counts, *places;

/* As clockwork.so has it, where that is preloaded. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static unsigned char byte_of(int from, int to, int call)
{
    return (unsigned char)(31 * from + 7 * to + 3 * call + 1);
}

static bool one(bool uniform, int call, MPI_Comm comm, double *seconds)
{
    for (int p = 0; p < size; p++)
        memset(send + (size_t)p * (size_t)block, byte_of(rank, p, call), (size_t)block);
    memset(recv, 0, (size_t)size * (size_t)block);
    const double begin = now();
    if (uniform)
        MPI_Alltoall(send, block, MPI_BYTE, recv, block, MPI_BYTE, comm);
    else
        MPI_Alltoallv(send, counts, places, MPI_BYTE, recv, counts, places, MPI_BYTE, comm);
    *seconds += now() - begin;
    for (int p = 0; p < size; p++) {
        const unsigned char *from = recv + (size_t)p * (size_t)block;
        if (from[0] != byte_of(p, rank, call) || memcmp(from, from + 1, (size_t)block - 1) != 0)
            return false;
    }
    return true;
}

static bool reserve(void)
{
    const size_t bytes = (size_t)size * (size_t)block;
    send = malloc(bytes);
    recv = malloc(bytes);
    counts = calloc((size_t)size, sizeof *counts);
    places = calloc((size_t)size, sizeof *places);
    for (int p = 0; counts && places && p < size; p++) {
        counts[p] = block;
        places[p] = p * block;
    }
    return send && recv && counts && places;
}

static double seconds, half;

/* All calls of one operation; whether all bytes were right. */
static bool series(bool uniform, int calls, MPI_Comm *comms, int many, bool after)
{
    bool good = true;
    for (int i = 0; i < calls; i++) {
        half = i == calls / 2 ? seconds : half;
        good &= one(uniform, i, comms[after ? 0 : i % many], &seconds);
    }
    for (int c = 1; c < many && after; c++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
        for (int i = 0; i < calls; i++)
            good &= one(uniform, i, comms[c], &seconds);
        MPI_Comm_free(&comms[c]);
    }
    return good;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMUNICATORS] = {MPI_COMM_WORLD};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    block = argc > 3 ? atoi(argv[2]) : 0;
    const int calls = argc > 3 ? atoi(argv[3]) : 0, many = argc > 4 ? atoi(argv[4]) : 1;
    if (block < 1 || many < 1 || many > COMMUNICATORS || !reserve())
        MPI_Abort(MPI_COMM_WORLD, 2);
    int bad = 0, any = 0;
    const bool after = argc > 5 && strcmp(argv[5], "after") == 0;
    for (int c = 1; c < many && !after; c++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    if (strcmp(argv[1], "alltoallv") != 0)
        bad |= !series(true, calls, comms, many, after);
    if (strcmp(argv[1], "alltoall") != 0)
        bad |= !series(false, calls, comms, many, after);
    for (int c = 1; c < many && !after; c++)
        MPI_Comm_free(&comms[c]);
    MPI_Reduce(&bad, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.0f %.0f %s\n", 1e9 * seconds, 1e9 * (seconds - half), any ? "bad" : "good");
    MPI_Finalize();
    free(send);
    free(recv);
    free(counts);
    free(places);
    return 0;
}
