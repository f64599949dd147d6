/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls: calls of MPI_Alltoall or MPI_Alltoallv with 64 bytes for each rank, inside a function of
 * its own, so that instructions are counted there and nowhere else (scripts/bench-instructions).
 * usage: calls alltoall|alltoallv CALLS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, WARM_UP = 8 };

static char *send, *recv;
static int *counts, *places;

/* Kept apart: callgrind counts from its beginning to its end. */
__attribute__((noinline)) void measured(int uniform, int calls)
{
    for (int i = 0; i < calls; i++) {
        if (uniform)
            MPI_Alltoall(send, BLOCK, MPI_BYTE, recv, BLOCK, MPI_BYTE, MPI_COMM_WORLD);
        else
            MPI_Alltoallv(send, counts, places, MPI_BYTE, recv, counts, places, MPI_BYTE,
                          MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int ranks;

    MPI_Init(&argc, &argv);
    if (argc != 3) {
        fprintf(stderr, "usage: calls alltoall|alltoallv CALLS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int uniform = strcmp(argv[1], "alltoall") == 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    send = calloc((size_t)ranks, BLOCK);
    recv = calloc((size_t)ranks, BLOCK);
    counts = calloc((size_t)ranks, sizeof *counts);
    places = calloc((size_t)ranks, sizeof *places);
    for (int p = 0; p < ranks; p++) {
        counts[p] = BLOCK;
        places[p] = p * BLOCK;
    }
    for (int i = 0; i < WARM_UP; i++) {
        if (uniform)
            MPI_Alltoall(send, BLOCK, MPI_BYTE, recv, BLOCK, MPI_BYTE, MPI_COMM_WORLD);
        else
            MPI_Alltoallv(send, counts, places, MPI_BYTE, recv, counts, places, MPI_BYTE,
                          MPI_COMM_WORLD);
    }
    measured(uniform, atoi(argv[2]));
    free(send);
    free(recv);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
