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
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define EMPTY UINT64_MAX

/* A set of pairs: open addressing, linear probing, at most 5/8 full. */
struct set {
    pair_t *slots; /* EMPTY where nothing is */
    size_t mask;   /* slots - 1; their number is a power of two */
    size_t count;
};

/* A list of pairs that grows and is used again. */
struct list {
    pair_t *pairs;
    size_t count, capacity;
};

struct worker {
    MPI_Comm comm;
    int rank, size;
    struct list edges; /* those that start at a vertex of this rank, ascending */
    struct set paths;  /* those that end at a vertex of this rank */
    struct list fresh; /* paths that the last iteration added */
    struct list out;   /* results of the join, by destination */
    struct list in;    /* what arrived */
    size_t *fill;      /* per rank: results, then where the next one goes */
    int *counts[2];    /* per rank, in pairs: [0] to send, [1] to receive */
    int *displs[2];
};

/* Ends the job: for what cannot be agreed on beforehand, such as lack of memory on one rank. */
static void die(const struct worker *worker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void die(const struct worker *worker, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "paths: rank %d of %d: %s\n", worker->rank, worker->size, text);
    MPI_Abort(worker->comm, 1);
    exit(1);
}

static void *need(const struct worker *worker, void *memory)
{
    if (!memory)
        die(worker, "out of memory; use more ranks or a smaller graph");
    return memory;
}

static int owner(const struct worker *worker, uint32_t vertex)
{
    return (int)(hash64(vertex) % (uint64_t)worker->size);
}

static void list_reserve(const struct worker *worker, struct list *list, size_t capacity)
{
    if (capacity <= list->capacity)
        return;
    if (capacity < 2 * list->capacity)
        capacity = 2 * list->capacity;
    if (capacity > SIZE_MAX / sizeof *list->pairs)
        need(worker, NULL);
    list->pairs = need(worker, realloc(list->pairs, capacity * sizeof *list->pairs));
    list->capacity = capacity;
}

static void list_add(const struct worker *worker, struct list *list, pair_t pair)
{
    list_reserve(worker, list, list->count + 1);
    list->pairs[list->count++] = pair;
}

static void set_make(const struct worker *worker, struct set *set, size_t slots)
{
    set->slots = need(worker, malloc(slots * sizeof *set->slots));
    for (size_t i = 0; i < slots; i++)
        set->slots[i] = EMPTY;
    set->mask = slots - 1;
    set->count = 0;
}

/* The slot that holds the pair, or the empty one where it belongs. */
static pair_t *set_slot(const struct set *set, pair_t pair)
{
    size_t i = hash64(pair) & set->mask;
    while (set->slots[i] != EMPTY && set->slots[i] != pair)
        i = (i + 1) & set->mask;
    return &set->slots[i];
}

static void set_grow(const struct worker *worker, struct set *set)
{
    struct set larger;
    set_make(worker, &larger, 2 * (set->mask + 1));
    for (size_t i = 0; i <= set->mask; i++)
        if (set->slots[i] != EMPTY)
            *set_slot(&larger, set->slots[i]) = set->slots[i];
    larger.count = set->count;
    free(set->slots);
    *set = larger;
}

/* Whether the pair is new. */
static bool set_add(const struct worker *worker, struct set *set, pair_t pair)
{
    pair_t *slot = set_slot(set, pair);
    if (*slot == pair)
        return false;
    *slot = pair;
    if (++set->count > (set->mask + 1) / 8 * 5)
        set_grow(worker, set);
    return true;
}

static void worker_make(struct worker *worker, MPI_Comm comm)
{
    *worker = (struct worker){.comm = comm};
    MPI_Comm_rank(comm, &worker->rank);
    MPI_Comm_size(comm, &worker->size);
    set_make(worker, &worker->paths, 1024);
    worker->fill = need(worker, calloc((size_t)worker->size, sizeof *worker->fill));
    for (int i = 0; i < 2; i++) {
        worker->counts[i] = need(worker, calloc((size_t)worker->size, sizeof(int)));
        worker->displs[i] = need(worker, calloc((size_t)worker->size, sizeof(int)));
    }
}

static void worker_clear(struct worker *worker)
{
    for (int i = 0; i < 2; i++) {
        free(worker->counts[i]);
        free(worker->displs[i]);
    }
    free(worker->fill);
    free(worker->in.pairs);
    free(worker->out.pairs);
    free(worker->fresh.pairs);
    free(worker->paths.slots);
    free(worker->edges.pairs);
}

static void keep_path(struct worker *worker, pair_t pair)
{
    if (set_add(worker, &worker->paths, pair))
        list_add(worker, &worker->fresh, pair);
}

/* Rank 0, which alone has a graph with edges, sends them in pieces; every rank keeps what it owns.
 * They stay ascending. */
static void share_edges(struct worker *worker, const struct graph *graph, uint64_t count)
{
    enum { PIECE = 1 << 17 };
    pair_t *received = graph->edges ? NULL : need(worker, calloc(PIECE, sizeof *received));
    for (uint64_t done = 0; done < count;) {
        size_t some = count - done < PIECE ? (size_t)(count - done) : PIECE;
        pair_t *piece = graph->edges ? graph->edges + done : received;
        MPI_Bcast(piece, (int)some, MPI_UINT64_T, 0, worker->comm);
        for (size_t i = 0; i < some; i++) {
            if (owner(worker, pair_from(piece[i])) == worker->rank)
                list_add(worker, &worker->edges, piece[i]);
            if (owner(worker, pair_to(piece[i])) == worker->rank)
                keep_path(worker, piece[i]);
        }
        done += some;
    }
    free(received);
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

/* Joins fresh paths with edges. Without `out` it only counts the results for each rank in fill;
 * with it, it writes them where fill says. */
static void join(struct worker *worker, pair_t *out)
{
    const struct list *edges = &worker->edges;
    for (size_t i = 0; i < worker->fresh.count; i++) {
        uint32_t start = pair_from(worker->fresh.pairs[i]),
                 middle = pair_to(worker->fresh.pairs[i]);
        for (size_t e = first_edge(edges, middle);
             e < edges->count && pair_from(edges->pairs[e]) == middle; e++) {
            uint32_t end = pair_to(edges->pairs[e]);
            size_t at = worker->fill[owner(worker, end)]++;
            if (out)
                out[at] = pair_make(start, end);
        }
    }
}

/* Turns counts of ranks into displacements; returns the total. MPI's counts are ints, so the total
 * must be one. */
static size_t displace(const struct worker *worker, const int *counts, int *displs,
                       const char *what)
{
    size_t total = 0;
    for (int i = 0; i < worker->size; i++) {
        if (total + (size_t)counts[i] > INT_MAX)
            die(worker, "more than %d pairs to %s in one exchange; use more ranks", INT_MAX, what);
        displs[i] = (int)total;
        total += (size_t)counts[i];
    }
    return total;
}

/* The join, written to out by destination. */
static void produce(struct worker *worker)
{
    memset(worker->fill, 0, (size_t)worker->size * sizeof *worker->fill);
    join(worker, NULL);
    for (int i = 0; i < worker->size; i++) {
        if (worker->fill[i] > INT_MAX)
            die(worker, "more than %d pairs to send to one rank; use more ranks", INT_MAX);
        worker->counts[0][i] = (int)worker->fill[i];
    }
    worker->out.count = displace(worker, worker->counts[0], worker->displs[0], "send");
    list_reserve(worker, &worker->out, worker->out.count);
    for (int i = 0; i < worker->size; i++)
        worker->fill[i] = (size_t)worker->displs[0][i];
    join(worker, worker->out.pairs);
}

static void exchange(struct worker *worker)
{
    MPI_Alltoall(worker->counts[0], 1, MPI_INT, worker->counts[1], 1, MPI_INT, worker->comm);
    worker->in.count = displace(worker, worker->counts[1], worker->displs[1], "receive");
    list_reserve(worker, &worker->in, worker->in.count);
    MPI_Alltoallv(worker->out.pairs, worker->counts[0], worker->displs[0], MPI_UINT64_T,
                  worker->in.pairs, worker->counts[1], worker->displs[1], MPI_UINT64_T,
                  worker->comm);
}

static uint64_t sum(const struct worker *worker, uint64_t value)
{
    uint64_t total;
    MPI_Allreduce(&value, &total, 1, MPI_UINT64_T, MPI_SUM, worker->comm);
    return total;
}

/* Iterates until no rank finds a new path. Every rank gets the result. */
static struct closure find_paths(struct worker *worker)
{
    struct closure closure = {0};
    while (sum(worker, worker->fresh.count) > 0) {
        closure.iterations++;
        produce(worker);
        exchange(worker);
        worker->fresh.count = 0;
        for (size_t i = 0; i < worker->in.count; i++)
            keep_path(worker, worker->in.pairs[i]);
    }
    uint64_t checksum = 0;
    for (size_t i = 0; i <= worker->paths.mask; i++)
        if (worker->paths.slots[i] != EMPTY)
            checksum += hash64(worker->paths.slots[i]);
    closure.paths = sum(worker, worker->paths.count);
    closure.checksum = sum(worker, checksum);
    return closure;
}

static struct closure find_paths_parallel(const struct graph *graph, uint64_t count,
                                          double *seconds)
{
    struct worker worker;
    worker_make(&worker, MPI_COMM_WORLD);
    share_edges(&worker, graph, count);
    MPI_Barrier(worker.comm);
    double start = MPI_Wtime();
    struct closure closure = find_paths(&worker);
    double mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, worker.comm);
    worker_clear(&worker);
    return closure;
}

struct options {
    bool serial, check, help, wrong;
    const char *file;
};

static struct options parse_options(int argc, char **argv)
{
    struct options options = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--serial") == 0)
            options.serial = true;
        else if (strcmp(argv[i], "--check") == 0)
            options.check = true;
        else if (strcmp(argv[i], "--help") == 0)
            options.help = true;
        else if (argv[i][0] == '-' || options.file)
            options.wrong = true;
        else
            options.file = argv[i];
    }
    if (!options.file && !options.help)
        options.wrong = true;
    return options;
}

static void print_usage(FILE *stream)
{
    fprintf(stream, "usage: mpiexec -n RANKS paths [--check | --serial] GRAPH\n"
                    "  GRAPH     edge list (\"u v\" per line) or Matrix Market file (coordinate; "
                    "pattern, real or integer)\n"
                    "  --check   compare with a serial breadth-first search; exit status 1 when "
                    "the results differ\n"
                    "  --serial  only the serial search, on rank 0\n");
}

static void print_result(const char *method, const struct graph *graph,
                         const struct closure *closure, double seconds)
{
    printf("method     %s\n"
           "nodes      %" PRIu64 "\n"
           "edges      %zu\n"
           "paths      %" PRIu64 "\n"
           "iterations %" PRIu64 "\n"
           "seconds    %.3f\n"
           "checksum   %016" PRIx64 "\n",
           method, graph->nodes, graph->count, closure->paths, closure->iterations, seconds,
           closure->checksum);
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
        print_result("serial", graph, &serial, MPI_Wtime() - start);
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

static int run(const struct options *options, int rank, int size)
{
    struct graph graph = {0};
    uint64_t count = UINT64_MAX; /* says to the other ranks that there is no graph */
    char error[512];
    if (rank == 0) {
        if (graph_read(&graph, options->file, error, sizeof error) == 0)
            count = graph.count;
        else
            fprintf(stderr, "paths: %s\n", error);
    }
    MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (count == UINT64_MAX)
        return 1;
    struct closure closure = {0};
    if (!options->serial) {
        double seconds;
        char method[32];
        closure = find_paths_parallel(&graph, count, &seconds);
        snprintf(method, sizeof method, "%d ranks", size);
        if (rank == 0)
            print_result(method, &graph, &closure, seconds);
    }
    int status = 0;
    if (rank == 0 && (options->serial || options->check))
        status = run_serial(options, &graph, &closure);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    graph_clear(&graph);
    return status;
}

int main(int argc, char **argv)
{
    int rank, size, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct options options = parse_options(argc, argv);
    if (options.help || options.wrong) {
        if (rank == 0)
            print_usage(options.help ? stdout : stderr);
        status = options.help ? 0 : 2;
    } else {
        status = run(&options, rank, size);
    }
    MPI_Finalize();
    return status;
}
