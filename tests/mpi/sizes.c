/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes: exchanges whose blocks are small and large in turn, so that calls go to and fro between
 * the rules of a table; every integer checked.
 */
#include <stdio.h>

#include "exchange.h"

int main(int argc, char **argv)
{
    static const int counts[] = {4, 16384, 4,     16384, 2, 300, 16384, 1, 4000,
                                 4, 9,     16384, 16384, 4, 4,   20000, 3};
    const int n = (int)(sizeof counts / sizeof counts[0]);
    int me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < n; i++)
        exchange_alltoallv(MPI_COMM_WORLD, counts[i], i);
    for (int i = 0; i < n; i++) {
        exchange_alltoall(MPI_COMM_WORLD, counts[i], i);
        exchange_alltoallv(MPI_COMM_WORLD, counts[(i + 1) % n], i);
    }
    if (me == 0)
        printf("PASS: every size in turn\n");
    MPI_Finalize();
    return 0;
}
