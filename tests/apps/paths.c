/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths: all pairs of vertices that a path connects (the transitive closure of a directed graph),
 * by the fixpoint iteration of parallel relational algebra. A plain MPI program: it knows nothing
 * of Shunt.
 *
 *     path(x, z) <- edge(x, z)
 *     path(x, z) <- path(x, y), edge(y, z)
 *
 * Semi-naive: an iteration joins only the paths that the one before found first. A path (x, y)
 * lives on the rank that owns y, where the edges (y, z) are too, so a join is local and its results
 * travel once, to the owner of z: MPI_Alltoall for the numbers of results, then MPI_Alltoallv.
 * Paths found in iteration k - 1 are those whose shortest form has k edges; the last iteration
 * finds none.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"
#include "options.h"
#include "shuffle.h"

struct worker {
    struct shuffle shuffle;
    struct list edges; /* those that start at a vertex of this rank, ascending */
    struct set paths;  /* those that end at a vertex of this rank */
    struct list fresh; /* paths that the last iteration added */
};

static void worker_make(struct worker *worker, MPI_Comm comm)
{
    *worker = (struct worker){0};
    shuffle_open(&worker->shuffle, comm, "paths");
    set_make(&worker->shuffle, &worker->paths);
}

static void worker_clear(struct worker *worker)
{
    free(worker->fresh.pairs);
    free(worker->paths.slots);
    free(worker->edges.pairs);
    shuffle_close(&worker->shuffle);
}

static void keep_path(struct worker *worker, pair_t pair)
{
    if (set_add(&worker->shuffle, &worker->paths, pair))
        list_add(&worker->shuffle, &worker->fresh, pair);
}

/* Every rank keeps what it owns of rank 0's edges. They stay ascending. */
static void share_edges(struct worker *worker, const struct graph *graph, uint64_t count)
{
    const struct shuffle *shuffle = &worker->shuffle;
    pair_t *room = shuffle_need(shuffle, calloc(SHUFFLE_PIECE, sizeof *room)), *piece;
    uint64_t done = 0;
    for (size_t some;
         (some = shuffle_share(shuffle, graph->edges, count, &done, room, &piece)) > 0;)
        for (size_t i = 0; i < some; i++) {
            if (shuffle_owner(shuffle, pair_from(piece[i])) == shuffle->rank)
                list_add(shuffle, &worker->edges, piece[i]);
            if (shuffle_owner(shuffle, pair_to(piece[i])) == shuffle->rank)
                keep_path(worker, piece[i]);
        }
    free(room);
}

/* Index of the first edge that starts at `from`, or of where it would be. */
static size_t first_edge(const struct list *edges, uint32_t from)
{
    size_t low = 0, high = edges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pair_from(edges->pairs[middle]) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Joins fresh paths with edges; the results go to the owners of their ends. */
static void join(struct worker *worker)
{
    const struct list *edges = &worker->edges;
    for (size_t i = 0; i < worker->fresh.count; i++) {
        uint32_t start = pair_from(worker->fresh.pairs[i]),
                 middle = pair_to(worker->fresh.pairs[i]);
        for (size_t e = first_edge(edges, middle);
             e < edges->count && pair_from(edges->pairs[e]) == middle; e++) {
            uint32_t end = pair_to(edges->pairs[e]);
            shuffle_emit(&worker->shuffle, shuffle_owner(&worker->shuffle, end),
                         pair_make(start, end));
        }
    }
}

/* Iterates until no rank finds a new path. Every rank gets the result. */
static struct closure find_paths(struct worker *worker)
{
    struct shuffle *shuffle = &worker->shuffle;
    struct closure closure = {0};
    while (shuffle_sum(shuffle, worker->fresh.count) > 0) {
        closure.iterations++;
        shuffle_count(shuffle);
        join(worker);
        shuffle_place(shuffle);
        join(worker);
        shuffle_exchange(shuffle);
        worker->fresh.count = 0;
        for (size_t i = 0; i < shuffle->in.count; i++)
            keep_path(worker, shuffle->in.pairs[i]);
    }
    closure.paths = shuffle_sum(shuffle, worker->paths.count);
    closure.checksum = shuffle_sum(shuffle, set_checksum(&worker->paths));
    return closure;
}

static void print_result(const char *method, const struct graph *graph,
                         const struct closure *closure)
{
    printf("method     %s\n"
           "nodes      %" PRIu64 "\n"
           "edges      %zu\n"
           "paths      %" PRIu64 "\n"
           "iterations %" PRIu64 "\n"
           "checksum   %016" PRIx64 "\n",
           method, graph->nodes, graph->count, closure->paths, closure->iterations,
           closure->checksum);
}

static struct closure find_paths_parallel(const struct graph *graph, uint64_t count)
{
    struct worker worker;
    worker_make(&worker, MPI_COMM_WORLD);
    share_edges(&worker, graph, count);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    struct closure closure = find_paths(&worker);
    double mine = MPI_Wtime() - start;
    if (worker.shuffle.rank == 0) {
        char method[32];
        snprintf(method, sizeof method, "%d ranks", worker.shuffle.size);
        print_result(method, graph, &closure);
    }
    shuffle_print_seconds(&worker.shuffle, mine);
    worker_clear(&worker);
    return closure;
}

static void print_usage(FILE *stream)
{
    fprintf(stream, "usage: mpiexec -n RANKS paths [OPTION]... GRAPH | --generate EDGES\n"
                    "  GRAPH             edge list (\"u v\" per line) or Matrix Market file "
                    "(coordinate; pattern, real or integer)\n"
                    "  --generate EDGES  a graph of about so many edges, with long ways in it; the "
                    "same for the same numbers\n"
                    "  --seed N          of the generated graph; default 1\n"
                    "  --write FILE      writes the graph as a Matrix Market file\n"
                    "  --check           compare with a serial breadth-first search; exit status 1 "
                    "when the results differ\n"
                    "  --serial          only the serial search, on rank 0\n");
}

/* Rank 0's graph, from where the options say; 0, or -1 with a message. */
static int get_graph(const struct options *options, struct graph *graph)
{
    char error[512] = "no memory for so many edges; generate fewer";
    int status = options->file ? graph_read(graph, options->file, error, sizeof error)
                               : graph_make(graph, options->generate, options->seed);
    if (status == 0 && options->write)
        status = graph_write(graph, options->write, error, sizeof error);
    if (status != 0)
        fprintf(stderr, "paths: %s\n", error);
    return status;
}

/* Rank 0's part after the parallel one. */
static int run_serial(const struct options *options, const struct graph *graph,
                      const struct closure *parallel)
{
    struct closure serial;
    double start = MPI_Wtime();
    if (graph_closure(graph, &serial) != 0) {
        fprintf(stderr, "paths: out of memory for the serial search; use a smaller graph\n");
        return 1;
    }
    if (options->serial) {
        print_result("serial", graph, &serial);
        printf("seconds    %.6f\n", MPI_Wtime() - start);
        return 0;
    }
    if (serial.paths != parallel->paths || serial.iterations != parallel->iterations ||
        serial.checksum != parallel->checksum) {
        printf("check      FAILED: serial search found %" PRIu64 " paths, %" PRIu64
               " iterations, checksum %016" PRIx64 "\n",
               serial.paths, serial.iterations, serial.checksum);
        return 1;
    }
    printf("check      ok\n");
    return 0;
}

static int run(const struct options *options, int rank)
{
    struct graph graph = {0};
    uint64_t count = UINT64_MAX; /* says to the other ranks that there is no graph */
    if (rank == 0 && get_graph(options, &graph) == 0)
        count = graph.count;
    MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (count == UINT64_MAX) {
        graph_clear(&graph);
        return 1;
    }
    struct closure closure = {0};
    if (!options->serial)
        closure = find_paths_parallel(&graph, count);
    int status = 0;
    if (rank == 0 && (options->serial || options->check))
        status = run_serial(options, &graph, &closure);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    graph_clear(&graph);
    return status;
}

int main(int argc, char **argv)
{
    int rank, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct options options = options_parse(argc, argv, 4, UINT32_MAX / 4);
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
