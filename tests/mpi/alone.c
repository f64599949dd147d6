/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of one rank, with a wildcard receive posted on them. MPICH 4.0.2 itself never
 * returns from such a call (its message to itself meets the wildcard receive), so this is for runs
 * with the library only, where a local copy is all that happens.
 */
#include <stdio.h>

#include "exchange.h"

static void scenario(MPI_Comm comm)
{
    int number = 5, got = -1, flag = 0;
    MPI_Request request;
    MPI_Status status;

    exchange_both(comm, 6, 0);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    exchange_both(comm, 6, 1);
    MPI_Test(&request, &flag, &status);
    EXCHANGE_REQUIRE(!flag, "the wildcard receive got a message with tag %d", status.MPI_TAG);
    MPI_Send(&number, 1, MPI_INT, 0, 3, comm);
    MPI_Wait(&request, &status);
    EXCHANGE_REQUIRE(got == 5 && status.MPI_TAG == 3, "the wildcard receive got %d with tag %d",
                     got, status.MPI_TAG);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange_both(MPI_COMM_WORLD, 4, 2);
    scenario(MPI_COMM_SELF);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm);
    scenario(comm);
    MPI_Comm_free(&comm);
    if (ranks == 1)
        scenario(MPI_COMM_WORLD);
    exchange_both(MPI_COMM_WORLD, 4, 3);
    if (rank == 0)
        printf("PASS: communicators of one rank\n");
    MPI_Finalize();
    return 0;
}
