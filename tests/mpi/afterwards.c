/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * afterwards: exchanges of which one may lose a message (lose.c). That call fails; the ones after
 * it must be right again, or fail as well, but never return success with other bytes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8192, CALLS = 12 };

static int check(const char *recv, int ranks, int call)
{
    for (int p = 0; p < ranks; p++)
        for (int i = 0; i < BLOCK; i++)
            if (recv[p * BLOCK + i] != (char)(call * 16 + p))
                return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0, all = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    char *send = malloc((size_t)ranks * BLOCK), *recv = malloc((size_t)ranks * BLOCK);
    int *counts = malloc((size_t)ranks * sizeof *counts),
        *places = malloc((size_t)ranks * sizeof *places);
    for (int p = 0; p < ranks; p++) {
        counts[p] = BLOCK;
        places[p] = p * BLOCK;
    }
    for (int call = 0; call < CALLS; call++) {
        memset(send, call * 16 + rank, (size_t)ranks * BLOCK);
        memset(recv, 0x7f, (size_t)ranks * BLOCK);
        const int status = argc > 1
                               ? MPI_Alltoallv(send, counts, places, MPI_BYTE, recv, counts, places,
                                               MPI_BYTE, comm)
                               : MPI_Alltoall(send, BLOCK, MPI_BYTE, recv, BLOCK, MPI_BYTE, comm);
        if (status == MPI_SUCCESS && !check(recv, ranks, call)) {
            printf("rank %d, call %d: success with wrong bytes\n", rank, call);
            wrong = 1;
        }
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all ? "FAIL" : "PASS: no success with wrong bytes");
    free(send);
    free(recv);
    free(counts);
    free(places);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return all;
}
