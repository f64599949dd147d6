/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c: nodes, local ranks and their order. */
#include "schedule/layout.h"

#include <stdlib.h>
#include <string.h>

struct keyed_rank {
    int key, rank;
};

static int by_key_then_rank(const void *left, const void *right)
{
    const struct keyed_rank *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int layout_reserve(struct shunt_layout *layout, int ranks)
{
    const size_t n = (size_t)ranks;
    memset(layout, 0, sizeof *layout);
    layout->ranks = ranks;
    layout->segment_block = INT64_MAX;
    layout->peer_read = true;
    layout->node_of = calloc(n, sizeof(int));
    layout->local_of = calloc(n, sizeof(int));
    layout->node_first = calloc(n + 1, sizeof(int));
    layout->members = calloc(n, sizeof(int));
    if (layout->node_of && layout->local_of && layout->node_first && layout->members)
        return 0;
    shunt_layout_clear(layout);
    return -1;
}

/* node_of is filled, with nodes numbered by first appearance; derives everything else. */
static void layout_finish(struct shunt_layout *layout, int nodes)
{
    layout->nodes = nodes;
    for (int p = 0; p < layout->ranks; p++)
        layout->local_of[p] = layout->node_first[layout->node_of[p] + 1]++; /* counts, for now */
    layout->ppn_min = layout->ppn_max = layout->node_first[1];
    for (int n = 0; n < nodes; n++) {
        const int count = layout->node_first[n + 1];
        if (count < layout->ppn_min)
            layout->ppn_min = count;
        if (count > layout->ppn_max)
            layout->ppn_max = count;
        layout->node_first[n + 1] += layout->node_first[n];
    }
    for (int p = 0; p < layout->ranks; p++)
        layout->members[layout->node_first[layout->node_of[p]] + layout->local_of[p]] = p;
}

int shunt_layout_from_keys(struct shunt_layout *layout, int ranks, const int *keys)
{
    if (layout_reserve(layout, ranks))
        return -1;
    struct keyed_rank *sorted = calloc((size_t)ranks, sizeof *sorted);
    if (!sorted) {
        shunt_layout_clear(layout);
        return -1;
    }
    bool ascending = true;
    for (int p = 0; p < ranks; p++) {
        sorted[p] = (struct keyed_rank){keys[p], p};
        ascending = ascending && (p == 0 || keys[p - 1] <= keys[p]);
    }
    if (!ascending)
        qsort(sorted, (size_t)ranks, sizeof *sorted, by_key_then_rank);
    /* local_of holds the lowest rank that shares the key, until layout_finish. */
    int lowest = 0;
    for (int i = 0; i < ranks; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            lowest = sorted[i].rank;
        layout->local_of[sorted[i].rank] = lowest;
    }
    free(sorted);
    int nodes = 0;
    for (int p = 0; p < ranks; p++)
        layout->node_of[p] =
            layout->local_of[p] == p ? nodes++ : layout->node_of[layout->local_of[p]];
    layout_finish(layout, nodes);
    return 0;
}

int shunt_layout_blocks(struct shunt_layout *layout, int ranks, int nodes)
{
    if (layout_reserve(layout, ranks))
        return -1;
    const int ppn = (ranks + nodes - 1) / nodes;
    int used = 0;
    for (int p = 0; p < ranks; p++) {
        layout->node_of[p] = p / ppn;
        used = p / ppn + 1;
    }
    layout_finish(layout, used);
    return 0;
}

/* Cuts `ranks` ranks of a node into pieces, from number *next on: fills in their sizes. Returns how
 * many there are. */
static int cut(int *sizes, int ranks, const int *pieces, int count, int *next)
{
    int cuts = 0, left = ranks; /* a node has one at least */
    do {
        sizes[cuts] = pieces[*next] < left ? pieces[*next] : left;
        left -= sizes[cuts++];
        *next = (*next + 1) % count;
    } while (left > 0);
    return cuts;
}

int shunt_layout_subdivide(struct shunt_layout *layout, const int *pieces, int count, bool cyclic)
{
    int *keys = calloc((size_t)layout->ranks, sizeof *keys),
        *left = calloc((size_t)layout->ranks, sizeof *left); /* in each piece of a node */
    int key = 0, next = 0, status = -1;
    for (int n = 0; keys && left && n < layout->nodes; n++) {
        const int cuts = cut(left, shunt_layout_ppn(layout, n), pieces, count, &next);
        int at = 0;
        for (int i = layout->node_first[n]; i < layout->node_first[n + 1]; i++) {
            while (left[at] == 0)
                at = (at + 1) % cuts;
            keys[layout->members[i]] = key + at;
            left[at]--;
            at = cyclic ? (at + 1) % cuts : at;
        }
        key += cuts;
    }
    struct shunt_layout finer;
    if (keys && left)
        status = shunt_layout_from_keys(&finer, layout->ranks, keys);
    free(keys);
    free(left);
    if (status)
        return -1;
    finer.oversubscribed = layout->oversubscribed;
    shunt_layout_clear(layout);
    *layout = finer;
    return 0;
}

bool shunt_layout_in_blocks(const struct shunt_layout *layout)
{
    for (int p = 0; p < layout->ranks; p++)
        if (layout->members[p] != p)
            return false;
    return true;
}

bool shunt_layout_same(const struct shunt_layout *a, const struct shunt_layout *b)
{
    return a->ranks == b->ranks && a->nodes == b->nodes && a->oversubscribed == b->oversubscribed &&
           memcmp(a->node_of, b->node_of, (size_t)a->ranks * sizeof *a->node_of) == 0;
}

int shunt_layout_copy(struct shunt_layout *layout, const struct shunt_layout *from)
{
    if (layout_reserve(layout, from->ranks))
        return -1;
    memcpy(layout->node_of, from->node_of, (size_t)from->ranks * sizeof *from->node_of);
    layout_finish(layout, from->nodes);
    layout->segment_block = from->segment_block;
    layout->peer_read = from->peer_read;
    layout->oversubscribed = from->oversubscribed;
    return 0;
}

void shunt_layout_clear(struct shunt_layout *layout)
{
    free(layout->node_of);
    free(layout->local_of);
    free(layout->node_first);
    free(layout->members);
    memset(layout, 0, sizeof *layout);
}
