/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constant CALLS BYTES: calls of MPI_Alltoallv, each with BYTES bytes from every rank to every
 * other, from and to blocks that do not lie side by side. Every byte checked. Before them BEFORE
 * others; MPI_Pcontrol tells tally.c which are to be counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { BEFORE = 10 };

/* The bytes that `from` has for `to`. */
static char byte_of(int from, int to, int call, int i)
{
    return (char)(from * 31 + to * 17 + call * 7 + i);
}

int main(int argc, char **argv)
{
    int me, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc == 3, "usage: constant CALLS BYTES");
    const int calls = atoi(argv[1]), block = atoi(argv[2]);
    const size_t step = (size_t)block + 5;
    char *from = calloc((size_t)ranks, step), *to = calloc((size_t)ranks, step);
    int *counts = calloc((size_t)ranks, sizeof *counts),
        *places = calloc((size_t)ranks, sizeof *places);

    EXCHANGE_REQUIRE(from && to && counts && places, "no memory");
    for (int call = -BEFORE; call < calls; call++) {
        if (call == 0)
            MPI_Pcontrol(1);
        for (int p = 0; p < ranks; p++) {
            const size_t place = (size_t)p * step;
            counts[p] = block;
            places[p] = (int)place;
            memset(to + place, 'x', step);
            for (int i = 0; i < block; i++)
                from[place + (size_t)i] = byte_of(me, p, call, i);
        }
        MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE, MPI_COMM_WORLD);
        for (int p = 0; p < ranks; p++)
            for (int i = 0; i < (int)step; i++)
                EXCHANGE_REQUIRE(to[(size_t)p * step + (size_t)i] ==
                                     (i < block ? byte_of(p, me, call, i) : 'x'),
                                 "call %d: byte %d from rank %d is wrong", call, i, p);
    }
    MPI_Pcontrol(0);
    free(from);
    free(to);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
