/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI_Alltoallv in which most ranks have little to send, or nothing: every byte that
 * arrives is checked, and that nothing is written beside it.
 *
 * sparse PATTERN CALLS [world | communicators | threads | rejected]
 *   empty      nothing at all
 *   one        rank 0 sends to all others
 *   ring       each rank sends to the next
 *   dense      every block is full
 *   alternate  empty and dense calls in turn
 *   phases     some hundred calls of each in turn, of changing length
 * communicators: several at once, each with a pattern of its own. threads: two, each with a
 * communicator of its own. rejected: now and then a rank makes a call that the library rejects, and
 * then the right one.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { BLOCK = 24, EMPTY = 0, ONE, RING, DENSE, ALTERNATE, PHASES, PATTERNS };

static const char *const names[PATTERNS] = {"empty", "one", "ring", "dense", "alternate", "phases"};

struct run {
    MPI_Comm comm;
    int pattern, calls, rank, ranks;
    int reject; /* every so many calls; 0: never */
    int *send_counts, *receive_counts, *displs;
    unsigned char *out, *in;
};

static unsigned hash(unsigned a, unsigned b)
{
    unsigned h = a * 2654435761u ^ (b + 0x9e3779b9u) * 2246822519u;
    h ^= h >> 15;
    return h * 3266489917u ^ h >> 13;
}

static int simple_pattern(int pattern, int call)
{
    if (pattern == ALTERNATE)
        return call % 2 == 0 ? EMPTY : DENSE;
    if (pattern == PHASES)
        return (int)(hash((unsigned)call / 150, 1) % 4);
    return pattern;
}

static int count_of(const struct run *run, int call, int from, int to)
{
    switch (simple_pattern(run->pattern, call)) {
    case ONE:
        return from == 0 ? BLOCK : 0;
    case RING:
        return to == (from + 1) % run->ranks ? 1 + call % BLOCK : 0;
    case DENSE:
        return 1 + (int)(hash((unsigned)from, (unsigned)to) % BLOCK);
    default:
        return 0;
    }
}

static unsigned char byte_of(int call, int from, int to, int at)
{
    return (unsigned char)hash(hash((unsigned)call, (unsigned)from),
                               hash((unsigned)to, (unsigned)at));
}

static void open_run(struct run *run, MPI_Comm comm, int pattern, int calls)
{
    *run = (struct run){.comm = comm, .pattern = pattern, .calls = calls};
    MPI_Comm_rank(comm, &run->rank);
    MPI_Comm_size(comm, &run->ranks);
    const size_t ranks = (size_t)run->ranks;
    run->send_counts = calloc(ranks, sizeof *run->send_counts);
    run->receive_counts = calloc(ranks, sizeof *run->receive_counts);
    run->displs = calloc(ranks, sizeof *run->displs);
    run->out = calloc(ranks, BLOCK);
    run->in = calloc(ranks, BLOCK);
    EXCHANGE_REQUIRE(run->send_counts && run->receive_counts && run->displs && run->out && run->in,
                     "no memory");
    for (int p = 0; p < run->ranks; p++)
        run->displs[p] = p * BLOCK;
}

static void close_run(struct run *run)
{
    free(run->send_counts);
    free(run->receive_counts);
    free(run->displs);
    free(run->out);
    free(run->in);
}

static void fill(const struct run *run, int call)
{
    memset(run->in, 0xee, (size_t)run->ranks * BLOCK);
    for (int p = 0; p < run->ranks; p++) {
        run->send_counts[p] = count_of(run, call, run->rank, p);
        run->receive_counts[p] = count_of(run, call, p, run->rank);
        for (int i = 0; i < run->send_counts[p]; i++)
            run->out[p * BLOCK + i] = byte_of(call, run->rank, p, i);
    }
}

static void check(const struct run *run, int call)
{
    for (int p = 0; p < run->ranks; p++) {
        for (int i = 0; i < BLOCK; i++) {
            const unsigned char wanted =
                i < run->receive_counts[p] ? byte_of(call, p, run->rank, i) : 0xee;
            EXCHANGE_REQUIRE(run->in[p * BLOCK + i] == wanted,
                             "call %d, %s: byte %d of the block from rank %d to rank %d is wrong",
                             call, names[run->pattern], i, p, run->rank);
        }
    }
}

static int exchange_once(struct run *run)
{
    return MPI_Alltoallv(run->out, run->send_counts, run->displs, MPI_BYTE, run->in,
                         run->receive_counts, run->displs, MPI_BYTE, run->comm);
}

/* A count that no library takes, on one rank; the others wait for the right call, or go on. */
static void be_rejected(struct run *run)
{
    const int count = run->send_counts[0];
    run->send_counts[0] = -1;
    EXCHANGE_REQUIRE(exchange_once(run) != MPI_SUCCESS, "a negative count is taken");
    run->send_counts[0] = count;
}

static void one_call(struct run *run, int call)
{
    fill(run, call);
    if (run->reject > 0 && call % run->reject == run->reject / 2 &&
        run->rank == call / run->reject % run->ranks)
        be_rejected(run);
    EXCHANGE_REQUIRE(exchange_once(run) == MPI_SUCCESS, "call %d fails", call);
    check(run, call);
}

static void *go(void *argument)
{
    struct run *run = argument;
    for (int call = 0; call < run->calls; call++)
        one_call(run, call);
    return NULL;
}

/* Two threads, whose communicators have patterns of their own. */
static void in_threads(int pattern, int calls)
{
    struct run runs[2];
    MPI_Comm comms[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        open_run(&runs[i], comms[i], (pattern + i) % PATTERNS, calls);
    }
    for (int i = 0; i < 2; i++)
        EXCHANGE_REQUIRE(pthread_create(&threads[i], NULL, go, &runs[i]) == 0, "no thread");
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        close_run(&runs[i]);
        MPI_Comm_free(&comms[i]);
    }
}

/* Three communicators of which one has its ranks in reverse, call by call. */
static void on_communicators(int pattern, int calls)
{
    enum { COUNT = 3 };
    struct run runs[COUNT];
    MPI_Comm comms[COUNT];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
    for (int i = 0; i < COUNT; i++)
        open_run(&runs[i], comms[i], (pattern + i) % PATTERNS, calls);
    for (int call = 0; call < calls; call++)
        for (int i = 0; i < COUNT; i++)
            one_call(&runs[i], call);
    for (int i = 0; i < COUNT; i++) {
        close_run(&runs[i]);
        MPI_Comm_free(&comms[i]);
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 3 ? argv[3] : "world";
    int pattern = 0, provided, rank;
    EXCHANGE_REQUIRE(argc > 2, "sparse PATTERN CALLS [KIND]");
    while (pattern < PATTERNS && strcmp(names[pattern], argv[1]) != 0)
        pattern++;
    EXCHANGE_REQUIRE(pattern < PATTERNS, "%s is no pattern", argv[1]);
    const int calls = atoi(argv[2]);
    MPI_Init_thread(&argc, &argv,
                    strcmp(kind, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(kind, "threads") == 0) {
        in_threads(pattern, calls);
    } else if (strcmp(kind, "communicators") == 0) {
        on_communicators(pattern, calls);
    } else {
        struct run run;
        open_run(&run, MPI_COMM_WORLD, pattern, calls);
        run.reject = strcmp(kind, "rejected") == 0 ? 17 : 0;
        if (run.reject > 0)
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        go(&run);
        close_run(&run);
    }
    if (rank == 0)
        puts("PASS");
    MPI_Finalize();
    return 0;
}
