/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first call of a job: one case of the matrix on MPI_COMM_WORLD before anything else, and again
 * so many times. Every byte of all of them is compared.
 *
 * first CASE [CALLS [VICTIM FUNCTION AT]]
 *   CASE: by its number among those of MPI_COMM_WORLD, modulo how many there are. FUNCTION: which
 *   the library calls on rank VICTIM fails the AT-th time in the first call (inject.so is
 *   preloaded): that call may then return an error, which the error handler has heard once.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject.h"
#include "matrix.h"

enum { RANDOM = 400, SEED = 7 };

static int me, ranks, heard, errors, struck;

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

/* The n-th call of a function by the library is to fail. */
static void arm(const char *function, long at)
{
    __typeof__(inject_points) *points;
    __typeof__(inject_name) *name_of;
    __typeof__(inject_arm) *arm_point;
    *(void **)&points = dlsym(RTLD_DEFAULT, "inject_points");
    *(void **)&name_of = dlsym(RTLD_DEFAULT, "inject_name");
    *(void **)&arm_point = dlsym(RTLD_DEFAULT, "inject_arm");
    for (int i = 0; points && i < points(); i++)
        if (strcmp(name_of(i), function) == 0) {
            arm_point(i, at);
            return;
        }
    fprintf(stderr, "first: %s cannot fail\n", function);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static int disarm(void)
{
    __typeof__(inject_disarm) *end;
    *(void **)&end = dlsym(RTLD_DEFAULT, "inject_disarm");
    return end();
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
              right =
                  heard == (status != MPI_SUCCESS) &&
                  (status != MPI_SUCCESS || matrix_call_check(&call, status, text, sizeof text));
    errors += status != MPI_SUCCESS;
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
    int counts[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    matrix_list_pairwise(&list, ranks, SEED);
    matrix_list_random(&list, ranks, SEED, RANDOM);
    struct matrix_case one = find_case(&list, argc > 1 ? atoi(argv[1]) : 0);
    const int calls = argc > 2 ? atoi(argv[2]) : 4, victim = argc > 5 ? atoi(argv[3]) : -1;
    if (me == victim)
        arm(argv[4], atol(argv[5]));
    counts[0] = !run(&one, 0);
    if (me == victim)
        struck = disarm();
    for (int i = 1; i < calls; i++)
        counts[0] += !run(&one, i);
    counts[1] = errors;
    counts[2] = struck;
    MPI_Allreduce(MPI_IN_PLACE, counts, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    matrix_describe(&one, what, sizeof what);
    if (me == 0)
        printf("%s: %d calls, %d errors, %d struck, %s\n",
               counts[0] || (counts[1] && !counts[2]) ? "FAIL" : "PASS", calls, counts[1],
               counts[2], what);
    free(list.cases);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return counts[0] != 0;
}
