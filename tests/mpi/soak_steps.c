/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_steps.c: what a step is: calls of all kinds, in bursts, with others beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "exchange.h"
#include "matrix.h"
#include "pairwise.h"
#include "soak.h"

enum { MOST_FAILURES = 5, TAG = 4711 };

static void fail(struct soak_thread *thread, const struct matrix_case *c, MPI_Comm comm,
                 const char *what)
{
    char text[400];
    int world, rank, size;

    if (thread->counts.failures++ >= MOST_FAILURES)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    matrix_describe(c, text, sizeof text);
    printf("FAIL: rank %d, thread %d, step %ld, seed %llu: %s\n  rank %d of %d in %s\n", world,
           thread->number, thread->counts.steps, (unsigned long long)thread->seed, what, rank, size,
           text);
    fflush(stdout);
}

/* A call of any kind. Most are small; some are as long as messages that the library treats in
 * another way. */
static struct matrix_case any_case(struct soak_thread *thread)
{
    struct matrix_list list = {0};

    matrix_list_random(&list, 8, thread->dice, 1);
    struct matrix_case c = list.cases[0];
    free(list.cases);
    if (soak_roll(thread, 8) == 0 && matrix_shape_family(c.recv_shape) != MATRIX_PAIRS)
        c.units *= 1 + soak_roll(thread, 40);
    if (soak_roll(thread, 10) == 0)
        c.units = 0;
    return c;
}

/* Ranks come at different times: now and then, one sleeps for up to two milliseconds. */
static void come_late(struct soak_thread *thread)
{
    const int who = soak_roll(thread, 16), us = soak_roll(thread, 2000);
    int me;

    if (soak_roll(thread, 6) > 0)
        return;
    MPI_Comm_rank(thread->parent, &me);
    if (me == who)
        nanosleep(&(struct timespec){.tv_nsec = 1000L * us}, NULL);
}

static void exchange(struct soak_thread *thread, const struct matrix_case *c, MPI_Comm comm)
{
    struct matrix_call call;
    char text[MATRIX_TEXT];

    matrix_call_make(&call, c, comm);
    if (!matrix_call_check(&call, matrix_call_run(&call, comm), text, sizeof text))
        fail(thread, c, comm, text);
    matrix_call_clear(&call);
    thread->counts.compared[c->op]++;
}

/* The same call again and again, with other data; or with other counts as well. Groups of one slot
 * go on for longer than each other. */
static void burst(struct soak_thread *thread, const struct soak_slot *slot)
{
    static const int lengths[] = {1, 1, 2, 3, 5, 8, 30, 100};
    struct matrix_case c = any_case(thread);
    const int which = soak_roll(thread, 8);
    const bool other_counts = soak_roll(thread, 2) == 0;
    const int calls = lengths[which] + (int)(slot->colour % 3);

    come_late(thread);
    for (int i = 0; slot->comm != MPI_COMM_NULL && i < calls; i++) {
        if (other_counts)
            c.salt = pairwise_hash(c.salt);
        c.turn = pairwise_hash(c.turn + 1);
        exchange(thread, &c, slot->comm);
    }
}

/* Calls of both kinds and many shapes, one after the other. */
static void medley(struct soak_thread *thread, const struct soak_slot *slot)
{
    const int calls = 2 + soak_roll(thread, 12);

    for (int i = 0; i < calls; i++) {
        const struct matrix_case c = any_case(thread);

        come_late(thread);
        if (slot->comm != MPI_COMM_NULL)
            exchange(thread, &c, slot->comm);
    }
}

/* A nonblocking call, and others before it is done: on its own communicator, on another one, or
 * none; or its communicator is freed meanwhile. */
static void nonblocking(struct soak_thread *thread, struct soak_slot *slot)
{
    const struct matrix_case c = any_case(thread);
    const int meanwhile = soak_roll(thread, 4);
    struct matrix_call call;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm = slot->comm;
    int error = MPI_SUCCESS;
    char text[MATRIX_TEXT];

    if (comm != MPI_COMM_NULL) {
        matrix_call_make(&call, &c, comm);
        error = matrix_call_begin(&call, comm, &request);
    }
    if (meanwhile == 1)
        medley(thread, slot);
    else if (meanwhile == 2)
        medley(thread, &thread->slots[0]);
    else if (meanwhile == 3 && slot != &thread->slots[0])
        soak_free(thread, slot);
    if (comm == MPI_COMM_NULL)
        return;
    const int ended = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!matrix_call_check(&call, error == MPI_SUCCESS ? ended : error, text, sizeof text))
        fail(thread, &c, slot->used ? comm : thread->parent, text);
    matrix_call_clear(&call);
    thread->counts.nonblocking++;
}

/* A receive that any message would match is open while calls are made: it gets the one that the
 * program sends, and no other. Not on a communicator of one rank: there MPICH 4.0.2 itself hangs in
 * MPI_Alltoallv in place. */
static void open_receive(struct soak_thread *thread, const struct soak_slot *slot)
{
    int me = 0, size = 1, got = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;

    if (slot->comm != MPI_COMM_NULL) {
        MPI_Comm_rank(slot->comm, &me);
        MPI_Comm_size(slot->comm, &size);
    }
    if (size > 1)
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, slot->comm, &request);
    medley(thread, slot);
    if (size == 1)
        return;
    const int before = (me + size - 1) % size, mine = me + 17;
    MPI_Send(&mine, 1, MPI_INT, (me + 1) % size, TAG, slot->comm);
    MPI_Wait(&request, &status);
    EXCHANGE_REQUIRE(got == before + 17 && status.MPI_TAG == TAG && status.MPI_SOURCE == before,
                     "seed %llu, thread %d, step %ld: an open receive got %d from rank %d, tag %d",
                     (unsigned long long)thread->seed, thread->number, thread->counts.steps, got,
                     status.MPI_SOURCE, status.MPI_TAG);
    thread->counts.others++;
}

/* Other collectives between the calls. */
static void beside(struct soak_thread *thread, const struct soak_slot *slot)
{
    const int root = soak_roll(thread, 4), which = soak_roll(thread, 3);
    int me, size, value, sum = -1;

    if (slot->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(slot->comm, &me);
    MPI_Comm_size(slot->comm, &size);
    if (which == 0) {
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, slot->comm);
        EXCHANGE_REQUIRE(sum == size * (size - 1) / 2, "a sum over %d ranks is %d", size, sum);
    } else if (which == 1) {
        value = me == root % size ? 4 + root : -1;
        MPI_Bcast(&value, 1, MPI_INT, root % size, slot->comm);
        EXCHANGE_REQUIRE(value == 4 + root, "a broadcast brought %d", value);
    } else {
        MPI_Barrier(slot->comm);
    }
    thread->counts.others++;
}

/* A call of MPI_Alltoallv that the library refuses on one rank or two, and then makes on all. Slot
 * 0 is spared: what a rank has left is native for good. */
static void wrong(struct soak_thread *thread, const struct soak_slot *slot)
{
    const int first = soak_roll(thread, 64), second = soak_roll(thread, 64);
    const int zeros[64] = {0}, bad[64] = {-1};
    struct matrix_case c = any_case(thread);
    char bytes[2] = {0};
    int me, size;
    for (int i = 0; c.op != MATRIX_ALLTOALLV && i < 100; i++)
        c = any_case(thread);
    if (slot->comm == MPI_COMM_NULL || slot == &thread->slots[0] || c.op != MATRIX_ALLTOALLV)
        return;
    MPI_Comm_rank(slot->comm, &me);
    MPI_Comm_size(slot->comm, &size);
    if (me == first % size || me == second % size) {
        MPI_Errhandler handler;
        MPI_Comm_get_errhandler(slot->comm, &handler);
        MPI_Comm_set_errhandler(slot->comm, MPI_ERRORS_RETURN);
        const int status = first % 2 == 0
                               ? MPI_Alltoallv(&bytes[0], zeros, zeros, MPI_DATATYPE_NULL,
                                               &bytes[1], zeros, zeros, MPI_BYTE, slot->comm)
                               : MPI_Alltoallv(&bytes[0], bad, zeros, MPI_BYTE, &bytes[1], zeros,
                                               zeros, MPI_BYTE, slot->comm);
        EXCHANGE_REQUIRE(status != MPI_SUCCESS, "a wrong call is not refused");
        MPI_Comm_set_errhandler(slot->comm, handler);
        MPI_Errhandler_free(&handler);
    }
    exchange(thread, &c, slot->comm);
}

/* A slot that is in use; slot 0 always is. */
static struct soak_slot *any_slot(struct soak_thread *thread)
{
    struct soak_slot *slot = &thread->slots[soak_roll(thread, SOAK_SLOTS)];

    return slot->used ? slot : &thread->slots[0];
}

/* Slot 0 stays for long: what a communicator learns takes many calls. */
static void renew(struct soak_thread *thread)
{
    struct soak_slot *slot = &thread->slots[1 + soak_roll(thread, SOAK_SLOTS - 1)];

    soak_free(thread, slot);
    soak_make(thread, slot);
}

void soak_step(struct soak_thread *thread)
{
    static const char steps[] = "rrbbbbmmmmnnobw";
    const char step = steps[soak_roll(thread, (int)sizeof steps - 1)];

    thread->counts.steps++;
    if (!thread->slots[0].used || soak_roll(thread, 500) == 0) {
        soak_free(thread, &thread->slots[0]);
        soak_make(thread, &thread->slots[0]);
    }
    switch (step) {
    case 'r':
        renew(thread);
        break;
    case 'b':
        burst(thread, any_slot(thread));
        break;
    case 'm':
        medley(thread, any_slot(thread));
        beside(thread, any_slot(thread));
        break;
    case 'w':
        wrong(thread, any_slot(thread));
        break;
    case 'n':
        nonblocking(thread, any_slot(thread));
        break;
    default:
        open_receive(thread, any_slot(thread));
    }
}
