/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole: what all-to-all costs a whole program, from its first call on. A plain MPI program: it
 * knows nothing of Shunt. scripts/whole runs it natively and preloaded, in turn, and compares;
 * whole --help tells the options.
 *
 * The curve: makes C communicators and calls the operation once on each of them in turn, N times,
 * with no barrier between the calls. Its rows are "calls,seconds": the time that so many calls on
 * each communicator took from the first call on. The time of a part (from one row to the next) is
 * that of the rank for which it took longest; parts begin with a barrier, and the clock stands
 * between them. One job gives the whole curve of its C. "create" and "free" in place of a number of
 * calls are the times of making and freeing the communicators, which are not part of the others.
 * --limit ends the job before a part that would end later than that; all ranks learn it from rank
 * 0, while the clock stands.
 *
 * Set-up (--setup): makes one communicator after the other, and calls N times on each before the
 * next one is made. Its rows are "communicator,calls,seconds": the time from the first call on that
 * communicator until so many have ended, of the rank for which it took longest. Let S(L) be that
 * time under the library and N(L) natively. What the set-up of a communicator costs is the largest
 * of all S(L) - N(L), each the median over the repetitions, or nothing if none is positive: the
 * most by which a program falls behind at any prefix of its calls. So it does not matter in which
 * calls the set-up happens, nor in how many, nor whether calls are faster or slower after it; calls
 * that are slower for ever make it grow without end. The first communicator of the job
 * (MPI_COMM_WORLD, or the first row, column or half) is told apart from later ones, of which
 * scripts/whole takes the median.
 *
 * Each call is checked: first and last byte of each block have another value in each call, which
 * both sides of a comparison pay for alike. A rank tells of its first wrong byte, and the job goes
 * on to its end and fails then: what a job that is aborted has printed may be lost.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "whole_options.h"

/* Where the curve is looked at. */
static const int series[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
enum { SERIES = sizeof series / sizeof *series, NEIGHBOURS = 3 };

/* One communicator, and how many bytes this rank sends to and gets from each rank of it. */
struct group {
    MPI_Comm comm;
    int rank, size;
    int *sent, *received;
};

static int world_rank, world_size;
static unsigned char *outgoing,
    *incoming;      /* one block per rank, shared by all communicators as most programs have it */
static int *places; /* where the block of each rank begins */
static unsigned calls_made; /* the same on all ranks */
static int wrong;           /* whether this rank saw a wrong byte */

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "whole: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    return memory;
}

/* Bytes from one rank to another of `size`, as the pattern has it; both ends compute the same. */
static int amount(int from, int to, int size)
{
    const unsigned mixed =
        ((unsigned)from * 2654435761u ^ (unsigned)to * 2246822519u) * 3266489917u >> 8;
    const int ahead = (to - from + size) % size, behind = size - ahead;

    switch (options.pattern) {
    case MIXED:
        return (int)(mixed % ((unsigned)options.block + 1));
    case SPARSE:
        return ahead > 0 && (ahead <= NEIGHBOURS || behind <= NEIGHBOURS) ? options.block : 0;
    case ONE:
        return from == 0 ? options.block : 0;
    case EMPTY:
        return 0;
    default:
        return options.block;
    }
}

static void group_describe(struct group *group)
{
    MPI_Comm_rank(group->comm, &group->rank);
    MPI_Comm_size(group->comm, &group->size);
    group->sent = need(calloc((size_t)group->size, sizeof(int)));
    group->received = need(calloc((size_t)group->size, sizeof(int)));
    for (int p = 0; p < group->size; p++) {
        group->sent[p] = amount(group->rank, p, group->size);
        group->received[p] = amount(p, group->rank, group->size);
    }
}

/* Columns of the process grid, which is as nearly square as the ranks allow; never fewer than rows.
 */
static int grid_columns(void)
{
    int columns = 1;
    while (columns * columns < world_size || world_size % columns != 0)
        columns++;
    return columns;
}

/* The communicator with this number: all of a kind have the same members. The first copy is
 * MPI_COMM_WORLD itself. */
static MPI_Comm create(int number)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int color = 0, kind = options.kind;

    if (kind == PENCILS)
        kind = number % 2 == 0 ? ROWS : COLUMNS;
    if (kind == COPIES && number == 0)
        return comm;
    if (kind == COPIES && number % 2 == 1) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    }
    if (kind == ROWS)
        color = world_rank / grid_columns();
    else if (kind == COLUMNS)
        color = world_rank % grid_columns();
    else if (kind == HALVES)
        color = world_rank >= (world_size + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, color, world_rank, &comm);
    return comm;
}

static void release(struct group *group)
{
    if (group->comm != MPI_COMM_WORLD)
        MPI_Comm_free(&group->comm);
}

static void forget(struct group *group)
{
    free(group->sent);
    free(group->received);
}

/* What the first and the last byte of a block are in a call. */
static unsigned char mark(int from, int to)
{
    return (unsigned char)((unsigned)from * 31 + (unsigned)to * 17 + calls_made * 7 + 1);
}

static void check(const struct group *group)
{
    for (int p = 0; p < group->size; p++) {
        const unsigned char *block = incoming + places[p];
        const int length = group->received[p];
        const unsigned char expected = mark(p, group->rank);
        if (length > 0 && (block[0] != expected || block[length - 1] != expected) && !wrong) {
            fprintf(stderr, "whole: call %u gave rank %d wrong bytes from rank %d of %d\n",
                    calls_made, group->rank, p, group->size);
            wrong = 1;
        }
    }
}

static void exchange(const struct group *group)
{
    for (int p = 0; p < group->size; p++) {
        unsigned char *block = outgoing + places[p];
        if (group->sent[p] > 0)
            block[0] = block[group->sent[p] - 1] = mark(group->rank, p);
    }
    if (options.uniform)
        MPI_Alltoall(outgoing, options.block, MPI_BYTE, incoming, options.block, MPI_BYTE,
                     group->comm);
    else
        MPI_Alltoallv(outgoing, group->sent, places, MPI_BYTE, incoming, group->received, places,
                      MPI_BYTE, group->comm);
    check(group);
    calls_made++;
}

/* The largest value of all ranks, on rank 0. */
static double largest(double mine)
{
    double all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return all;
}

static double start(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Rank 0's answer, for all. */
static bool agreed(bool answer)
{
    int value = answer;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value != 0;
}

static void print_point(const char *name, double seconds)
{
    if (world_rank == 0)
        printf("%s,%.7f\n", name, seconds);
}

static struct group *create_all(void)
{
    struct group *groups = need(calloc((size_t)options.communicators, sizeof *groups));
    const double begun = start();
    for (int c = 0; c < options.communicators; c++)
        groups[c].comm = create(c);
    print_point("create", largest(MPI_Wtime() - begun));
    for (int c = 0; c < options.communicators; c++)
        group_describe(&groups[c]);
    return groups;
}

static void free_all(struct group *groups)
{
    const double begun = start();
    for (int c = 0; c < options.communicators; c++)
        release(&groups[c]);
    print_point("free", largest(MPI_Wtime() - begun));
    for (int c = 0; c < options.communicators; c++)
        forget(&groups[c]);
    free(groups);
}

/* The next point of the series after so many calls, or the last call. */
static int next_point(int done)
{
    for (int i = 0; i < SERIES; i++)
        if (series[i] > done && series[i] < options.calls)
            return series[i];
    return options.calls;
}

static void measure_curve(void)
{
    struct group *groups = create_all();
    double total = 0;
    int done = 0;
    bool more = true;

    while (more) {
        const int until = next_point(done);
        char name[16];
        const double begun = start();
        for (int n = done; n < until; n++)
            for (int c = 0; c < options.communicators; c++)
                exchange(&groups[c]);
        total += largest(MPI_Wtime() - begun);
        done = until;
        snprintf(name, sizeof name, "%d", done);
        print_point(name, total);
        more = agreed(done < options.calls && total / done * next_point(done) <= options.limit);
    }
    free_all(groups);
}

/* The times after each call on one communicator; `ends` and `all` have room for them. */
static void measure_calls(const struct group *group, int number, double *ends, double *all)
{
    const double begun = start();
    for (int i = 0; i < options.calls; i++) {
        exchange(group);
        ends[i] = MPI_Wtime() - begun;
    }
    MPI_Reduce(ends, all, options.calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; i < options.calls && world_rank == 0; i++)
        printf("%d,%d,%.7f\n", number, i + 1, all[i]);
}

static void measure_setup(void)
{
    struct group *groups = need(calloc((size_t)options.communicators, sizeof *groups));
    double *ends = need(calloc((size_t)options.calls, sizeof *ends)),
           *all = need(calloc((size_t)options.calls, sizeof *all));
    const double begun = start();
    int made = 0;
    bool more = true;

    while (more) {
        groups[made].comm = create(made);
        group_describe(&groups[made]);
        measure_calls(&groups[made], made, ends, all);
        made++;
        more = agreed(made < options.communicators &&
                      (MPI_Wtime() - begun) / made * (made + 1) <= options.limit);
    }
    while (made-- > 0) {
        release(&groups[made]);
        forget(&groups[made]);
    }
    free(groups);
    free(ends);
    free(all);
}

/* A byte from each rank to each other, so that the library's own connections exist before anything
 * is measured. */
static void connect_all(void)
{
    for (int step = 1; step < world_size; step++) {
        char out = 0, in;
        MPI_Sendrecv(&out, 1, MPI_CHAR, (world_rank + step) % world_size, 0, &in, 1, MPI_CHAR,
                     (world_rank - step + world_size) % world_size, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void prepare_buffers(void)
{
    const size_t capacity = (size_t)world_size * (size_t)options.block + 1;
    outgoing = need(calloc(capacity, 1));
    incoming = need(calloc(capacity, 1));
    places = need(calloc((size_t)world_size, sizeof *places));
    for (int p = 0; p < world_size; p++)
        places[p] = p * options.block;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    const bool good = parse_options(argc, argv, world_size);
    if (!good || options.help) {
        if (world_rank == 0)
            print_usage(good ? stdout : stderr);
        MPI_Finalize();
        return good ? 0 : 2;
    }
    prepare_buffers();
    if (options.wired)
        connect_all();
    if (options.setup)
        measure_setup();
    else
        measure_curve();
    free(outgoing);
    free(incoming);
    free(places);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong;
}
