/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first call of a job: one case of the matrix on MPI_COMM_WORLD before anything else, and again
 * so many times. Every byte of all of them is compared.
 *
 * first CASE [CALLS]   a case by its number among those of MPI_COMM_WORLD, modulo how many there
 * are
 */
#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"

enum { RANDOM = 400, SEED = 7 };

static int me, ranks, heard;

/* The case of that number. */
static struct matrix_case find_case(const struct matrix_list *list, int number)
{
    int there = 0;

    for (int i = 0; i < list->count; i++)
        there += list->cases[i].comm == MATRIX_COMM_WORLD;
    if (there == 0)
        abort();
    number %= there;
    for (int i = 0; i < list->count; i++)
        if (list->cases[i].comm == MATRIX_COMM_WORLD && number-- == 0)
            return list->cases[i];
    abort();
}

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    heard++;
}

/* One call. Returns whether it is what it must be. */
static int run(struct matrix_case *one, int turn)
{
    struct matrix_call call;
    char text[MATRIX_TEXT] = "";

    one->turn = (uint64_t)turn;
    matrix_call_make(&call, one, MPI_COMM_WORLD);
    heard = 0;
    const int status = matrix_call_run(&call, MPI_COMM_WORLD),
              right = matrix_call_check(&call, status, text, sizeof text) && heard == 0;
    if (!right)
        printf("FAIL: call %d, rank %d of %d: status %d, heard %d times, %s\n", turn + 1, me, ranks,
               status, heard, text);
    fflush(stdout);
    matrix_call_clear(&call);
    return right;
}

int main(int argc, char **argv)
{
    struct matrix_list list = {0};
    MPI_Errhandler handler;
    char what[400];
    int bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    matrix_list_pairwise(&list, ranks, SEED);
    matrix_list_random(&list, ranks, SEED, RANDOM);
    struct matrix_case one = find_case(&list, argc > 1 ? atoi(argv[1]) : 0);
    const int calls = argc > 2 ? atoi(argv[2]) : 4;
    for (int i = 0; i < calls; i++)
        bad += !run(&one, i);
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    matrix_describe(&one, what, sizeof what);
    if (me == 0)
        printf("%s: %d calls, %s\n", bad ? "FAIL" : "PASS", calls, what);
    free(list.cases);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return bad != 0;
}
