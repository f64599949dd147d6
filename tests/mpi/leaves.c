/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaves PATTERN WHEN...: communicators on which the library refuses one call of one rank or of two
 * for their arguments, in every way that is right without Shunt. Every byte is right, and nobody
 * waits for ever.
 *
 *   PATTERN   dense, sparse (only neighbours have data), mixed (dense; each third call is
 *             MPI_Alltoall), around (sparse; each third call is MPI_Alltoall), extra (all calls are
 *             MPI_Alltoall; the wrong one is MPI_Alltoallv, which nobody else makes), void (sparse;
 *             each third call is MPI_Alltoall without data, the wrong one among them)
 *   WHEN      numbers of calls, from 0: on one communicator each, for each of:
 *     mistakes    no type, a count of -1, no buffer to send from
 *     data        the refused call has some for everybody, or none for anybody
 *     afterwards  the rank repeats the call; goes on with the next one; never calls again, and has
 *                 no data in the other ranks' calls. Where it has data it has to repeat the call.
 *     culprits    each rank of the first node and the last one; or two of them
 *
 * A culprit is back from its mistake before the others make their call: a message of it tells them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { BLOCK = 3, CALLS = 40 };
enum mistake { NO_TYPE, MINUS_ONE, NO_BUFFER, MISTAKES };
enum after { REPEATS, GOES_ON, STOPS, AFTERS };

static const char *const mistakes[] = {"no type", "count -1", "no buffer"};
static const char *const afters[] = {"repeats", "goes on", "stops"};

struct one {
    const char *pattern;
    enum mistake mistake;
    int has_data;
    enum after after;
    int when;
    int culprits[2]; /* the same twice: one */
};

static int rank, ranks, cases;
static int *out, *in, *counts, *rooms, *places;

static int is_culprit(const struct one *one, int who)
{
    return who == one->culprits[0] || who == one->culprits[1];
}

/* Whether `who` takes part in the exchange of data of that call. */
static int has_data(const struct one *one, int call, int who)
{
    if (!is_culprit(one, who))
        return 1;
    return call == one->when ? one->has_data : call < one->when || one->after != STOPS;
}

static int is_sparse(const char *pattern)
{
    return pattern[0] == 's' || pattern[0] == 'a' || pattern[0] == 'v';
}

static int block(const struct one *one, int call, int from, int to)
{
    const int near = to == (from + 1) % ranks;
    const int data = has_data(one, call, from) && has_data(one, call, to);
    return data && (near || !is_sparse(one->pattern)) ? BLOCK : 0;
}

static int is_alltoall(const struct one *one, int call)
{
    const int mixes = one->pattern[0] == 'm' || one->pattern[0] == 'a';
    if (one->pattern[0] == 'e' || (one->pattern[0] == 'v' && call % 3 == 2))
        return 1;
    return mixes && call % 3 == 2 && call != one->when && (call < one->when || one->after != STOPS);
}

/* Integers in each block of MPI_Alltoall. */
static int all_of(const struct one *one)
{
    return one->pattern[0] == 'v' ? 0 : BLOCK;
}

static int value(int call, int from, int to, int i)
{
    return ((call * 64 + from) * 64 + to) * BLOCK + i;
}

static void fill(const struct one *one, int call)
{
    for (int p = 0; p < ranks; p++) {
        counts[p] = is_alltoall(one, call) ? all_of(one) : block(one, call, rank, p);
        rooms[p] = is_alltoall(one, call) ? all_of(one) : block(one, call, p, rank);
        places[p] = p * BLOCK;
        for (int i = 0; i < BLOCK; i++) {
            out[p * BLOCK + i] = value(call, rank, p, i);
            in[p * BLOCK + i] = -1;
        }
    }
}

static void check(const struct one *one, int call)
{
    for (int p = 0; p < ranks; p++)
        for (int i = 0; i < BLOCK; i++) {
            const int expected = rooms[p] > 0 ? value(call, p, rank, i) : -1;
            EXCHANGE_REQUIRE(in[p * BLOCK + i] == expected,
                             "%s, %s, %s, call %d of %d: integer %d from rank %d is %d",
                             one->pattern, mistakes[one->mistake], afters[one->after], call,
                             one->when, i, p, in[p * BLOCK + i]);
        }
}

/* What the library refuses. */
static void err(const struct one *one, MPI_Comm comm)
{
    const int kept = counts[ranks - 1];
    if (one->mistake == MINUS_ONE)
        counts[ranks - 1] = -1;
    const int status = MPI_Alltoallv(one->mistake == NO_BUFFER ? NULL : out, counts, places,
                                     one->mistake == NO_TYPE ? MPI_DATATYPE_NULL : MPI_INT, in,
                                     rooms, places, MPI_INT, comm);
    EXCHANGE_REQUIRE(status != MPI_SUCCESS, "%s is not refused", mistakes[one->mistake]);
    counts[ranks - 1] = kept;
}

static void let_others_come(const struct one *one)
{
    int go = 0;
    for (int c = 0; c < 1 + (one->culprits[0] != one->culprits[1]); c++) {
        for (int p = 0; rank == one->culprits[c] && p < ranks; p++)
            if (!is_culprit(one, p))
                MPI_Send(&go, 1, MPI_INT, p, 1, MPI_COMM_WORLD);
        if (!is_culprit(one, rank))
            MPI_Recv(&go, 1, MPI_INT, one->culprits[c], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Whether this rank makes the call in the right way. */
static int is_made(const struct one *one, int call)
{
    if (!is_culprit(one, rank) || call < one->when)
        return 1;
    return call == one->when ? one->after == REPEATS : one->after != STOPS;
}

static void run(const struct one *one)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int call = 0; call < CALLS; call++) {
        fill(one, call);
        if (call == one->when && is_culprit(one, rank))
            err(one, comm);
        if (call == one->when)
            let_others_come(one);
        if (!is_made(one, call))
            continue;
        const int status =
            is_alltoall(one, call)
                ? MPI_Alltoall(out, all_of(one), MPI_INT, in, all_of(one), MPI_INT, comm)
                : MPI_Alltoallv(out, counts, places, MPI_INT, in, rooms, places, MPI_INT, comm);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS, "call %d fails", call);
        check(one, call);
    }
    MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    cases++;
}

/* A rank with data that does not repeat its call lets the others wait, natively as well.
 * MPICH 4.0.2 does not look at the buffer where the first count is 0. */
static int is_right(const struct one *one)
{
    if (one->pattern[0] == 'v')
        return one->mistake == NO_TYPE && !one->has_data && one->after == GOES_ON;
    if (one->pattern[0] == 'e' && (one->mistake == NO_BUFFER || one->after != REPEATS))
        return 0;
    if (one->mistake == NO_BUFFER && (!one->has_data || is_sparse(one->pattern)))
        return 0;
    return !one->has_data || one->after == REPEATS;
}

static void with_culprits(struct one one)
{
    const int last = ranks - 1, pairs[][2] = {{0, 0}, {1, 1}, {last, last}, {0, last}, {1, 2}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        one.culprits[0] = pairs[i][0];
        one.culprits[1] = pairs[i][1];
        run(&one);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc > 2 && ranks > 3 && ranks < 64, "usage: see leaves.c");
    out = exchange_need((size_t)ranks * BLOCK * sizeof *out);
    in = exchange_need((size_t)ranks * BLOCK * sizeof *in);
    counts = exchange_need((size_t)ranks * sizeof *counts);
    rooms = exchange_need((size_t)ranks * sizeof *rooms);
    places = exchange_need((size_t)ranks * sizeof *places);
    for (int w = 2; w < argc; w++)
        for (int variant = 0; variant < MISTAKES * 2 * AFTERS; variant++) {
            const struct one one = {.pattern = argv[1],
                                    .mistake = (enum mistake)(variant % MISTAKES),
                                    .has_data = variant / MISTAKES % 2,
                                    .after = (enum after)(variant / MISTAKES / 2),
                                    .when = atoi(argv[w])};
            if (is_right(&one))
                with_culprits(one);
        }
    if (rank == 0)
        printf("PASS: %d communicators\n", cases);
    MPI_Finalize();
    return 0;
}
