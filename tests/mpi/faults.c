/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults: what becomes of calls of which one rank's internal call has failed (inject.c does that).
 * usage: faults exchange|set-up|learning soft|hard MOST VICTIMS FIRST [NAME...]
 *
 * A trial is a communicator of its own, on which one rank has the n-th call of one function fail
 * while a fixed series of exchanges runs, with blocks of several sizes, contiguous and strided, in
 * place and not. "exchange": the failure comes after the set-up; "learning": there too, and the
 * exchanges are many of one size for each operation, so that there are trials (SHUNT_LEARN=on).
 * "soft": functions that a library
 * or a system at work may well let fail (memory, packing, datatypes); "hard": those whose failure
 * means that MPI is broken (messages, collectives), which may leave other ranks waiting. Each
 * function gets up to MOST trials per victim, spread over all its calls; the first FIRST trials are
 * left out, and with NAMEs, all other functions; Test is for those who name it.
 *
 * Each call must be right, byte for byte, or return an error, which its error handler has heard of
 * once. A trial that takes too long ends the job with its number: the caller goes on behind it.
 * "hard" ones may take three seconds, or FAULTS_HARD_S: on a busy machine watchdogs speak late.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange.h"
#include "inject.h"

/* LIMIT_PLAIN_S: where nothing fails, only the machine can be slow. */
enum { LIMIT_S = 8, LIMIT_HARD_S = 3, LIMIT_PLAIN_S = 60, GAP = -77 };

static __typeof__(inject_points) *points;
static __typeof__(inject_name) *name_of;
static __typeof__(inject_arm) *arm;
static __typeof__(inject_disarm) *disarm;
static __typeof__(inject_count) *came_by;

static const char *const hard_names[] = {"Isend",  "Irecv",      "Ialltoall",   "Iallreduce",
                                         "Ibcast", "Iallgather", "Comm_create", "Comm_split_type"};

static int me, ranks, trial, heard, hard, limit_hard, set_up, learning;
static char doing[128];

/* How a trial ended for this rank. */
struct outcome {
    int right, errors, wrong, unheard;
};

/* One exchange of the series. Elements are ints; strided ones have a gap behind each. */
struct exchange {
    int varied; /* MPI_Alltoallv */
    int count;  /* of a block; varied: at most */
    int in_place;
    int send_strided, recv_strided;
};

static const struct exchange series[] = {
    {.count = 3},
    {.count = 5, .send_strided = 1, .recv_strided = 1},
    {.count = 300, .send_strided = 1},
    {.varied = 1, .count = 20, .send_strided = 1, .recv_strided = 1},
    {.varied = 1, .count = 20, .recv_strided = 1},
    {.count = 7, .in_place = 1, .recv_strided = 1},
    {.varied = 1, .count = 11, .in_place = 1, .recv_strided = 1},
    {.varied = 1, .count = 900},
    {.varied = 1, .count = 900, .send_strided = 1},
    {.count = 300, .recv_strided = 1},
    {.count = 2},
};
enum { SERIES = sizeof series / sizeof series[0] };

/* What is learned from: so many calls of each of these. */
static const struct exchange lessons[] = {{.varied = 1, .count = 20}, {.count = 15}};
enum { LESSONS = sizeof lessons / sizeof lessons[0], CALLS = 60 };

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    heard++;
}

static void too_long(int number)
{
    (void)number;
    char text[256];
    /* The process ends here, whatever it was doing:
     * NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
    const int length = snprintf(text, sizeof text, "HANG %d: rank %d, %s\n", trial, me, doing);
    if (write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(4);
    _exit(3);
}

static int value(int from, int to, int i, int salt)
{
    return (from * 7919 + to * 104729 + i * 31 + salt * 13) & 0x7fffffff;
}

/* Of a block from one rank to another. In place both directions have one length. */
static int length(const struct exchange *e, int from, int to)
{
    if (!e->varied)
        return e->count;
    const int low = e->in_place && to < from ? to : from,
              high = e->in_place && to < from ? from : to;
    return (low * 5 + high * 3 + e->count) % 4 == 0 ? 0 : (low * 37 + high * 101) % e->count + 1;
}

static MPI_Datatype strided_type(void)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    return type;
}

/* P blocks of `count` elements, each with a gap behind it. */
static size_t ints_of(int count, int strided)
{
    return (size_t)ranks * (size_t)(count + 1) * (strided ? 2 : 1);
}

static int *blocks_of(int count, int strided)
{
    const size_t ints = ints_of(count, strided);
    int *data = exchange_need(ints * sizeof *data);
    for (size_t i = 0; i < ints; i++)
        data[i] = GAP;
    return data;
}

/* Place of an element of the block of `peer`. Blocks of an Alltoall lie side by side. */
static int *element(const struct exchange *e, int *data, int strided, int peer, int i)
{
    const int stride = strided ? 2 : 1, block = e->count + (e->varied ? 1 : 0);
    return &data[((ptrdiff_t)peer * block + i) * stride];
}

/* Writes the blocks that arrive (or leave), nothing between them. */
static void fill(const struct exchange *e, int *data, int strided, int arriving, int salt)
{
    for (int p = 0; p < ranks; p++)
        for (int i = 0; i < (arriving ? length(e, p, me) : length(e, me, p)); i++)
            *element(e, data, strided, p, i) =
                arriving ? value(p, me, i, salt) : value(me, p, i, salt);
}

static int call(const struct exchange *e, int *send, int *recv, MPI_Datatype strided, MPI_Comm comm)
{
    int counts[64], rcounts[64], places[64];
    const MPI_Datatype out = e->send_strided ? strided : MPI_INT,
                       in = e->recv_strided ? strided : MPI_INT;
    const void *from = e->in_place ? MPI_IN_PLACE : send;

    if (!e->varied)
        return MPI_Alltoall(from, e->count, out, recv, e->count, in, comm);
    for (int p = 0; p < ranks; p++) {
        counts[p] = length(e, me, p);
        rcounts[p] = length(e, p, me);
        places[p] = p * (e->count + 1);
    }
    if (e->in_place)
        return MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, recv, rcounts, places, in,
                             comm);
    return MPI_Alltoallv(from, counts, places, out, recv, rcounts, places, in, comm);
}

static void make(const struct exchange *e, MPI_Datatype strided, MPI_Comm comm, int salt,
                 struct outcome *outcome)
{
    const size_t bytes = ints_of(e->count, e->recv_strided) * sizeof(int);
    int *send = e->in_place ? NULL : blocks_of(e->count, e->send_strided);
    int *recv = blocks_of(e->count, e->recv_strided),
        *expected = blocks_of(e->count, e->recv_strided);
    fill(e, expected, e->recv_strided, 1, salt);
    fill(e, e->in_place ? recv : send, e->in_place ? e->recv_strided : e->send_strided, 0, salt);
    heard = 0;
    const int status = call(e, send, recv, strided, comm);
    if (heard != (status != MPI_SUCCESS)) {
        outcome->unheard++;
        fprintf(stderr, "HEARD %d: rank %d, exchange %d, %s: status %d, heard %d times\n", trial,
                me, salt - 100 * trial, doing, status, heard);
    }
    if (status != MPI_SUCCESS) {
        outcome->errors++;
    } else if (memcmp(recv, expected, bytes) == 0) {
        outcome->right++;
    } else {
        outcome->wrong++;
        fprintf(stderr, "WRONG %d: rank %d, exchange %d, %s\n", trial, me, salt - 100 * trial,
                doing);
    }
    free(send);
    free(recv);
    free(expected);
}

static int exchanges(void)
{
    return learning ? LESSONS * CALLS : SERIES;
}

static const struct exchange *exchange_of(int i)
{
    return learning ? &lessons[i / CALLS] : &series[i];
}

/* One communicator and the series on it. Returns what the victim counted, or whether a call failed
 * on it. */
static struct outcome run(int victim, int point, long at, long *counts, int *hit)
{
    struct outcome outcome = {0};
    MPI_Datatype strided = strided_type();
    MPI_Errhandler handler;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Barrier(MPI_COMM_WORLD);
    alarm((unsigned)(point < 0 ? LIMIT_PLAIN_S : hard ? limit_hard : LIMIT_S));
    if (!set_up)
        MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm); /* nothing but the set-up */
    if (me == victim)
        arm(point, at);
    for (int i = 0; i < exchanges(); i++)
        make(exchange_of(i), strided, comm, 100 * trial + i, &outcome);
    if (me == victim) {
        *hit = disarm();
        for (int p = 0; counts && p < points(); p++)
            counts[p] = came_by(p);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(0);
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
    MPI_Type_free(&strided);
    return outcome;
}

static int is_hard(const char *name)
{
    for (size_t i = 0; i < sizeof hard_names / sizeof hard_names[0]; i++)
        if (strcmp(name, hard_names[i]) == 0)
            return 1;
    return 0;
}

static int chosen(const char *name, char **list)
{
    if (!*list)
        return is_hard(name) == hard && strcmp(name, "Test") != 0;
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return 1;
    return 0;
}

/* Sums over ranks and trials. */
struct totals {
    long trials, hits, calls_failed, wrong, unheard, spoilt;
};

static void sum_up(struct totals *all, struct outcome mine, int hit)
{
    int sums[5] = {mine.errors, mine.wrong, mine.unheard, hit, 0};
    sums[4] = mine.errors > 0;
    MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    all->trials++;
    all->calls_failed += sums[0];
    all->wrong += sums[1];
    all->unheard += sums[2];
    all->hits += sums[3] > 0;
    all->spoilt += sums[4] > 0;
}

static void sweep(int victim, int most, int first, char **list, struct totals *all)
{
    long counts[64] = {0};
    int hit = 0;

    snprintf(doing, sizeof doing, "nothing fails");
    run(victim, -1, 0, NULL, &hit); /* what is remembered about types is remembered now */
    const struct outcome plain = run(victim, -1, 0, counts, &hit);
    EXCHANGE_REQUIRE(plain.right == exchanges(), "without a failure %d of %d exchanges were right",
                     plain.right, exchanges());
    MPI_Bcast(counts, 64, MPI_LONG, victim, MPI_COMM_WORLD);
    for (int p = 0; p < points(); p++) {
        const long tries = counts[p] < most ? counts[p] : most;
        for (long i = 0; chosen(name_of(p), list) && i < tries; i++) {
            const long at = tries == 1 ? 1 : 1 + i * (counts[p] - 1) / (tries - 1);
            if (trial++ < first)
                continue;
            snprintf(doing, sizeof doing, "%s %ld of %ld on rank %d", name_of(p), at, counts[p],
                     victim);
            hit = 0;
            const struct outcome outcome = run(victim, p, at, NULL, &hit);
            sum_up(all, outcome, hit);
        }
    }
}

int main(int argc, char **argv)
{
    struct totals all = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(
        MPI_COMM_WORLD,
        MPI_ERRORS_RETURN); /* where MPICH raises the errors of datatypes and of requests */
    *(void **)&points = dlsym(RTLD_DEFAULT, "inject_points");
    *(void **)&name_of = dlsym(RTLD_DEFAULT, "inject_name");
    *(void **)&arm = dlsym(RTLD_DEFAULT, "inject_arm");
    *(void **)&disarm = dlsym(RTLD_DEFAULT, "inject_disarm");
    *(void **)&came_by = dlsym(RTLD_DEFAULT, "inject_count");
    EXCHANGE_REQUIRE(
        argc >= 6 && points && name_of && arm && disarm && came_by && points() > 0 &&
            points() <= 64 && ranks <= 64,
        "usage: faults exchange|set-up|learning soft|hard MOST VICTIMS FIRST [NAME...], with "
        "inject.so and libshunt.so preloaded");
    set_up = strcmp(argv[1], "set-up") == 0;
    learning = strcmp(argv[1], "learning") == 0;
    hard = strcmp(argv[2], "hard") == 0;
    const char *longer = getenv("FAULTS_HARD_S");
    limit_hard = longer ? atoi(longer) : LIMIT_HARD_S;
    signal(SIGALRM, too_long);
    exchange_alltoall(MPI_COMM_WORLD, 1, 0); /* what is done once per process is done */
    exchange_alltoallv(MPI_COMM_WORLD, 1, 0);
    char *end = argv[4];
    do { /* VICTIMS: numbers with commas between */
        const long victim = strtol(end, &end, 10);
        if (victim < ranks)
            sweep((int)victim, atoi(argv[3]), atoi(argv[5]), argv + 6, &all);
    } while (*end++ == ',');
    if (me == 0)
        printf("%s: %ld trials, %ld calls struck, %ld of them led to errors (%ld on all ranks); "
               "%ld wrong results, %ld errors not heard "
               "once\n",
               all.wrong || all.unheard ? "FAIL" : "PASS", all.trials, all.hits, all.spoilt,
               all.calls_failed, all.wrong, all.unheard);
    MPI_Finalize();
    return all.wrong || all.unheard ? 1 : 0;
}
