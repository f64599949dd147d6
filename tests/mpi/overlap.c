/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap: a wrong program, whose receive blocks lie on top of each other. Whatever the algorithm,
 * all blocks but one are not what was sent: SHUNT_VERIFY must notice. It mends one block after the
 * other, so that of the last rank is what remains.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int me, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *send = calloc((size_t)ranks, sizeof *send), *ones = calloc((size_t)ranks, sizeof *ones);
    int *places = calloc((size_t)ranks, sizeof *places),
        *nowhere = calloc((size_t)ranks, sizeof *nowhere);
    int recv = -1;

    for (int p = 0; p < ranks; p++) {
        send[p] = me + 1;
        ones[p] = 1;
        places[p] = p;
    }
    MPI_Alltoallv(send, ones, places, MPI_INT, &recv, ones, nowhere, MPI_INT, MPI_COMM_WORLD);
    printf("rank %d holds the block of rank %d\n", me, recv - 1);
    free(send);
    free(ones);
    free(places);
    free(nowhere);
    MPI_Finalize();
    return 0;
}
