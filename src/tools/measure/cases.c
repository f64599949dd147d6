/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.c: sizes, buffers and contents of one case. */
#include <stdlib.h>
#include <string.h>

#include "tools/common/matrix.h"
#include "tools/common/tool.h"
#include "tools/measure/exchange.h"
#include "tools/measure/program.h"

enum { POISON = 0xa5 };
#define GUARD ((size_t)64) /* bytes */

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
static int64_t *share_matrix(const struct measure_world *world, const char *path, int *code,
                             char *diagnostic, size_t capacity)
{
    const size_t P = (size_t)world->size;
    int64_t *counts = measure_need(calloc(P * P, sizeof *counts));
    *code = world->rank == 0 ? read_matrix(path, world->size, counts, diagnostic, capacity)
                             : SHUNT_EXIT_OK;
    measure_must(PMPI_Bcast(code, 1, MPI_INT, 0, world->comm), "MPI_Bcast");
    for (size_t row = 0; row < P && *code == SHUNT_EXIT_OK; row++)
        measure_must(PMPI_Bcast(counts + row * P, world->size, MPI_INT64_T, 0, world->comm),
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

int measure_matrix_check(const struct measure_world *world, const char *path, char *diagnostic,
                         size_t capacity)
{
    int code = SHUNT_EXIT_OK;
    int64_t *counts = share_matrix(world, path, &code, diagnostic, capacity);
    if (counts && !matrix_fits(counts, world->size)) {
        snprintf(diagnostic, capacity,
                 "--distribution: %s: a rank would send or receive 2 GiB or more", path);
        code = SHUNT_EXIT_USAGE;
    }
    free(counts);
    return code;
}

bool measure_block_fits(int64_t block, int ranks, char *diagnostic, size_t capacity)
{
    if (block * ranks <= INT32_MAX)
        return true;
    snprintf(diagnostic, capacity,
             "--block: %lld bytes for each of %d ranks are 2 GiB or more per rank; take smaller "
             "blocks",
             (long long)block, ranks);
    return false;
}

/* This rank's row. */
static void fill_counts(struct measure_case *c)
{
    const struct measure_world *world = c->world;
    const int P = world->size;
    char diagnostic[400];
    int code;
    int64_t *row = measure_need(calloc((size_t)P, sizeof *row));
    if (c->distribution->shape == MEASURE_MATRIX) {
        int64_t *matrix =
            share_matrix(world, c->distribution->file, &code, diagnostic, sizeof diagnostic);
        if (matrix && matrix_fits(matrix, P))
            memcpy(row, matrix + (int64_t)world->rank * P, (size_t)P * sizeof *row);
        else /* it is another by now */
            measure_fail(MPI_ERR_FILE, "reading the file of counts again");
        free(matrix);
    } else {
        measure_distribution_row(c->distribution, world->seed, P, world->rank, c->block, row);
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

static void fill_send(const struct measure_case *c)
{
    const struct measure_world *world = c->world;
    for (int p = 0; p < world->size; p++)
        for (int i = 0; i < c->send_counts[p]; i++)
            c->send[c->send_displs[p] + i] = (char)content(world->rank, p, i);
}

static void find_sizes(struct measure_case *c)
{
    const struct measure_world *world = c->world;
    int64_t largest = 0, total = (int64_t)c->send_bytes;
    for (int p = 0; p < world->size; p++)
        largest = c->send_counts[p] > largest ? c->send_counts[p] : largest;
    measure_must(PMPI_Allreduce(&largest, &c->largest, 1, MPI_INT64_T, MPI_MAX, world->comm),
                 "MPI_Allreduce");
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, world->comm),
                 "MPI_Allreduce");
    c->mean = (double)total / world->size / world->size;
}

void measure_case_open(struct measure_case *c, const struct measure_world *world, enum shunt_op op,
                       const struct measure_distribution *distribution, int64_t block)
{
    const size_t P = (size_t)world->size;
    *c = (struct measure_case){
        .op = op, .world = world, .distribution = distribution, .block = block};
    c->send_counts = measure_need(calloc(4 * P, sizeof(int)));
    c->send_displs = c->send_counts + P;
    c->recv_counts = c->send_displs + P;
    c->recv_displs = c->recv_counts + P;
    fill_counts(c);
    measure_must(PMPI_Alltoall(c->send_counts, 1, MPI_INT, c->recv_counts, 1, MPI_INT, world->comm),
                 "MPI_Alltoall");
    c->send_bytes = (size_t)fill_displacements(c->send_counts, c->send_displs, world->size);
    c->recv_bytes = (size_t)fill_displacements(c->recv_counts, c->recv_displs, world->size);
    c->send = measure_need(malloc(c->send_bytes + 1));
    c->recv = (char *)measure_need(malloc(c->recv_bytes + 2 * GUARD)) + GUARD;
    fill_send(c);
    measure_case_poison(c); /* no page is touched for the first time while the clock runs */
    find_sizes(c);
}

void measure_case_close(struct measure_case *c)
{
    free(c->send_counts);
    free(c->send);
    free(c->recv - GUARD);
}

void measure_case_poison(struct measure_case *c)
{
    memset(c->recv - GUARD, POISON, c->recv_bytes + 2 * GUARD);
}

static bool guards_right(const struct measure_case *c)
{
    for (ptrdiff_t i = 1; i <= (ptrdiff_t)GUARD; i++)
        if ((unsigned char)c->recv[-i] != POISON ||
            (unsigned char)c->recv[(ptrdiff_t)c->recv_bytes + i - 1] != POISON)
            return false;
    return true;
}

bool measure_case_right(const struct measure_case *c)
{
    const struct measure_world *world = c->world;
    for (int p = 0; p < world->size; p++) {
        for (int i = 0; i < c->recv_counts[p]; i++)
            if ((unsigned char)c->recv[c->recv_displs[p] + i] != content(p, world->rank, i))
                return false;
        for (int i = 0; i < c->send_counts[p]; i++)
            if ((unsigned char)c->send[c->send_displs[p] + i] != content(world->rank, p, i))
                return false;
    }
    return guards_right(c);
}
