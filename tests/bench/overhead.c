/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overhead.c: calls an operation many times on one rank, for counting instructions per call
 * (scripts/bench-overhead). usage: overhead alltoall|alltoallv named|derived CALLS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        fprintf(stderr, "usage: overhead alltoall|alltoallv named|derived CALLS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int calls = atoi(argv[3]), uniform = strcmp(argv[1], "alltoall") == 0;
    MPI_Datatype type = MPI_INT;
    if (strcmp(argv[2], "derived") == 0) {
        MPI_Type_vector(2, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *send = calloc(64 * (size_t)size, sizeof *send),
        *recv = calloc(64 * (size_t)size, sizeof *recv);
    int *counts = calloc((size_t)size, sizeof *counts),
        *displs = calloc((size_t)size, sizeof *displs);
    for (int p = 0; p < size; p++) {
        counts[p] = 4;
        displs[p] = 8 * p;
    }
    for (int i = 0; i < calls; i++) {
        if (uniform)
            MPI_Alltoall(send, 4, type, recv, 4, type, MPI_COMM_WORLD);
        else
            MPI_Alltoallv(send, counts, displs, type, recv, counts, displs, type, MPI_COMM_WORLD);
    }
    if (type != MPI_INT)
        MPI_Type_free(&type);
    free(send);
    free(recv);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
