/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crooked: first calls of a job that the standard forbids, or that fail on one rank, as MPICH
 * carries them out; and a hundred right ones after them, for which all ranks must still be in step.
 *
 * crooked WHAT, on four ranks:
 *   short, short-self      a rank has less room than rank 0 sends it; that rank is rank 2, or rank
 * 0 no-room                a rank that expects nothing from rank 0 is sent something
 *   partial[-uniform]      blocks that end within an element of the receiver's type
 *   one-sends, uneven      MPI_Alltoall: rank 0 sends more than the others, all have room for that
 *   uncommitted[-uniform]  a type is not committed on rank 2, which then commits it and tries again
 *   nested, left           the error handler of a rank with less room makes the next call; jumps
 * out stretch                the same as nested, in every other call of a sequence in which one
 * rank sends something
 *
 * With CROOKED_THREADS in the environment MPI is asked for MPI_THREAD_MULTIPLE.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { RANKS = 4, BLOCK = 6, LATER = 100, UNTOUCHED = -1 };

static int me, heard, calls_within;
static int send[RANKS * BLOCK], recv[RANKS * BLOCK];
static int counts[RANKS], rooms[RANKS], places[RANKS];
static int nests, jumps, sparse;
static jmp_buf before;

static int value(int from, int to, int i)
{
    return 1000 * from + 100 * to + i;
}

static void prepare(void)
{
    for (int p = 0; p < RANKS; p++) {
        counts[p] = sparse && (me != 1 || p != 2) ? 0 : BLOCK;
        rooms[p] = sparse && (me != 2 || p != 1) ? 0 : BLOCK;
        places[p] = p * BLOCK;
        for (int i = 0; i < BLOCK; i++)
            send[p * BLOCK + i] = value(me, p, i);
    }
    for (int i = 0; i < RANKS * BLOCK; i++)
        recv[i] = UNTOUCHED;
}

static int alltoallv(MPI_Datatype in)
{
    return MPI_Alltoallv(send, counts, places, MPI_INT, recv, rooms, places, in, MPI_COMM_WORLD);
}

static void check(const char *when, int first)
{
    for (int p = first; p < RANKS; p++)
        for (int i = 0; i < BLOCK; i++)
            EXCHANGE_REQUIRE(recv[p * BLOCK + i] == (rooms[p] > 0 ? value(p, me, i) : UNTOUCHED),
                             "%s: integer %d from rank %d is %d", when, i, p, recv[p * BLOCK + i]);
}

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    heard++;
    if (nests) {
        nests = 0;
        prepare();
        calls_within += alltoallv(MPI_INT) == MPI_SUCCESS;
        check("the call within the handler", 0);
    }
    if (jumps)
        longjmp(before, 1);
}

/* Rank `one` has less room than it needs for what rank `from` sends. */
static void be_short(int one, int from, int room)
{
    if (me == one)
        rooms[from] = room;
    const int status = setjmp(before) == 0 ? alltoallv(MPI_INT) : MPI_ERR_TRUNCATE;
    int class = MPI_SUCCESS;
    if (status != MPI_SUCCESS)
        MPI_Error_class(status, &class);
    EXCHANGE_REQUIRE(heard == (me == one && room > 0) &&
                         class == (me == one && room > 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS),
                     "class %d, the handler has heard of %d errors", class, heard);
}

/* As many failing calls as right ones: the ranks differ in which of them they make in a handler. */
static void fail_in_stretches(void)
{
    enum { PAIRS = 1000 };
    sparse = 1;
    for (int i = 0; i < PAIRS; i++) {
        prepare();
        heard = 0;
        nests = me == 2;
        if (me == 2)
            rooms[1] = BLOCK / 2;
        const int status = alltoallv(MPI_INT);
        EXCHANGE_REQUIRE((status != MPI_SUCCESS) == (me == 2) && heard == (me == 2),
                         "pair %d: status %d, heard %d", i, status, heard);
        if (me == 2)
            continue;
        prepare();
        EXCHANGE_REQUIRE(alltoallv(MPI_INT) == MPI_SUCCESS && heard == 0, "pair %d fails", i);
        check("in a stretch", 0);
    }
    sparse = calls_within = 0;
}

/* Two of the three integers of an element come from each rank. */
static void send_partial(int uniform)
{
    MPI_Datatype type;
    MPI_Type_indexed(2, (int[]){2, 1}, (int[]){0, 3}, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, BLOCK * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    for (int p = 0; p < RANKS; p++) {
        counts[p] = 2;
        rooms[p] = 1;
    }
    int at[RANKS] = {0, 1, 2, 3};
    const int status = uniform ? MPI_Alltoall(send, 2, MPI_INT, recv, 1, type, MPI_COMM_WORLD)
                               : MPI_Alltoallv(send, counts, places, MPI_INT, recv, rooms, at, type,
                                               MPI_COMM_WORLD);
    EXCHANGE_REQUIRE(status == MPI_SUCCESS && heard == 0, "status %d", status);
    for (int p = 0; p < RANKS; p++)
        for (int i = 0; i < BLOCK; i++) {
            const int sent =
                uniform ? send[2 * me + i] - value(me, 0, 0) + value(p, 0, 0) : value(p, me, i);
            const int expected = i < 2 ? sent : UNTOUCHED;
            EXCHANGE_REQUIRE(recv[p * BLOCK + i] == expected,
                             "integer %d from rank %d is %d, not %d", i, p, recv[p * BLOCK + i],
                             expected);
        }
    MPI_Type_free(&type);
}

/* MPI_Alltoall with room for all that rank 0 sends; the others send less. */
static void send_unevenly(int others)
{
    const int count = me == 0 ? BLOCK : others;
    const int status = MPI_Alltoall(send, count, MPI_INT, recv, BLOCK, MPI_INT, MPI_COMM_WORLD);
    EXCHANGE_REQUIRE(status == MPI_SUCCESS && heard == 0, "status %d", status);
    for (int i = 0; i < BLOCK; i++)
        EXCHANGE_REQUIRE(recv[i] == value(0, me, i), "integer %d from rank 0 is %d", i, recv[i]);
}

static int send_type(MPI_Datatype type, int uniform)
{
    const int ones[RANKS] = {1, 1, 1, 1}, at[RANKS] = {0, 1, 2, 3};
    return uniform
               ? MPI_Alltoall(send, 1, type, recv, BLOCK, MPI_INT, MPI_COMM_WORLD)
               : MPI_Alltoallv(send, ones, at, type, recv, rooms, places, MPI_INT, MPI_COMM_WORLD);
}

static void commit_late(int uniform)
{
    MPI_Datatype type;
    MPI_Type_vector(2, BLOCK / 2, BLOCK / 2, MPI_INT, &type);
    if (me != 2)
        MPI_Type_commit(&type);
    int status = send_type(type, uniform);
    EXCHANGE_REQUIRE((status != MPI_SUCCESS) == (me == 2) && heard == (me == 2),
                     "status %d, heard %d", status, heard);
    if (me == 2) {
        MPI_Type_commit(&type);
        heard = 0;
        status = send_type(type, uniform);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS && heard == 0, "the second try returns %d", status);
    }
    check("the first call", 0);
    MPI_Type_free(&type);
}

static void run(const char *what)
{
    const int uniform = strstr(what, "-uniform") != NULL;
    nests = strcmp(what, "nested") == 0;
    jumps = strcmp(what, "left") == 0;
    if (strcmp(what, "stretch") == 0)
        fail_in_stretches();
    else if (strcmp(what, "short") == 0)
        be_short(2, 0, BLOCK / 2);
    else if (strcmp(what, "short-self") == 0)
        be_short(0, 0, BLOCK / 2);
    else if (nests || jumps)
        be_short(2, 1, BLOCK / 2);
    else if (strcmp(what, "no-room") == 0)
        be_short(2, 0, 0);
    else if (strncmp(what, "partial", 7) == 0)
        send_partial(uniform);
    else if (strcmp(what, "one-sends") == 0)
        send_unevenly(0);
    else if (strcmp(what, "uneven") == 0)
        send_unevenly(1);
    else if (strncmp(what, "uncommitted", 11) == 0)
        commit_late(uniform);
    else
        exchange_fail(__FILE__, __LINE__, "no such case: %s", what);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int ranks, provided;

    MPI_Init_thread(&argc, &argv,
                    getenv("CROOKED_THREADS") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXCHANGE_REQUIRE(argc == 2 && ranks == RANKS, "usage: crooked WHAT, on %d ranks", RANKS);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    prepare();
    run(argv[1]);
    nests = jumps = 0;
    for (int i = calls_within; i < LATER; i++) {
        prepare();
        heard = 0;
        const int status = alltoallv(MPI_INT);
        EXCHANGE_REQUIRE(status == MPI_SUCCESS && heard == 0, "call %d after it returns %d", i + 1,
                         status);
        check("a call after it", 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("PASS: %s, and %d calls\n", argv[1], LATER);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return 0;
}
