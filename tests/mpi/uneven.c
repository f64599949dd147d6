/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uneven CALLS FILE: calls of MPI_Alltoallv with as many bytes from each rank to each as FILE says:
 * a line of numbers per rank. Every byte checked. Before them BEFORE others; MPI_Pcontrol tells
 * tally.c which are to be counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { GAP = 3, BEFORE = 4 };

/* The bytes that `from` has for `to`. */
static char byte_of(int from, int to, int call, int i)
{
    return (char)(from * 31 + to * 17 + call * 7 + i);
}

static int *read_counts(const char *name, int ranks)
{
    FILE *file = fopen(name, "r");
    int *counts = exchange_need((size_t)ranks * (size_t)ranks * sizeof *counts);
    EXCHANGE_REQUIRE(file, "%s cannot be read", name);
    for (int i = 0; i < ranks * ranks; i++)
        EXCHANGE_REQUIRE(fscanf(file, "%d", &counts[i]) == 1, "%s: too few numbers", name);
    fclose(file);
    return counts;
}

/* Room for blocks of these counts; their places. */
static char *make_buffer(const int *counts, int *places, int ranks)
{
    int end = 0;
    for (int p = 0; p < ranks; p++) {
        places[p] = end;
        end += counts[p] + GAP;
    }
    char *buffer = exchange_need((size_t)end);
    memset(buffer, 'x', (size_t)end);
    return buffer;
}

int main(int argc, char **argv)
{
    int me, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc == 3, "usage: uneven CALLS FILE");
    const size_t size = (size_t)ranks * sizeof(int);
    int *all = read_counts(argv[2], ranks), *sends = all + (ptrdiff_t)me * ranks;
    int *receives = exchange_need(size), *out = exchange_need(size), *in = exchange_need(size);
    for (int p = 0; p < ranks; p++)
        receives[p] = all[(ptrdiff_t)p * ranks + me];
    for (int call = -BEFORE; call < atoi(argv[1]); call++) {
        if (call == 0)
            MPI_Pcontrol(1);
        char *from = make_buffer(sends, out, ranks), *to = make_buffer(receives, in, ranks);
        for (int p = 0; p < ranks; p++)
            for (int i = 0; i < sends[p]; i++)
                from[out[p] + i] = byte_of(me, p, call, i);
        MPI_Alltoallv(from, sends, out, MPI_BYTE, to, receives, in, MPI_BYTE, MPI_COMM_WORLD);
        for (int p = 0; p < ranks; p++)
            for (int i = 0; i < receives[p] + GAP; i++)
                EXCHANGE_REQUIRE(to[in[p] + i] == (i < receives[p] ? byte_of(p, me, call, i) : 'x'),
                                 "call %d: byte %d from rank %d is wrong", call, i, p);
        free(from);
        free(to);
    }
    MPI_Pcontrol(0);
    free(all);
    free(receives);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
