/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.c: sizes, buffers and contents of one case. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bench/cases.h"
#include "tools/bench/fail.h"
#include "tools/matrix.h"
#include "tools/tool.h"

enum { POISON = 0xa5 };

/* Rank 0's part: an exit code. */
static int read_matrix(const char *path, int ranks, int64_t *counts, char *diagnostic,
                       size_t capacity)
{
    char reason[300];
    const int code = shunt_matrix_read(path, ranks, counts, reason, sizeof reason);
    if (code != SHUNT_EXIT_OK)
        snprintf(diagnostic, capacity, "--distribution: %s", reason);
    return code;
}

/* The matrix on all ranks (array of P*P, to be freed), or NULL with *code. */
static int64_t *share_matrix(const struct bench *bench, const char *path, int *code,
                             char *diagnostic, size_t capacity)
{
    const size_t P = (size_t)bench->size;
    int64_t *counts = bench_need(calloc(P * P, sizeof *counts));
    *code = bench->rank == 0 ? read_matrix(path, bench->size, counts, diagnostic, capacity)
                             : SHUNT_EXIT_OK;
    bench_must(PMPI_Bcast(code, 1, MPI_INT, 0, bench->world), "MPI_Bcast");
    for (size_t row = 0; row < P && *code == SHUNT_EXIT_OK; row++)
        bench_must(PMPI_Bcast(counts + row * P, bench->size, MPI_INT64_T, 0, bench->world),
                   "MPI_Bcast");
    if (*code == SHUNT_EXIT_OK)
        return counts;
    free(counts);
    return NULL;
}

/* Displacements are ints: whether every row and every column fits. */
static bool matrix_fits(const int64_t *counts, int ranks)
{
    for (int i = 0; i < ranks; i++) {
        int64_t row = 0, column = 0;
        for (int k = 0; k < ranks; k++) {
            row += counts[(int64_t)i * ranks + k];
            column += counts[(int64_t)k * ranks + i];
        }
        if (row > INT32_MAX || column > INT32_MAX)
            return false;
    }
    return true;
}

int bench_cases_check(struct bench *bench, char *diagnostic, size_t capacity)
{
    const struct bench_options *options = &bench->options;
    int code = SHUNT_EXIT_OK, matrices = 0;
    for (int i = 0; i < options->distribution_count; i++) {
        if (options->distributions[i].shape != BENCH_MATRIX)
            continue;
        const char *path = options->distributions[i].file;
        int64_t *counts = share_matrix(bench, path, &code, diagnostic, capacity);
        if (!counts)
            return code;
        const bool fits = matrix_fits(counts, bench->size);
        free(counts);
        matrices++;
        if (!fits) {
            snprintf(diagnostic, capacity,
                     "--distribution: %s: a rank would send or receive 2 GiB or more", path);
            return SHUNT_EXIT_USAGE;
        }
    }
    for (int i = 0; i < options->block_count; i++) {
        if (options->blocks[i] * bench->size > INT32_MAX) {
            snprintf(diagnostic, capacity,
                     "--block: %lld bytes for each of %d ranks are 2 GiB or more per rank; take "
                     "smaller blocks",
                     (long long)options->blocks[i], bench->size);
            return SHUNT_EXIT_USAGE;
        }
    }
    /* Sizes come from the file: one case, whatever the blocks. Alltoall has blocks of one size: one
     * case, whatever the distribution. */
    if (options->op[SHUNT_OP_ALLTOALL])
        bench->case_count += options->block_count;
    if (options->op[SHUNT_OP_ALLTOALLV])
        bench->case_count +=
            (options->distribution_count - matrices) * options->block_count + matrices;
    return code;
}

/* This rank's row. */
static void fill_counts(struct bench *bench, struct bench_case *c)
{
    const int P = bench->size;
    char diagnostic[400];
    int code;
    int64_t *row = bench_need(calloc((size_t)P, sizeof *row));
    if (c->distribution->shape == BENCH_MATRIX) {
        int64_t *matrix =
            share_matrix(bench, c->distribution->file, &code, diagnostic, sizeof diagnostic);
        if (matrix)
            memcpy(row, matrix + (int64_t)bench->rank * P, (size_t)P * sizeof *row);
        else
            bench_fail(MPI_ERR_FILE, "reading the file of counts again");
        free(matrix);
    } else {
        bench_distribution_row(c->distribution, bench->options.seed, P, bench->rank, c->block, row);
    }
    for (int p = 0; p < P; p++)
        c->send_counts[p] = (int)row[p];
    free(row);
}

/* Returns the sum. */
static int64_t fill_displacements(const int *counts, int *displs, int ranks)
{
    int64_t sum = 0;
    for (int p = 0; p < ranks; p++) {
        displs[p] = (int)sum;
        sum += counts[p];
    }
    return sum;
}

static unsigned char content(int from, int to, int at)
{
    const unsigned i = (unsigned)at;
    return (unsigned char)((unsigned)from * 167 + (unsigned)to * 59 + i * 3 + i / 251);
}

static void fill_send(const struct bench *bench, struct bench_case *c)
{
    for (int p = 0; p < bench->size; p++)
        for (int i = 0; i < c->send_counts[p]; i++)
            c->send[c->send_displs[p] + i] = (char)content(bench->rank, p, i);
}

static void find_sizes(const struct bench *bench, struct bench_case *c)
{
    int64_t largest = 0, total = (int64_t)c->send_bytes;
    for (int p = 0; p < bench->size; p++)
        largest = c->send_counts[p] > largest ? c->send_counts[p] : largest;
    bench_must(PMPI_Allreduce(&largest, &c->largest, 1, MPI_INT64_T, MPI_MAX, bench->world),
               "MPI_Allreduce");
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, bench->world),
               "MPI_Allreduce");
    c->mean = (double)total / bench->size / bench->size;
}

void bench_case_open(struct bench *bench, struct bench_case *c, enum shunt_op op,
                     const struct bench_distribution *distribution, int64_t block)
{
    const size_t P = (size_t)bench->size;
    *c = (struct bench_case){
        .op = op, .world = bench->world, .distribution = distribution, .block = block};
    c->send_counts = bench_need(calloc(4 * P, sizeof(int)));
    c->send_displs = c->send_counts + P;
    c->recv_counts = c->send_displs + P;
    c->recv_displs = c->recv_counts + P;
    fill_counts(bench, c);
    bench_must(PMPI_Alltoall(c->send_counts, 1, MPI_INT, c->recv_counts, 1, MPI_INT, bench->world),
               "MPI_Alltoall");
    c->send_bytes = (size_t)fill_displacements(c->send_counts, c->send_displs, bench->size);
    c->recv_bytes = (size_t)fill_displacements(c->recv_counts, c->recv_displs, bench->size);
    c->send = bench_need(malloc(c->send_bytes + 1));
    c->recv = (char *)bench_need(malloc(c->recv_bytes + 2 * BENCH_GUARD)) + BENCH_GUARD;
    fill_send(bench, c);
    bench_case_poison(c); /* no page is touched for the first time while the clock runs */
    find_sizes(bench, c);
}

void bench_case_close(struct bench_case *c)
{
    free(c->send_counts);
    free(c->send);
    free(c->recv - BENCH_GUARD);
}

void bench_case_poison(struct bench_case *c)
{
    memset(c->recv - BENCH_GUARD, POISON, c->recv_bytes + 2 * BENCH_GUARD);
}

static bool guards_right(const struct bench_case *c)
{
    for (ptrdiff_t i = 1; i <= (ptrdiff_t)BENCH_GUARD; i++)
        if ((unsigned char)c->recv[-i] != POISON ||
            (unsigned char)c->recv[(ptrdiff_t)c->recv_bytes + i - 1] != POISON)
            return false;
    return true;
}

bool bench_case_right(const struct bench *bench, const struct bench_case *c)
{
    for (int p = 0; p < bench->size; p++) {
        for (int i = 0; i < c->recv_counts[p]; i++)
            if ((unsigned char)c->recv[c->recv_displs[p] + i] != content(p, bench->rank, i))
                return false;
        for (int i = 0; i < c->send_counts[p]; i++)
            if ((unsigned char)c->send[c->send_displs[p] + i] != content(bench->rank, p, i))
                return false;
    }
    return guards_right(c);
}
