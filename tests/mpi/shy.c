/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shy CALLS [RANK]: exchanges of uniform and varied blocks, every byte checked; after CALLS of them
 * rank RANK (1) forbids other processes to look into its memory. The exchanges go on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "exchange.h"

int main(int argc, char **argv)
{
    const int calls = argc > 1 ? atoi(argv[1]) : 8, shy = argc > 2 ? atoi(argv[2]) : 1;
    int me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    exchange_both(MPI_COMM_WORLD, calls, 1);
    if (me == shy)
        EXCHANGE_REQUIRE(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "prctl");
    exchange_both(MPI_COMM_WORLD, 8, 2);
    if (me == 0)
        printf("PASS: every byte is right\n");
    MPI_Finalize();
    return 0;
}
