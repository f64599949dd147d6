/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * freed: what one rank frees between calls and within them is no business of the others.
 * usage: freed stretch COUNT   rank 0 alone frees COUNT copies of MPI_COMM_SELF while calls of
 *                              MPI_COMM_WORLD send nothing, one after each; then these send
 *                              something
 *        freed handler CALL    in that call one rank's blocks do not fit, and its error handler
 *                              frees a copy of MPI_COMM_SELF
 *        freed many CALL       the same with COPIES of them
 *        freed late CALL       in that call of a copy of MPI_COMM_WORLD the last rank gets more
 * than fits, and its error handler frees the copy before the first rank has come to the call; the
 * next copies have the same members
 *        freed callback CALLS  a delete callback, older than a communicator's first call, makes so
 *                              many while that is being freed; not all ranks use its handle
 *                              again
 *        freed stale CALLS     a handle is freed once more, after so many calls: one error, once
 *        freed refused CALLS   after so many calls one rank's blocks do not fit, and its error
 *                              handler frees the communicator; stubborn.so refuses that, to the
 *                              others as well, and all use it on
 *        freed on CALLS        the same, and the handler makes the next call after that
 *        freed within CALLS    likewise, and its error handler makes the next call
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RANKS = 64,
    COPIES = 200,
    BEFORE = 330,
    EMPTY = 1200,
    CALLS = 500,
    CULPRIT = 1,
    TO_COME = 300,
    LONG_LIFE = 300
};

static int rank, ranks, wrong;
static MPI_Comm copies[COPIES];

static void copy_self(int count, int calls)
{
    for (int i = 0; i < count; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &copies[i]);
        for (int call = 0; call < calls; call++) {
            char byte = 1, back = 0;
            MPI_Alltoall(&byte, 1, MPI_CHAR, &back, 1, MPI_CHAR, copies[i]);
            wrong |= back != byte;
        }
    }
}

static void nothing(void)
{
    const int zeros[RANKS] = {0};
    char bytes[2] = {0};
    MPI_Alltoallv(bytes, zeros, zeros, MPI_BYTE, bytes + 1, zeros, zeros, MPI_BYTE, MPI_COMM_WORLD);
}

/* small: what the first rank sends does not fit here. */
static void something(MPI_Comm comm, int call, bool small)
{
    enum { EACH = 3 };
    int send[EACH * RANKS], recv[EACH * RANKS], counts[RANKS], fits[RANKS] = {0}, places[RANKS];
    for (int p = 0; p < ranks; p++) {
        counts[p] = fits[p] = EACH;
        places[p] = EACH * p;
        for (int i = 0; i < EACH; i++)
            send[EACH * p + i] = (call * RANKS + rank) * RANKS + p + i;
    }
    fits[0] -= small;
    memset(recv, -1, sizeof recv);
    const int status =
        MPI_Alltoallv(send, counts, places, MPI_INT, recv, fits, places, MPI_INT, comm);
    wrong |= small == (status == MPI_SUCCESS);
    for (int p = 0; p < ranks && !small; p++)
        for (int i = 0; i < EACH; i++)
            wrong |= recv[EACH * p + i] != (call * RANKS + p) * RANKS + rank + i;
}

static void in_a_stretch(int count)
{
    copy_self(count, 1);
    for (int call = 0; call < EMPTY; call++) {
        nothing();
        if (rank == 0 && call >= BEFORE && call < BEFORE + count)
            MPI_Comm_free(&copies[call - BEFORE]);
    }
    for (int call = 0; call < CALLS; call++)
        something(MPI_COMM_WORLD, call, false);
    for (int i = 0; i < count && rank != 0; i++)
        MPI_Comm_free(&copies[i]);
}

static void free_copies(void)
{
    for (int i = 0; i < COPIES; i++)
        if (copies[i] != MPI_COMM_NULL)
            MPI_Comm_free(&copies[i]);
}

static void free_them(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    free_copies();
}

/* calls: on each of the copies. */
static void in_a_handler(int which, int count, int calls)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    for (int i = 0; i < COPIES; i++)
        copies[i] = MPI_COMM_NULL;
    copy_self(count, calls);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(free_them, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    for (int call = 0; call < which + TO_COME; call++)
        something(comm, call, call == which && rank == CULPRIT);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    free_copies();
}

static void free_itself(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    copies[0] = *comm;
    MPI_Comm_free(&copies[0]);
}

/* The first rank neither sends to the last one nor gets anything from it. */
static bool too_much(MPI_Comm comm)
{
    enum { BYTES = 64, LATE_US = 200000 };
    char send[BYTES] = {0}, recv[BYTES];
    int sends[RANKS] = {0}, receives[RANKS] = {0}, places[RANKS] = {0};
    if (rank == CULPRIT)
        sends[ranks - 1] = BYTES;
    if (rank == ranks - 1)
        receives[CULPRIT] = 1;
    if (rank == 0)
        usleep(LATE_US);
    return MPI_Alltoallv(send, sends, places, MPI_BYTE, recv, receives, places, MPI_BYTE, comm) ==
           MPI_SUCCESS;
}

static void before_the_first_comes(int which)
{
    enum { NEXT = 3, LONG = 400, ENOUGH = 3000 };
    MPI_Errhandler handler;
    MPI_Comm comm;
    for (int call = 0; call < ENOUGH; call++) /* of its processes more is known then */
        something(MPI_COMM_WORLD, call, false);
    MPI_Comm_create_errhandler(free_itself, &handler);
    for (int copy = 0; copy < NEXT; copy++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, handler);
        for (int call = 0; call < which; call++)
            something(comm, call, false);
        if (too_much(comm))
            MPI_Comm_free(&comm);
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int call = 0; call < LONG; call++)
        something(comm, call, false);
    MPI_Comm_free(&comm);
}

static int last_calls(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key;
    (void)value;
    for (int call = 0; call < *(int *)extra; call++)
        something(comm, call, false);
    return MPI_SUCCESS;
}

static void in_a_callback(int calls)
{
    enum { ROUNDS = 24, DIFFERENT = 5, LONG = 400 };
    int (*const ways[])(MPI_Comm *) = {MPI_Comm_free, MPI_Comm_disconnect, PMPI_Comm_free,
                                       PMPI_Comm_disconnect};
    int key;
    MPI_Comm comm;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_calls, &key, &calls);
    for (int call = 0; call < LONG; call++) /* of its processes more is known then */
        something(MPI_COMM_WORLD, call, false);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_attr(comm, key, NULL);
        for (int call = 0; call < round % DIFFERENT; call++)
            something(comm, call, false);
        ways[round % (int)(sizeof ways / sizeof ways[0])](&comm);
        if (rank == CULPRIT)
            MPI_Comm_dup(MPI_COMM_SELF, &copies[round]);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int call = 0; call < LONG; call++)
        something(comm, call, false);
    MPI_Comm_free(&comm);
    for (int round = 0; round < ROUNDS && rank == CULPRIT; round++)
        MPI_Comm_free(&copies[round]);
    MPI_Comm_free_keyval(&key);
}

static bool goes_on;
static int within_call;

static void refuse_itself(MPI_Comm *comm, int *code, ...)
{
    MPI_Comm copy = *comm;
    (void)code;
    wrong |= MPI_Comm_free(&copy) == MPI_SUCCESS;
    if (goes_on)
        something(*comm, within_call + 1, false);
}

/* A copy on which, after so many calls, one rank's blocks do not fit. */
static MPI_Comm misfit(MPI_Comm_errhandler_function *function, int which)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    for (int call = 0; call < which; call++)
        something(comm, call, false);
    something(comm, which, rank == CULPRIT);
    return comm;
}

static void in_vain(int which)
{
    within_call = which;
    MPI_Comm comm = misfit(refuse_itself, which), copy = comm;
    if (rank != CULPRIT)
        wrong |= MPI_Comm_free(&copy) == MPI_SUCCESS;
    if (rank != CULPRIT && goes_on)
        something(comm, which + 1, false);
    for (int call = 0; call < TO_COME; call++)
        something(comm, call, false);
    MPI_Comm_set_name(comm, "again");
    MPI_Comm_free(&comm);
}

static void go_on(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    something(*comm, within_call + 1, false);
}

static void within_a_handler(int which)
{
    within_call = which;
    MPI_Comm comm = misfit(go_on, which);
    if (rank != CULPRIT)
        something(comm, which + 1, false);
    for (int call = 0; call < TO_COME; call++)
        something(comm, call, false);
    MPI_Comm_free(&comm);
}

static int raised;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    raised++;
}

static void once_more(int calls)
{
    MPI_Errhandler handler;
    MPI_Comm comm, stale;
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    stale = comm;
    for (int call = 0; call < calls; call++)
        something(comm, call, false);
    MPI_Comm_free(&comm);
    wrong |= raised != 0;
    wrong |= MPI_Comm_free(&stale) == MPI_SUCCESS;
    wrong |= raised != 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int number = argc == 3 ? atoi(argv[2]) : -1;
    if (number < 0 || number > COPIES || ranks > RANKS) {
        fputs("usage: freed stretch|handler|many|late|callback|stale|refused|on|within NUMBER\n",
              stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    goes_on = strcmp(argv[1], "on") == 0;
    if (strcmp(argv[1], "stretch") == 0)
        in_a_stretch(number);
    else if (strcmp(argv[1], "late") == 0)
        before_the_first_comes(number);
    else if (strcmp(argv[1], "callback") == 0)
        in_a_callback(number);
    else if (goes_on || strcmp(argv[1], "refused") == 0)
        in_vain(number);
    else if (strcmp(argv[1], "within") == 0)
        within_a_handler(number);
    else if (strcmp(argv[1], "stale") == 0)
        once_more(number);
    else if (strcmp(argv[1], "many") == 0)
        in_a_handler(number, COPIES, LONG_LIFE);
    else
        in_a_handler(number, 1, 1);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_LOR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "FAIL" : "PASS");
    MPI_Finalize();
    return all != 0;
}
