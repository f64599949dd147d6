/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators that do not end as in the textbook: freed while requests are pending on them, freed
 * in another order on every rank, dropped by an error-free but careless program without
 * MPI_Comm_free. Delete callbacks then arrive late, in different orders, or never.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exchange.h"

#define HELD 12

/* A message and a nonblocking collective are under way when the communicator is freed; it is used
 * up to that moment. */
static void pending(int calls)
{
    int rank, ranks, number, from_left = -1, right, left, sum = 0;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    right = (rank + 1) % ranks;
    left = (rank + ranks - 1) % ranks;
    number = rank;
    MPI_Irecv(&from_left, 1, MPI_INT, left, 5, comm, &requests[0]);
    exchange_both(comm, calls, 1);
    MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    exchange_both(comm, calls, 2);
    MPI_Isend(&number, 1, MPI_INT, right, 5, comm, &requests[2]);
    MPI_Comm_free(&comm);
    exchange_both(MPI_COMM_WORLD, 2, 3);
    MPI_Waitall(3, requests, statuses);
    EXCHANGE_REQUIRE(from_left == left, "message: %d instead of %d", from_left, left);
    EXCHANGE_REQUIRE(sum == ranks * (ranks - 1) / 2, "sum: %d", sum);
}

/* Every rank frees the same communicators in an order of its own (MPICH frees locally). */
static void other_orders(void)
{
    MPI_Comm comms[HELD];
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < HELD; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        exchange_both(comms[i], 4, i);
    }
    for (int i = 0; i < HELD; i++) {
        MPI_Comm_free(&comms[(i * 5 + rank) % HELD]);
        exchange_both(MPI_COMM_WORLD, 1, i);
    }
}

/* Context ids and all that belongs to them are used again by the next generation. */
static void generations(void)
{
    for (int i = 0; i < 20; i++) {
        MPI_Comm first, second;

        MPI_Comm_dup(MPI_COMM_WORLD, &first);
        exchange_both(first, 3, i);
        MPI_Comm_dup(first, &second);
        MPI_Comm_free(&first);
        exchange_both(second, 3, i);
        MPI_Comm_free(&second);
    }
}

static void leaked(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < HELD; i++) {
        MPI_Comm comm;

        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
        exchange_both(comm, 4, i);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange_both(MPI_COMM_WORLD, 2, 0);
    for (int calls = 0; calls < 5; calls++)
        pending(calls);
    other_orders();
    generations();
    leaked();
    exchange_both(MPI_COMM_WORLD, 2, 9);
    if (rank == 0)
        printf("PASS: pending, any order, generations, leaked\n");
    MPI_Finalize();
    return 0;
}
