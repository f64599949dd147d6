/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes.c: on which nodes the ranks of communicators are: calls of equal shapes are like calls,
 * and a table decides for a shape. */
#include <stdlib.h>
#include <string.h>

#include "tools/common/shape.h"
#include "tools/report/report.h"

void shunt_report_shapes_clear(struct shunt_report_calls *calls)
{
    for (uint32_t i = 0; i < calls->shape_count; i++) {
        struct shunt_report_shape *shape = &calls->shapes[i];
        for (int op = 0; op < SHUNT_OP_COUNT; op++) {
            if (shape->used_mapped[op])
                shunt_map_clear(&shape->used[op]);
            if (shape->other_mapped[op])
                shunt_map_clear(&shape->other[op]);
        }
        if (shape->placed)
            shunt_layout_clear(&shape->layout);
        free(shape->sizes);
    }
    free(calls->shapes);
    calls->shapes = NULL;
    calls->shape_count = 0;
}

static bool same_sizes(const int *a, const int *b, int count)
{
    return a == b || (a && b && memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

/* Whether as many ranks as that are on the nodes. */
static bool adds_up(const int *sizes, int nodes, int ranks)
{
    int64_t sum = 0;
    for (int i = 0; i < nodes; i++)
        sum += sizes[i];
    return sum == ranks;
}

/* The nodes in blocks of ranks, which is all that decisions and costs look at. */
static bool place(struct shunt_report_shape *shape)
{
    const int ranks = shape->ranks, nodes = shape->nodes;
    if (ranks < 1 || ranks > SHUNT_RANKS_MAX || nodes < 1 || nodes > ranks)
        return true;
    if (!shape->sizes) {
        /* Nodes of equal size, or it is not known which are smaller. */
        if ((int64_t)nodes * shape->ppn != ranks)
            return true;
        shape->placed = shunt_layout_blocks(&shape->layout, ranks, nodes) == 0;
        return shape->placed;
    }
    if (!adds_up(shape->sizes, nodes, ranks))
        return true;
    int *keys = malloc((size_t)ranks * sizeof *keys);
    for (int node = 0, rank = 0; keys && node < nodes; node++)
        for (int i = 0; i < shape->sizes[node]; i++)
            keys[rank++] = node;
    shape->placed = keys && shunt_layout_from_keys(&shape->layout, ranks, keys) == 0;
    free(keys);
    return shape->placed;
}

/* The place of such a shape, made when missing; UINT32_MAX when memory is short. */
static uint32_t find(struct shunt_report_calls *calls, int ranks, int nodes, int ppn,
                     const int *sizes)
{
    for (uint32_t i = 0; i < calls->shape_count; i++) {
        const struct shunt_report_shape *shape = &calls->shapes[i];
        if (shape->ranks == ranks && shape->nodes == nodes && shape->ppn == ppn &&
            same_sizes(shape->sizes, sizes, nodes))
            return i;
    }
    struct shunt_report_shape *list =
        realloc(calls->shapes, ((size_t)calls->shape_count + 1) * sizeof *list);
    if (!list)
        return UINT32_MAX;
    calls->shapes = list;
    struct shunt_report_shape *shape = &list[calls->shape_count];
    *shape = (struct shunt_report_shape){.ranks = ranks, .nodes = nodes, .ppn = ppn};
    if (sizes && nodes > 0) {
        const size_t bytes = (size_t)nodes * sizeof *sizes;
        shape->sizes = malloc(bytes);
        if (!shape->sizes)
            return UINT32_MAX;
        memcpy(shape->sizes, sizes, bytes);
    }
    calls->shape_count++;
    return place(shape) ? calls->shape_count - 1 : UINT32_MAX;
}

bool shunt_report_shapes_find(struct shunt_report_calls *calls)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        struct shunt_report_row *row = &calls->rows[i];
        const struct shunt_report_communicator *communicator =
            &calls->communicators[row->communicator];
        row->shape = row->communicator > 0
                         ? find(calls, row->ranks, communicator->nodes, communicator->ppn,
                                communicator->ranks == row->ranks ? communicator->sizes : NULL)
                         : find(calls, row->ranks, row->nodes, row->ppn, NULL);
        if (row->shape == UINT32_MAX)
            return false;
        row->nodes = calls->shapes[row->shape].nodes;
        row->ppn = calls->shapes[row->shape].ppn;
        row->cell.key.ranks = (int)row->shape;
    }
    return true;
}
