/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refused OPERATION MISTAKE WAY COMMUNICATOR CALLS WHEN...: before some of its calls one rank makes
 * a mistake that the library refuses by a look at its arguments, is told so, and then makes the
 * call that all others are in. Every byte is right, and nobody waits for ever.
 *
 *   OPERATION      alltoall, alltoallv; sparse: MPI_Alltoallv, where only neighbours have data
 *   MISTAKE        count (-1), type (none), nothing (the same, with counts of 0), uncommitted,
 *                  send, receive (no buffer), alias, placeless (MPI_IN_PLACE to receive in)
 *   WAY            return (MPI_ERRORS_RETURN), handler (its own, which returns), jump (out of it)
 *   COMMUNICATOR   world, or one that is made of it: copy
 *   WHEN           the numbers of these calls, from 0. "e4": in the right call 4 nobody has data
 *
 * The rank calls alone: the others come later, when a message of it has told them to.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { BLOCK = 16, CULPRIT = 1 };

static int rank, ranks, heard, jumps;
static int *out, *in, *counts, *rooms, *places;
static MPI_Comm comm;
static MPI_Datatype derived;
static jmp_buf before;

static void hear(MPI_Comm *on, int *code, ...)
{
    (void)code;
    heard += *on == comm ? 1 : 1000;
    if (jumps)
        longjmp(before, 1);
}

static int value(int call, int from, int to, int i)
{
    return ((call * 64 + from) * 64 + to) * BLOCK + i;
}

static int sends(int from, int to, const char *operation)
{
    return strcmp(operation, "sparse") != 0 || to == (from + 1) % ranks ? BLOCK : 0;
}

static void fill(int call, int empty, const char *operation)
{
    for (int p = 0; p < ranks; p++) {
        counts[p] = empty ? 0 : sends(rank, p, operation);
        rooms[p] = empty ? 0 : sends(p, rank, operation);
        places[p] = p * BLOCK;
        for (int i = 0; i < BLOCK; i++) {
            out[p * BLOCK + i] = value(call, rank, p, i);
            in[p * BLOCK + i] = -1;
        }
    }
}

static void check(int call)
{
    for (int p = 0; p < ranks; p++)
        for (int i = 0; i < BLOCK; i++) {
            const int expected = rooms[p] > 0 ? value(call, p, rank, i) : -1;
            EXCHANGE_REQUIRE(in[p * BLOCK + i] == expected,
                             "call %d: integer %d from rank %d is %d", call, i, p,
                             in[p * BLOCK + i]);
        }
}

static int make(const char *operation, const void *from, void *to, MPI_Datatype type)
{
    if (strcmp(operation, "alltoall") != 0)
        return MPI_Alltoallv(from, counts, places, type, to, rooms, places, MPI_INT, comm);
    return MPI_Alltoall(from, counts[0], type, to, rooms[0], MPI_INT, comm);
}

/* The arrays are filled as for the right call. */
static int make_wrong(const char *operation, const char *mistake)
{
    const int none = strcmp(mistake, "nothing") == 0, alias = strcmp(mistake, "alias") == 0,
              type = none || strcmp(mistake, "type") == 0;
    const void *from = alias ? in : strcmp(mistake, "send") == 0 ? NULL : out;
    void *to = strcmp(mistake, "receive") == 0     ? NULL
               : strcmp(mistake, "placeless") == 0 ? MPI_IN_PLACE
                                                   : in;
    if (strcmp(mistake, "count") == 0)
        counts[ranks - 1] = counts[0] = -1;
    for (int p = 0; none && p < ranks; p++)
        counts[p] = rooms[p] = 0;
    if (alias && strcmp(operation, "alltoall") != 0)
        return MPI_Alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, comm);
    return make(operation, from, to,
                type                                  ? MPI_DATATYPE_NULL
                : strcmp(mistake, "uncommitted") == 0 ? derived
                                                      : MPI_INT);
}

static void err(int call, const char *operation, const char *mistake, const char *way)
{
    volatile int status = MPI_ERR_OTHER;
    heard = 0;
    jumps = strcmp(way, "jump") == 0;
    if (setjmp(before) == 0)
        status = make_wrong(operation, mistake);
    jumps = 0;
    if (strcmp(way, "return") == 0)
        EXCHANGE_REQUIRE(status != MPI_SUCCESS, "call %d: the mistake is not told", call);
    else
        EXCHANGE_REQUIRE(heard == 1, "call %d: the handler has heard of %d errors", call, heard);
}

/* The culprit is back from its mistake before the others make their call. */
static void let_others_come(void)
{
    int go = 0;
    for (int p = 0; rank == CULPRIT && p < ranks; p++)
        if (p != CULPRIT)
            MPI_Send(&go, 1, MPI_INT, p, 1, MPI_COMM_WORLD);
    if (rank != CULPRIT)
        MPI_Recv(&go, 1, MPI_INT, CULPRIT, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void one_call(int call, char *const *when, const char *const *arguments)
{
    int wrong = 0, empty = 0;
    for (; *when; when++) {
        const int e = **when == 'e';
        if (atoi(*when + e) == call) {
            wrong++;
            empty |= e;
        }
    }
    for (; wrong > 0; wrong--) {
        fill(call, 0, arguments[0]);
        if (rank == CULPRIT)
            err(call, arguments[0], arguments[1], arguments[2]);
        let_others_come();
    }
    fill(call, empty, arguments[0]);
    heard = 0;
    EXCHANGE_REQUIRE(make(arguments[0], out, in, MPI_INT) == MPI_SUCCESS && heard == 0,
                     "call %d fails", call);
    check(call);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler = MPI_ERRORS_RETURN;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc > 6 && ranks > 2 && ranks < 64, "usage: see refused.c");
    out = exchange_need((size_t)ranks * BLOCK * sizeof *out);
    in = exchange_need((size_t)ranks * BLOCK * sizeof *in);
    counts = exchange_need((size_t)ranks * sizeof *counts);
    rooms = exchange_need((size_t)ranks * sizeof *rooms);
    places = exchange_need((size_t)ranks * sizeof *places);
    comm = MPI_COMM_WORLD;
    if (strcmp(argv[4], "copy") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (strcmp(argv[3], "return") != 0)
        MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Type_contiguous(1, MPI_INT, &derived);
    for (int call = 0; call < atoi(argv[5]); call++)
        one_call(call, &argv[6], (const char *const *)&argv[1]);
    /* Errors without a communicator are still those of MPI_COMM_WORLD. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    EXCHANGE_REQUIRE(MPI_Comm_size(MPI_COMM_NULL, &ranks) != MPI_SUCCESS, "no communicator is one");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("PASS: %s calls\n", argv[5]);
    MPI_Type_free(&derived);
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
