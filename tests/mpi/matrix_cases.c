/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which cases there are: pairwise, all of them, or at random.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "mpi4.h"
#include "pairwise.h"

/* Values of a row. Cases without counts per peer do not have the last two, cases in place not the
 * first two of `in place`. */
enum {
    D_OP,
    D_COMM,
    D_SIZE,
    D_RECV_SHAPE,
    D_RECV_BOTTOM,
    D_DIFFER,
    D_SEND_SHAPE,
    D_SEND_BOTTOM,
    D_COUNTS,
    D_PLACEMENT,
    D_ALL
};

static const int values[D_ALL] = {[D_OP] = 2,
                                  [D_COMM] = MATRIX_COMMS,
                                  [D_SIZE] = 6,
                                  [D_RECV_SHAPE] = MATRIX_SHAPES,
                                  [D_RECV_BOTTOM] = 2,
                                  [D_DIFFER] = 2,
                                  [D_SEND_BOTTOM] = 2,
                                  [D_SEND_SHAPE] = MATRIX_FAMILY_MOST,
                                  [D_COUNTS] = MATRIX_COUNTS,
                                  [D_PLACEMENT] = MATRIX_PLACEMENTS};

static const char *const op_names[] = {"MPI_Alltoall", "MPI_Alltoall_c", "MPI_Alltoallv",
                                       "MPI_Alltoallv_c"};
static const char *const comm_names[] = {"world", "its parity half", "reversed world",
                                         "dup of world"};
static const char *const count_names[] = {"uniform", "ragged", "sparse", "one large", "one sender"};
static const char *const placement_names[] = {"ascending", "gapped", "shuffled",
                                              "with negative displacements"};

void matrix_describe(const struct matrix_case *c, char *text, size_t capacity)
{
    int used = snprintf(text, capacity, "case %d: %s on %s, %d units, ", c->number, op_names[c->op],
                        comm_names[c->comm], c->units);
    size_t at = used < 0 ? 0 : (size_t)used;

    if (at < capacity && c->in_place)
        used = snprintf(text + at, capacity - at, "in place");
    else if (at < capacity)
        used = snprintf(text + at, capacity - at, "from %s%s", matrix_shape_name(c->send_shape),
                        c->send_bottom ? " at MPI_BOTTOM" : "");
    at += used < 0 ? 0 : (size_t)used;
    if (at < capacity)
        used = snprintf(text + at, capacity - at, " to %s%s%s", matrix_shape_name(c->recv_shape),
                        c->recv_bottom ? " at MPI_BOTTOM" : "",
                        c->differ ? " (other types on other ranks)" : "");
    at += used < 0 ? 0 : (size_t)used;
    if (at < capacity && matrix_is_v(c))
        snprintf(text + at, capacity - at, ", counts %s, blocks %s", count_names[c->counts],
                 placement_names[c->placement]);
}

int64_t matrix_units(const struct matrix_case *c, int ranks, int from, int to)
{
    uint64_t dice;

    if (c->in_place && from > to) {
        int swap = from;

        from = to;
        to = swap;
    }
    dice = pairwise_hash(c->salt + 3 + ((uint64_t)from << 32) + (uint64_t)to);
    if (!matrix_is_v(c) || c->units == 0)
        return c->units;
    switch (c->counts) {
    case MATRIX_RAGGED:
        return (int64_t)(dice % (uint64_t)(c->units + 1));
    case MATRIX_SPARSE: /* three of four are zero, the others halve and halve again */
        return dice % 4 != 0 ? 0 : c->units >> ((dice >> 8) % 8);
    case MATRIX_ONE_LARGE:
        return from == 0 && to == ranks / 2 ? c->units : (int64_t)(dice % 2);
    case MATRIX_ONE_SENDER:
        return from == 0 ? c->units : 0;
    default:
        return c->units;
    }
}

/*
 * MPICH 4.0.2 itself fails (MPI_ERR_TRUNCATE) with messages of more than 8 KiB whose datatype mixes
 * basic types and is not contiguous, so pairs stay below.
 */
static int units_of(int size, enum matrix_family family, int ranks)
{
    static const int units[] = {0, 1, 3, 17, 1000};

    if (family == MATRIX_PAIRS && size >= 4)
        return size == 4 ? 333 : 680;
    if (size < 5)
        return units[size];
    if (family == MATRIX_BYTES)
        return ranks <= 5 ? 40000 : 9000;
    return ranks <= 5 ? 5000 : 1200;
}

static void add(struct matrix_list *list, const struct matrix_case *c)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        list->cases = realloc(list->cases, (size_t)list->capacity * sizeof *list->cases);
        if (!list->cases) {
            fprintf(stderr, "matrix: out of memory\n");
            exit(1);
        }
    }
    list->cases[list->count] = *c;
    list->cases[list->count].number = list->count;
    list->count++;
}

/* The four kinds of call have dimensions of their own, so that no pair is lost on a call that
 * ignores one of its values. */
static int dimensions(bool v, bool in_place, int *of)
{
    int count = 0;

    for (int d = 0; d < D_ALL; d++) {
        bool ignored = (in_place && (d == D_SEND_SHAPE || d == D_SEND_BOTTOM)) ||
                       (!v && (d == D_COUNTS || d == D_PLACEMENT));

        if (!ignored)
            of[count++] = d;
    }
    return count;
}

static struct matrix_case decode(bool v, bool in_place, const int *row, int ranks, uint64_t seed)
{
    struct matrix_case c = {.in_place = in_place, .comm = row[D_COMM]};
    enum matrix_family family = matrix_shape_family(row[D_RECV_SHAPE]);

    c.op = v ? MATRIX_ALLTOALLV : MATRIX_ALLTOALL;
    if (has_mpi4())
        c.op += (unsigned)row[D_OP];
    c.recv_shape = row[D_RECV_SHAPE];
    c.send_shape = in_place ? c.recv_shape : matrix_shape_of(family, row[D_SEND_SHAPE]);
    c.differ = row[D_DIFFER] != 0;
    c.send_bottom = row[D_SEND_BOTTOM] != 0;
    c.recv_bottom = row[D_RECV_BOTTOM] != 0;
    c.units = units_of(row[D_SIZE], family, ranks);
    c.counts = (enum matrix_counts)row[D_COUNTS];
    c.placement = (enum matrix_placement)row[D_PLACEMENT];
    c.salt = pairwise_hash(seed);
    return c;
}

/* Calls with and without counts per peer alternate: a routed call of one kind has to cope with what
 * the other left behind. */
static void interleave(struct matrix_list *list)
{
    struct matrix_case *from = list->cases;

    for (int i = list->count - 1; i > 0; i--) {
        int j = (int)(pairwise_hash((uint64_t)i) % (uint64_t)(i + 1));
        struct matrix_case swap = from[i];

        from[i] = from[j];
        from[j] = swap;
    }
    for (int i = 0; i < list->count; i++)
        from[i].number = i;
}

void matrix_list_pairwise(struct matrix_list *list, int ranks, uint64_t seed)
{
    for (int kind = 0; kind < 4; kind++) {
        bool v = kind % 2 != 0, in_place = kind / 2 != 0;
        int of[D_ALL], size[D_ALL], rows;
        int count = dimensions(v, in_place, of);
        int *all;

        for (int d = 0; d < count; d++)
            size[d] = values[of[d]];
        all = pairwise_rows(count, size, seed + (uint64_t)kind, &rows);
        for (int i = 0; i < rows; i++) {
            int row[D_ALL] = {0};
            struct matrix_case c;

            for (int d = 0; d < count; d++)
                row[of[d]] = all[i * count + d];
            c = decode(v, in_place, row, ranks, seed + (uint64_t)list->count);
            add(list, &c);
        }
        free(all);
    }
    interleave(list);
}

void matrix_list_full(struct matrix_list *list, int ranks)
{
    for (int kind = 0; kind < 4; kind++) {
        bool v = kind % 2 != 0, in_place = kind / 2 != 0;
        int row[D_ALL] = {0}, of[D_ALL], d;
        int count = dimensions(v, in_place, of);

        do {
            struct matrix_case c = decode(v, in_place, row, ranks, (uint64_t)list->count);

            /* the numbers of send shapes wrap around within smaller families: the first turn has
             * them all */
            if (in_place || row[D_SEND_SHAPE] == 0 ||
                matrix_shape_of(matrix_shape_family(c.recv_shape), 0) + row[D_SEND_SHAPE] ==
                    c.send_shape)
                add(list, &c);
            for (d = count - 1; d >= 0 && ++row[of[d]] == values[of[d]]; d--)
                row[of[d]] = 0;
        } while (d >= 0);
    }
}

void matrix_list_random(struct matrix_list *list, int ranks, uint64_t seed, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t dice = pairwise_hash(seed * UINT64_C(1000003) + (uint64_t)i);
        bool v = dice % 4 != 0, in_place = dice % 5 == 0;
        int row[D_ALL];
        struct matrix_case c;

        for (int d = 0; d < D_ALL; d++) {
            dice = pairwise_hash(dice);
            row[d] = (int)(dice % (uint64_t)values[d]);
        }
        c = decode(v, in_place, row, ranks, dice);
        dice = pairwise_hash(dice);
        c.units = (int)(dice % 300) >> (dice >> 32) % 9; /* small ones more often */
        add(list, &c);
    }
}
