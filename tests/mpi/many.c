/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * many: many communicators alive at once, with a few small calls on each and many on some.
 * usage: many COMMUNICATORS CALLS SOME MANY [FIRST]: CALLS on each, MANY on every SOME-th (0: on
 * none), after FIRST on MPI_COMM_WORLD
 */
#include <stdio.h>
#include <stdlib.h>

#include "exchange.h"

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    EXCHANGE_REQUIRE(argc == 5 || argc == 6, "usage: many COMMUNICATORS CALLS SOME MANY [FIRST]");
    const int count = atoi(argv[1]), calls = atoi(argv[2]), some = atoi(argv[3]),
              many = atoi(argv[4]), first = argc == 6 ? atoi(argv[5]) : 0;
    MPI_Comm *comms = exchange_need((size_t)count * sizeof *comms);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < first; call++)
        exchange_alltoall(MPI_COMM_WORLD, 4, call);
    for (int i = 0; i < count; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        for (int call = 0; call < calls; call++)
            exchange_alltoall(comms[i], 4, i + call);
    }
    for (int i = 0; some > 0 && i < count; i += some)
        for (int call = 0; call < many; call++)
            exchange_alltoall(comms[i], 4 + call % 3, i + call);
    for (int i = 0; i < count; i++)
        exchange_alltoallv(comms[i], 5, i);
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&comms[i]);
    free(comms);
    if (rank == 0)
        printf("PASS: %d communicators\n", count);
    MPI_Finalize();
    return 0;
}
