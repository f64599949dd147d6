/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * boards [SEED]: after many calls on MPI_COMM_WORLD, communicators come and go at random: several with the same members at a time, others
 * with some of them, in any order; a few calls on each or many, with data and without, and freed at once by ranks that run ahead of the
 * others. All ranks draw the same numbers. Every byte is checked.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exchange.h"

enum { FIRST = 3000, HELD = 12, STEPS = 600, RANKS = 64 };

static unsigned state;

static unsigned drawn(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Some ranks, or all, in an order of their own. MPI_COMM_NULL on the others. */
static MPI_Comm create(int rank, int ranks)
{
    MPI_Comm comm;
    const unsigned kind = drawn(4);
    unsigned keys[RANKS], colors[RANKS];

    if (kind == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    }
    for (int p = 0; p < ranks; p++) {
        keys[p] = kind == 1 ? drawn(1000) : 0;
        colors[p] = kind == 3 ? drawn(3) : (unsigned)p % 2;
    }
    MPI_Comm_split(MPI_COMM_WORLD, kind == 3 && colors[rank] == 2 ? MPI_UNDEFINED : (int)colors[rank], (int)keys[rank], &comm);
    return comm;
}

/* The call with nothing to send keeps nobody waiting natively. */
static void call(MPI_Comm comm, unsigned kind, int seed)
{
    int zeros[RANKS] = {0};
    char nothing[2];

    if (kind == 0)
        MPI_Alltoallv(nothing, zeros, zeros, MPI_BYTE, nothing + 1, zeros, zeros, MPI_BYTE, comm);
    else
        exchange_alltoallv(comm, (int)kind, seed);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[HELD];
    bool taken[HELD] = {false};
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    EXCHANGE_REQUIRE(ranks <= RANKS, "%d ranks are too many", ranks);
    for (int i = 0; i < FIRST; i++)
        call(MPI_COMM_WORLD, 1, i);
    for (int i = 0; i < HELD; i++)
        comms[i] = MPI_COMM_NULL;
    for (int step = 0; step < STEPS; step++) {
        const unsigned place = drawn(HELD), calls = drawn(4) == 0 ? drawn(60) : drawn(6), kind = drawn(4),
                       late = drawn((unsigned)ranks * 2);
        const bool frees = drawn(3) == 0;
        const bool fresh = drawn(8) != 0;

        if (fresh && !taken[place]) {
            comms[place] = create(rank, ranks);
            taken[place] = true;
        }
        if (rank == (int)late)
            usleep(300);
        for (unsigned i = 0; i < calls && comms[place] != MPI_COMM_NULL; i++)
            call(comms[place], kind, step + (int)i);
        if (frees && comms[place] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[place]);
        taken[place] = taken[place] && !frees;
    }
    for (int i = 0; i < HELD; i++)
        if (comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("PASS: communicators that come and go\n");
    MPI_Finalize();
    return 0;
}
