/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h: where the ranks of a communicator live.
 *
 * A layout is the same on every rank of the communicator. Nodes are numbered in the order of their
 * lowest rank, the ranks of a node ("local ranks") in ascending rank order, so that block placement
 * gives node = p / Q and local = p % Q.
 */
#ifndef SHUNT_SCHEDULE_LAYOUT_H
#define SHUNT_SCHEDULE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct shunt_layout {
    int ranks;   /* P >= 1 */
    int nodes;   /* N >= 1 */
    int ppn_min; /* fewest ranks on a node */
    int ppn_max; /* most ranks on a node: the Q of formulas and records */
    /* Largest block for which the ranks of every node were able to share memory: INT64_MAX before
     * anybody tried, -1: not at all. */
    int64_t segment_block;
    /* the ranks of a node can read each other's memory: true before anybody tried */
    bool peer_read;
    /* Some node has more ranks than processors that they may use; false before anybody knows. */
    bool oversubscribed;
    int *node_of;    /* array of P: node of each rank */
    int *local_of;   /* array of P: local rank of each rank */
    int *node_first; /* array of N+1: where the node's ranks begin in members */
    int *members;    /* array of P: ranks, grouped by node, ascending within each */
};

/* Number of ranks on a node. */
static inline int shunt_layout_ppn(const struct shunt_layout *layout, int node)
{
    return layout->node_first[node + 1] - layout->node_first[node];
}

/* Rank of local rank `local` of node `node`. */
static inline int shunt_layout_rank(const struct shunt_layout *layout, int node, int local)
{
    return layout->members[layout->node_first[node] + local];
}

/*
 * Builds a layout from one key per rank: ranks with equal keys share a node. keys: array of
 * `ranks`, any values; not kept. Returns 0, or -1 when memory is short (the layout is then empty).
 * Release with shunt_layout_clear.
 */
int shunt_layout_from_keys(struct shunt_layout *layout, int ranks, const int *keys);

/* `nodes` nodes of equal size, placed in blocks (the last node takes fewer when `ranks` is not a
 * multiple). Same returns. */
int shunt_layout_blocks(struct shunt_layout *layout, int ranks, int nodes);

/*
 * Subdivides the nodes of `layout`: each node's ranks, in order, are cut into pieces of the sizes
 * in `pieces` (repeated as often as needed; `count` of them, each >= 1), or, if `cyclic`, dealt to
 * pieces of these sizes in turn. A node never grows. Same returns; on failure `layout` is
 * unchanged.
 */
int shunt_layout_subdivide(struct shunt_layout *layout, const int *pieces, int count, bool cyclic);

/* Whether the ranks of every node follow each other. */
bool shunt_layout_in_blocks(const struct shunt_layout *layout);

/* Whether every rank is on the same node in both, and both are oversubscribed, or none. */
bool shunt_layout_same(const struct shunt_layout *a, const struct shunt_layout *b);

/* Makes a copy, with what was found out about memory. Same returns. */
int shunt_layout_copy(struct shunt_layout *layout, const struct shunt_layout *from);

/* Releases the arrays; the layout may be used again. */
void shunt_layout_clear(struct shunt_layout *layout);

#endif
