/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Never a wrong byte: many calls of MPI_Alltoall, MPI_Alltoallv and their large-count forms in one
 * launch; datatypes, placements, counts and communicators combined pairwise. Every byte of both
 * buffers, gaps included, is compared with what it must be.
 *
 * matrix [--full] [--random N] [--seed S] [--thin N [--first K]] [--only CASE] [--named FILE]
 *   --full      every combination instead of pairs (hours with many ranks)
 *   --random N  N more cases made up from the seed, with ragged and sparse counts
 *   --seed S    other pairs, other random cases
 *   --thin N    every N-th case only, beginning with case 0, or K
 *   --only C    case number C alone, as named in a message of failure
 *   --named F   all that for each line of F (SHUNT_TEST_COMMUNICATORS): on communicators with its
 *               first word for a name, a number, which is the seed; each with the next K. The
 *               first line has the world itself. One that takes two minutes ends the program.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix.h"

#define MOST_FAILURES 5 /* of one rank: then it only counts */

struct options {
    bool full;
    int random;
    int thin, first;
    int only;
    uint64_t seed;
    const char *named;
};

enum { NAMED_SECONDS = 120, NAMED_PAIRS = 32 };

static int failures;

static bool options_read(struct options *options, int argc, char **argv)
{
    *options = (struct options){.thin = 1, .only = -1, .seed = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--full") == 0)
            options->full = true;
        else if (strcmp(argv[i], "--random") == 0 && i + 1 < argc)
            options->random = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            options->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--thin") == 0 && i + 1 < argc)
            options->thin = atoi(argv[++i]);
        else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc)
            options->first = atoi(argv[++i]);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            options->only = atoi(argv[++i]);
        else if (strcmp(argv[i], "--named") == 0 && i + 1 < argc)
            options->named = argv[++i];
        else
            return false;
    }
    return options->thin >= 1 && options->first >= 0 && options->first < options->thin;
}

static void fail(const struct options *options, const struct matrix_case *c, const char *what)
{
    char text[400];
    int rank, size;

    if (failures++ >= MOST_FAILURES)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    matrix_describe(c, text, sizeof text);
    printf("FAIL: rank %d of %d, seed %llu: %s\n  in %s\n  again: matrix%s --random %d %s %llu "
           "--only %d\n",
           rank, size, (unsigned long long)options->seed, what, text,
           options->full ? " --full" : "", options->random,
           options->named ? "--named FILE, with line" : "--seed", (unsigned long long)options->seed,
           c->number);
    fflush(stdout);
}

static void run(const struct options *options, const struct matrix_case *c, MPI_Comm comm)
{
    struct matrix_call call;
    char text[MATRIX_TEXT];

    matrix_call_make(&call, c, comm);
    if (!matrix_call_check(&call, matrix_call_run(&call, comm), text, sizeof text))
        fail(options, c, text);
    matrix_call_clear(&call);
}

/* All get that name; NULL: none. */
static void communicators_make(MPI_Comm world, const char *name, MPI_Comm *comms)
{
    int rank;

    MPI_Comm_rank(world, &rank);
    comms[MATRIX_COMM_WORLD] = world;
    MPI_Comm_split(world, rank % 2, rank, &comms[MATRIX_COMM_PARITY]);
    MPI_Comm_split(world, 0, -rank, &comms[MATRIX_COMM_REVERSED]);
    MPI_Comm_dup(world, &comms[MATRIX_COMM_DUP]);
    for (int i = 0; i < MATRIX_COMMS; i++) {
        if (name)
            MPI_Comm_set_name(comms[i], name);
        MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    }
}

/* Making pairs takes longer than many calls, so lines share them. The list is kept. */
static const struct matrix_list *list_of(const struct options *options, int ranks)
{
    static struct matrix_list list;
    static uint64_t made = UINT64_MAX;
    static int pairs;
    const uint64_t seed = options->named ? options->seed / NAMED_PAIRS : options->seed;

    list.count = pairs;
    if (seed != made) {
        list.count = 0;
        if (options->full)
            matrix_list_full(&list, ranks);
        else
            matrix_list_pairwise(&list, ranks, seed);
        pairs = list.count;
        made = seed;
    }
    matrix_list_random(&list, ranks, options->seed, options->random);
    return &list;
}

/* All cases on communicators of these ranks. Returns how many calls failed, of all ranks. */
static int run_all(const struct options *options, MPI_Comm world, const char *name)
{
    const struct matrix_list *list;
    MPI_Comm comms[MATRIX_COMMS];
    int rank, ranks, all = 0, done = 0;

    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    communicators_make(world, name, comms);
    failures = 0;
    list = list_of(options, ranks);
    for (int i = 0; i < list->count; i++) {
        if (options->only < 0 ? i % options->thin == options->first : i == options->only) {
            run(options, &list->cases[i], comms[list->cases[i].comm]);
            done++;
        }
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("PASS: %d calls on %d ranks, seed %llu: no wrong byte\n", done, ranks,
               (unsigned long long)options->seed);
    else if (rank == 0)
        printf("FAIL: %d of %d calls x %d ranks, seed %llu\n", all, done, ranks,
               (unsigned long long)options->seed);
    fflush(stdout);
    for (int i = 0; i < MATRIX_COMMS; i++)
        if (i != MATRIX_COMM_WORLD)
            MPI_Comm_free(&comms[i]);
    return all;
}

/* For each line of the file. */
static int run_named(struct options *options)
{
    FILE *file = fopen(options->named, "r");
    char line[512];
    int all = 0;

    for (MPI_Comm world = MPI_COMM_WORLD; file && fgets(line, sizeof line, file);
         world = MPI_COMM_NULL) {
        if (world == MPI_COMM_NULL)
            MPI_Comm_dup(MPI_COMM_WORLD, &world);
        line[strcspn(line, " \n")] = '\0';
        alarm(NAMED_SECONDS);
        options->seed = strtoull(line, NULL, 10);
        options->first = (int)(options->seed % (uint64_t)options->thin);
        all += run_all(options, world, line);
        if (world != MPI_COMM_WORLD)
            MPI_Comm_free(&world);
    }
    return file ? all : 1;
}

int main(int argc, char **argv)
{
    struct options options;
    int all;

    mallopt(
        M_MMAP_THRESHOLD,
        1 << 30); /* buffers of one call are those of the next: no time goes into clearing pages */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    MPI_Init(&argc, &argv);
    if (!options_read(&options, argc, argv)) {
        fprintf(stderr, "usage: matrix [--full] [--random N] [--seed S] [--thin N [--first K]] "
                        "[--only CASE] [--named FILE]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    all = options.named ? run_named(&options) : run_all(&options, MPI_COMM_WORLD, NULL);
    MPI_Finalize();
    return all != 0;
}
