/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * towers CALLS: so many calls with a derived type on MPI_COMM_WORLD and then on a copy of it, whose
 * set-up has to pay by their time alone: nothing about a job's first set-up is left to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { INTEGERS = 64 };

static void call(MPI_Comm comm, MPI_Datatype type, int rank, int ranks, int *send, int *recv)
{
    for (int i = 0; i < ranks * INTEGERS; i++)
        send[i] = rank * ranks + i / INTEGERS;
    MPI_Alltoall(send, 1, type, recv, 1, type, comm);
    for (int i = 0; i < ranks * INTEGERS; i++)
        EXCHANGE_REQUIRE(recv[i] == i / INTEGERS * ranks + rank, "integer %d is %d", i, recv[i]);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm copy;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Type_contiguous(INTEGERS, MPI_INT, &type);
    MPI_Type_commit(&type);
    const size_t bytes = (size_t)ranks * INTEGERS * sizeof(int);
    int *send = exchange_need(bytes), *recv = exchange_need(bytes);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
        call(MPI_COMM_WORLD, type, rank, ranks, send, recv);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
        call(copy, type, rank, ranks, send, recv);
    free(send);
    free(recv);
    MPI_Type_free(&type);
    MPI_Comm_free(&copy);
    if (rank == 0)
        printf("PASS: calls with a derived type\n");
    MPI_Finalize();
    return 0;
}
