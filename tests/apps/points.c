/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points: what the pointers of a program may point to, by Andersen's analysis (inclusion-based,
 * neither flow- nor context-sensitive), as the fixpoint of a distributed relation. A plain MPI
 * program: it knows nothing of Shunt.
 *
 *     points(p, x) <- p = &x
 *     edge(q, p)   <- p = q
 *     edge(x, p)   <- p = *q, points(q, x)
 *     edge(q, x)   <- *p = q, points(p, x)
 *     points(p, x) <- edge(q, p), points(q, x)
 *
 * Every rule joins by one variable: q, or p where *p is stored to. Facts live on the rank that owns
 * it by a hash, so a join is local and its results travel once, to where they will be joined.
 * Semi-naive: an iteration joins what the one before found first; it ends when no rank found
 * anything.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"
#include "options.h"
#include "shuffle.h"

/* Pairs in chains by their first number, the newest first. Number 0 ends a chain. */
struct chains {
    struct list pairs; /* in order of time; [0] is not one */
    uint32_t *older;   /* of the pair with this number: the next of its chain */
    uint32_t *newest;  /* slots: open addressing by the first numbers of the pairs */
    size_t slots, used, room;
};

struct worker {
    struct shuffle shuffle;
    struct set known;                           /* points and edges of this rank */
    struct chains points, edges, loads, stores; /* loads as (q, p) */
    size_t old_points, old_edges; /* numbers below these were joined in iterations before */
};

/* Where the chain of `first` begins, or will. */
static uint32_t *chain(const struct chains *chains, uint32_t first)
{
    size_t at = hash64(first) & (chains->slots - 1);
    while (chains->newest[at] && pair_from(chains->pairs.pairs[chains->newest[at]]) != first)
        at = (at + 1) & (chains->slots - 1);
    return &chains->newest[at];
}

static void chains_grow_slots(const struct shuffle *shuffle, struct chains *chains)
{
    uint32_t *old = chains->newest;
    size_t slots = chains->slots;
    chains->slots = slots ? 2 * slots : 1024;
    chains->newest = shuffle_need(shuffle, calloc(chains->slots, sizeof *chains->newest));
    for (size_t i = 0; i < slots; i++)
        if (old[i])
            *chain(chains, pair_from(chains->pairs.pairs[old[i]])) = old[i];
    free(old);
}

static void chains_add(const struct shuffle *shuffle, struct chains *chains, pair_t pair)
{
    if (2 * chains->used >= chains->slots)
        chains_grow_slots(shuffle, chains);
    if (chains->pairs.count == 0)
        list_add(shuffle, &chains->pairs, 0);
    if (chains->pairs.count >= UINT32_MAX)
        shuffle_die(shuffle, "more than %" PRIu32 " facts; use more ranks", UINT32_MAX - 1);
    uint32_t number = (uint32_t)chains->pairs.count;
    list_add(shuffle, &chains->pairs, pair);
    if (chains->room < chains->pairs.capacity) {
        chains->room = chains->pairs.capacity;
        chains->older =
            shuffle_need(shuffle, realloc(chains->older, chains->room * sizeof *chains->older));
    }
    uint32_t *newest = chain(chains, pair_from(pair));
    chains->used += *newest == 0;
    chains->older[number] = *newest;
    *newest = number;
}

/* The newest number in the chain of `first`; 0: it is empty. */
static uint32_t chain_begin(const struct chains *chains, uint32_t first)
{
    return chains->slots > 0 ? *chain(chains, first) : 0;
}

static void chains_free(struct chains *chains)
{
    free(chains->pairs.pairs);
    free(chains->older);
    free(chains->newest);
}

/* A fact that may be new to its owner. */
static void keep(struct worker *worker, pair_t fact)
{
    if (set_add(&worker->shuffle, &worker->known, fact))
        chains_add(&worker->shuffle, fact & FACT_EDGE ? &worker->edges : &worker->points,
                   fact & ~FACT_EDGE);
}

static void emit_point(struct worker *worker, uint32_t p, uint32_t x)
{
    shuffle_emit(&worker->shuffle, shuffle_owner(&worker->shuffle, p), pair_make(p, x));
}

static void emit_edge(struct worker *worker, uint32_t from, uint32_t to)
{
    shuffle_emit(&worker->shuffle, shuffle_owner(&worker->shuffle, from),
                 pair_make(from, to) | FACT_EDGE);
}

static void join_point(struct worker *worker, uint32_t q, uint32_t x)
{
    const struct chains *edges = &worker->edges, *loads = &worker->loads, *stores = &worker->stores;
    for (uint32_t i = chain_begin(edges, q); i; i = edges->older[i])
        emit_point(worker, pair_to(edges->pairs.pairs[i]), x);
    for (uint32_t i = chain_begin(loads, q); i; i = loads->older[i])
        emit_edge(worker, x, pair_to(loads->pairs.pairs[i]));
    for (uint32_t i = chain_begin(stores, q); i; i = stores->older[i])
        emit_edge(worker, pair_to(stores->pairs.pairs[i]), x);
}

/* With points that are not new: new ones are joined with all edges. */
static void join_edge(struct worker *worker, uint32_t from, uint32_t to)
{
    const struct chains *points = &worker->points;
    for (uint32_t i = chain_begin(points, from); i; i = points->older[i])
        if (i < worker->old_points)
            emit_point(worker, to, pair_to(points->pairs.pairs[i]));
}

static void join(struct worker *worker)
{
    const struct list *points = &worker->points.pairs, *edges = &worker->edges.pairs;
    for (size_t i = worker->old_points; i < points->count; i++)
        join_point(worker, pair_from(points->pairs[i]), pair_to(points->pairs[i]));
    for (size_t i = worker->old_edges; i < edges->count; i++)
        join_edge(worker, pair_from(edges->pairs[i]), pair_to(edges->pairs[i]));
}

/* Iterates until nothing is new anywhere; returns the number of iterations. */
static uint64_t analyse(struct worker *worker)
{
    struct shuffle *shuffle = &worker->shuffle;
    uint64_t iterations = 0;
    worker->old_points = worker->old_edges = 1;
    for (;;) {
        const struct list *points = &worker->points.pairs, *edges = &worker->edges.pairs;
        size_t fresh = (points->count ? points->count - worker->old_points : 0) +
                       (edges->count ? edges->count - worker->old_edges : 0);
        if (shuffle_sum(shuffle, fresh) == 0)
            return iterations;
        iterations++;
        shuffle_count(shuffle);
        join(worker);
        shuffle_place(shuffle);
        join(worker);
        shuffle_exchange(shuffle);
        worker->old_points = points->count ? points->count : 1;
        worker->old_edges = edges->count ? edges->count : 1;
        for (size_t i = 0; i < shuffle->in.count; i++)
            keep(worker, shuffle->in.pairs[i]);
    }
}

/* A statement (p, q) of rank 0's program: its owner keeps it. */
static void keep_fact(struct worker *worker, int kind, pair_t fact)
{
    const struct shuffle *shuffle = &worker->shuffle;
    uint32_t p = pair_from(fact), q = pair_to(fact);
    bool by_q = kind == FACT_COPY || kind == FACT_LOAD;
    if (shuffle_owner(shuffle, by_q ? q : p) != shuffle->rank)
        return;
    if (kind == FACT_ADDRESS)
        keep(worker, fact);
    else if (kind == FACT_COPY)
        keep(worker, pair_make(q, p) | FACT_EDGE);
    else
        chains_add(shuffle, kind == FACT_LOAD ? &worker->loads : &worker->stores,
                   kind == FACT_LOAD ? pair_make(q, p) : fact);
}

static void share_facts(struct worker *worker, const struct facts *facts, const uint64_t *counts)
{
    const struct shuffle *shuffle = &worker->shuffle;
    pair_t *room = shuffle_need(shuffle, calloc(SHUFFLE_PIECE, sizeof *room)), *piece;
    for (int kind = 0; kind < FACT_KINDS; kind++) {
        uint64_t done = 0;
        for (size_t some; (some = shuffle_share(shuffle, facts->of[kind].pairs, counts[kind], &done,
                                                room, &piece)) > 0;)
            for (size_t i = 0; i < some; i++)
                keep_fact(worker, kind, piece[i]);
    }
    free(room);
}

static void worker_clear(struct worker *worker)
{
    chains_free(&worker->points);
    chains_free(&worker->edges);
    chains_free(&worker->loads);
    chains_free(&worker->stores);
    free(worker->known.slots);
    shuffle_close(&worker->shuffle);
}

static void print_answer(const char *method, const struct facts *facts, const struct answer *answer)
{
    size_t statements = 0;
    for (int kind = 0; kind < FACT_KINDS; kind++)
        statements += facts->of[kind].count;
    printf("method     %s\n"
           "variables  %" PRIu64 "\n"
           "statements %zu\n"
           "points     %" PRIu64 "\n"
           "edges      %" PRIu64 "\n"
           "checksum   %016" PRIx64 "\n",
           method, facts->variables, statements, answer->points, answer->edges, answer->checksum);
}

/* What all ranks together say of their points and edges. */
static struct answer sum_up(const struct worker *worker)
{
    const struct list *points = &worker->points.pairs, *edges = &worker->edges.pairs;
    return (struct answer){
        .points = shuffle_sum(&worker->shuffle, points->count ? points->count - 1 : 0),
        .edges = shuffle_sum(&worker->shuffle, edges->count ? edges->count - 1 : 0),
        .checksum = shuffle_sum(&worker->shuffle, set_checksum(&worker->known)),
    };
}

static struct answer analyse_parallel(const struct facts *facts, const uint64_t *counts)
{
    struct worker worker = {0};
    shuffle_open(&worker.shuffle, MPI_COMM_WORLD, "points");
    set_make(&worker.shuffle, &worker.known);
    share_facts(&worker, facts, counts);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    uint64_t iterations = analyse(&worker);
    struct answer answer = sum_up(&worker);
    double mine = MPI_Wtime() - start;
    if (worker.shuffle.rank == 0) {
        char method[32];
        snprintf(method, sizeof method, "%d ranks", worker.shuffle.size);
        print_answer(method, facts, &answer);
        printf("iterations %" PRIu64 "\n", iterations);
    }
    shuffle_print_seconds(&worker.shuffle, mine);
    worker_clear(&worker);
    return answer;
}

static void print_usage(FILE *stream)
{
    fprintf(
        stream,
        "usage: mpiexec -n RANKS points [OPTION]... FACTS | --generate FUNCTIONS\n"
        "  FACTS                 a statement per line: \"address p x\" (p = &x), \"copy p q\" "
        "(p = q),\n"
        "                        \"load p q\" (p = *q), \"store p q\" (*p = q), with numbers\n"
        "  --generate FUNCTIONS  the facts of a program of so many functions; the same for the "
        "same numbers\n"
        "  --seed N              of the generated program; default 1\n"
        "  --write FILE          writes the facts\n"
        "  --check               compare with a serial analysis; exit status 1 when the results "
        "differ\n"
        "  --serial              only the serial analysis, on rank 0\n");
}

/* Rank 0's facts, from where the options say; 0, or -1 with a message. */
static int get_facts(const struct options *options, struct facts *facts)
{
    char error[512] = "no memory for so many facts; generate fewer functions";
    int status = options->file ? facts_read(facts, options->file, error, sizeof error)
                               : facts_make(facts, options->generate, options->seed);
    if (status == 0 && options->write)
        status = facts_write(facts, options->write, error, sizeof error);
    if (status != 0)
        fprintf(stderr, "points: %s\n", error);
    return status;
}

/* Rank 0's part after the parallel one. */
static int run_serial(const struct options *options, const struct facts *facts,
                      const struct answer *parallel)
{
    struct answer serial;
    double start = MPI_Wtime();
    if (facts_solve(facts, &serial) != 0) {
        fprintf(stderr, "points: out of memory for the serial analysis; use fewer facts\n");
        return 1;
    }
    if (options->serial) {
        print_answer("serial", facts, &serial);
        printf("seconds    %.6f\n", MPI_Wtime() - start);
        return 0;
    }
    if (serial.points != parallel->points || serial.edges != parallel->edges ||
        serial.checksum != parallel->checksum) {
        printf("check      FAILED: the serial analysis found %" PRIu64 " points, %" PRIu64
               " edges, checksum %016" PRIx64 "\n",
               serial.points, serial.edges, serial.checksum);
        return 1;
    }
    printf("check      ok\n");
    return 0;
}

static int run(const struct options *options, int rank)
{
    struct facts facts = {0};
    uint64_t counts[FACT_KINDS + 1] = {0}; /* the last one says whether there are facts */
    if (rank == 0 && get_facts(options, &facts) == 0) {
        for (int kind = 0; kind < FACT_KINDS; kind++)
            counts[kind] = facts.of[kind].count;
        counts[FACT_KINDS] = 1;
    }
    MPI_Bcast(counts, FACT_KINDS + 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int status = counts[FACT_KINDS] ? 0 : 1;
    struct answer answer = {0};
    if (status == 0 && !options->serial)
        answer = analyse_parallel(&facts, counts);
    if (status == 0 && rank == 0 && (options->serial || options->check))
        status = run_serial(options, &facts, &answer);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    facts_clear(&facts);
    return status;
}

int main(int argc, char **argv)
{
    int rank, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct options options = options_parse(argc, argv, 1, VARIABLE_MAX / 64);
    if (options.help || options.wrong) {
        if (rank == 0)
            print_usage(options.help ? stdout : stderr);
        status = options.help ? 0 : 2;
    } else {
        status = run(&options, rank);
    }
    MPI_Finalize();
    return status;
}
