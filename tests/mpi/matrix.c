/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Never a wrong byte: many calls of MPI_Alltoall, MPI_Alltoallv and their large-count forms in one
 * launch; datatypes, placements, counts and communicators combined pairwise. Every byte of both
 * buffers, gaps included, is compared with what it must be.
 *
 * matrix [--full] [--random N] [--seed S] [--thin N [--first K]] [--only CASE]
 *   --full      every combination instead of pairs (hours with many ranks)
 *   --random N  N more cases made up from the seed, with ragged and sparse counts
 *   --seed S    other pairs, other random cases
 *   --thin N    every N-th case only, beginning with case 0, or K
 *   --only C    case number C alone, as named in a message of failure
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

#define MOST_FAILURES 5 /* of one rank: then it only counts */

struct options {
    bool full;
    int random;
    int thin, first;
    int only;
    uint64_t seed;
};

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
    printf(
        "FAIL: rank %d of %d: %s\n  in %s\n  again: matrix%s --random %d --seed %llu --only %d\n",
        rank, size, what, text, options->full ? " --full" : "", options->random,
        (unsigned long long)options->seed, c->number);
    fflush(stdout);
}

/* Counts and displacements as the calls want them, and copies: the calls must not change them. */
struct vectors {
    int ranks;
    int *counts, *places;
    MPI_Count *large_counts;
    MPI_Aint *large_places;
};

static void vectors_make(struct vectors *vectors, const struct matrix_side *side)
{
    size_t ranks = (size_t)side->ranks;

    vectors->ranks = side->ranks;
    vectors->counts = matrix_need(ranks * sizeof *vectors->counts);
    vectors->places = matrix_need(ranks * sizeof *vectors->places);
    vectors->large_counts = matrix_need(ranks * sizeof *vectors->large_counts);
    vectors->large_places = matrix_need(ranks * sizeof *vectors->large_places);
    for (size_t j = 0; j < ranks; j++) {
        vectors->counts[j] = (int)side->count[j];
        vectors->places[j] = (int)side->first[j];
        vectors->large_counts[j] = side->count[j];
        vectors->large_places[j] = side->first[j];
    }
}

static bool vectors_same(const struct vectors *vectors, const struct matrix_side *side)
{
    for (int j = 0; j < side->ranks; j++) {
        if (vectors->counts[j] != side->count[j] || vectors->places[j] != side->first[j] ||
            vectors->large_counts[j] != side->count[j] ||
            vectors->large_places[j] != side->first[j])
            return false;
    }
    return true;
}

static void vectors_clear(struct vectors *vectors)
{
    free(vectors->counts);
    free(vectors->places);
    free(vectors->large_counts);
    free(vectors->large_places);
}

/* In place, what belongs to the send side is ignored by MPI: NULL and nonsense, as programs pass
 * it. */
static int call(const struct matrix_case *c, MPI_Comm comm, const struct matrix_side *send,
                const struct vectors *from, const struct matrix_side *recv,
                const struct vectors *to)
{
    void *buffer = c->in_place ? MPI_IN_PLACE : send->argument;
    MPI_Datatype type = c->in_place ? MPI_DATATYPE_NULL : send->type;

    switch (c->op) {
    case MATRIX_ALLTOALL:
        return MPI_Alltoall(buffer, c->in_place ? 0 : from->counts[0], type, recv->argument,
                            to->counts[0], recv->type, comm);
    case MATRIX_ALLTOALL_C:
        return MPI_Alltoall_c(buffer, c->in_place ? 0 : from->large_counts[0], type, recv->argument,
                              to->large_counts[0], recv->type, comm);
    case MATRIX_ALLTOALLV:
        return MPI_Alltoallv(buffer, c->in_place ? NULL : from->counts,
                             c->in_place ? NULL : from->places, type, recv->argument, to->counts,
                             to->places, recv->type, comm);
    default:
        return MPI_Alltoallv_c(buffer, c->in_place ? NULL : from->large_counts,
                               c->in_place ? NULL : from->large_places, type, recv->argument,
                               to->large_counts, to->large_places, recv->type, comm);
    }
}

static void run(const struct options *options, const struct matrix_case *c, MPI_Comm comm)
{
    struct matrix_side send, recv;
    struct vectors from, to;
    int ranks, me, error;
    char text[200];

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    matrix_side_make(&send, c, ranks, me, true);
    matrix_side_make(&recv, c, ranks, me, false);
    vectors_make(&from, &send);
    vectors_make(&to, &recv);
    error = call(c, comm, &send, &from, &recv, &to);
    if (error != MPI_SUCCESS) {
        char name[MPI_MAX_ERROR_STRING];
        int length;

        MPI_Error_string(error, name, &length);
        fail(options, c, name);
    } else if (!matrix_side_check(&recv, "receive buffer", text, sizeof text) ||
               !matrix_side_check(&send, "send buffer", text, sizeof text)) {
        fail(options, c, text);
    } else if (!vectors_same(&from, &send) || !vectors_same(&to, &recv)) {
        fail(options, c, "counts or displacements of the caller were changed");
    }
    vectors_clear(&from);
    vectors_clear(&to);
    matrix_side_clear(&send);
    matrix_side_clear(&recv);
}

static void communicators_make(MPI_Comm *comms)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[MATRIX_COMM_WORLD] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[MATRIX_COMM_PARITY]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[MATRIX_COMM_REVERSED]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[MATRIX_COMM_DUP]);
    for (int i = 0; i < MATRIX_COMMS; i++)
        MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
    struct options options;
    struct matrix_list list = {0};
    MPI_Comm comms[MATRIX_COMMS];
    int rank, ranks, all = 0, done = 0;

    mallopt(
        M_MMAP_THRESHOLD,
        1 << 30); /* buffers of one call are those of the next: no time goes into clearing pages */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!options_read(&options, argc, argv)) {
        fprintf(stderr, "usage: matrix [--full] [--random N] [--seed S] [--thin N [--first K]] "
                        "[--only CASE]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    communicators_make(comms);
    if (options.full)
        matrix_list_full(&list, ranks);
    else
        matrix_list_pairwise(&list, ranks, options.seed);
    matrix_list_random(&list, ranks, options.seed, options.random);
    for (int i = 0; i < list.count; i++) {
        if (options.only < 0 ? i % options.thin == options.first : i == options.only) {
            run(&options, &list.cases[i], comms[list.cases[i].comm]);
            done++;
        }
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("PASS: %d calls on %d ranks, seed %llu: no wrong byte\n", done, ranks,
               (unsigned long long)options.seed);
    else if (rank == 0)
        printf("FAIL: %d of %d calls x %d ranks, seed %llu\n", all, done, ranks,
               (unsigned long long)options.seed);
    for (int i = 1; i < MATRIX_COMMS; i++)
        MPI_Comm_free(&comms[i]);
    free(list.cases);
    MPI_Finalize();
    return all != 0;
}
