/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comings [SEED]: before and after many calls on MPI_COMM_WORLD, communicators come and go at
 * random: several with the same members at a time, others with some of them, in any order; a few
 * calls on each or many, with data, much of it now and then, and without, and freed at once by
 * ranks that run ahead of the others. All ranks draw the same numbers. Every byte is checked.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exchange.h"

enum { FIRST = 3000, HELD = 12, BEFORE = 100, STEPS = 500, LARGE = 50000, RANKS = 64 };

static MPI_Comm comms[HELD];
static bool taken[HELD];
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
    MPI_Comm_split(MPI_COMM_WORLD,
                   kind == 3 && colors[rank] == 2 ? MPI_UNDEFINED : (int)colors[rank],
                   (int)keys[rank], &comm);
    return comm;
}

enum kind { NOTHING, SMALL, SMALLER, SMALLEST, MUCH };

/* The call with nothing to send keeps nobody waiting natively. */
static void call(MPI_Comm comm, enum kind kind, int seed)
{
    int zeros[RANKS] = {0};
    char nothing[2] = {0};

    if (kind == MUCH)
        exchange_alltoall(comm, LARGE, seed);
    else if (kind == NOTHING)
        MPI_Alltoallv(nothing, zeros, zeros, MPI_BYTE, nothing + 1, zeros, zeros, MPI_BYTE, comm);
    else
        exchange_alltoallv(comm, (int)kind, seed);
}

static void steps(int first, int last, int rank, int ranks)
{
    for (int step = first; step < last; step++) {
        const unsigned place = drawn(HELD), calls = drawn(4) == 0 ? drawn(200) : drawn(6),
                       kind = drawn(4), late = drawn((unsigned)ranks * 2);
        const bool frees = drawn(3) == 0, fresh = drawn(8) != 0, much = drawn(6) == 0;

        if (fresh && !taken[place]) {
            comms[place] = create(rank, ranks);
            taken[place] = true;
        }
        if (rank == (int)late)
            usleep(300);
        for (unsigned i = 0; i < calls && comms[place] != MPI_COMM_NULL; i++)
            call(comms[place], much && i == 0 ? MUCH : (enum kind)kind, step + (int)i);
        if (frees && comms[place] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[place]);
        taken[place] = taken[place] && !frees;
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    EXCHANGE_REQUIRE(ranks <= RANKS, "%d ranks are too many", ranks);
    for (int i = 0; i < HELD; i++)
        comms[i] = MPI_COMM_NULL;
    steps(0, BEFORE, rank, ranks);
    for (int i = 0; i < FIRST; i++)
        call(MPI_COMM_WORLD, SMALL, i);
    steps(BEFORE, BEFORE + STEPS, rank, ranks);
    for (int i = 0; i < HELD; i++)
        if (comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("PASS: communicators that come and go\n");
    MPI_Finalize();
    return 0;
}
