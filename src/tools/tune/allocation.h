/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation.h: the nodes and ranks of the job, and layouts that parts of it have. */
#ifndef SHUNT_TUNE_ALLOCATION_H
#define SHUNT_TUNE_ALLOCATION_H

#include "schedule/layout.h"
#include "tools/tune/options.h"
#include "tools/tune/sweep.h"

struct tune_allocation {
    int ranks, nodes, ppn_min, ppn_max;
    int *node_of, *local_of; /* arrays of ranks, owned: nodes in the order of their first rank */
    int *ppn;                /* array of nodes, owned */
    bool oversubscribed;     /* more ranks than processors somewhere, set by whoever knows */
};

/* Collective over MPI_COMM_WORLD. */
void tune_allocation_find(struct tune_allocation *allocation);
/* Without MPI: `nodes` of `ppn` ranks each. */
void tune_allocation_make(struct tune_allocation *allocation, int nodes, int ppn);
void tune_allocation_clear(struct tune_allocation *allocation);

struct tune_place tune_allocation_whole(const struct tune_allocation *allocation);
/* False: there are not so many nodes with so many ranks, or not the node of rank 0. */
bool tune_allocation_part(const struct tune_allocation *allocation, int nodes, int ppn,
                          struct tune_place *place);
/* The layouts that are asked for, the largest first; array of TUNE_LAYOUTS_MOST. False with
 * `diagnostic` when there is none like that. */
bool tune_allocation_places(const struct tune_allocation *allocation,
                            const struct tune_options *options, struct tune_place *places,
                            int *count, char *diagnostic, size_t capacity);

/* Whether a rank takes part: the first ranks of the first nodes that have enough; rank 0 does. */
bool tune_allocation_takes(const struct tune_allocation *allocation, const struct tune_place *place,
                           int rank);
/* The layout of those, to be released. False when memory is short. */
bool tune_allocation_layout(const struct tune_allocation *allocation,
                            const struct tune_place *place, struct shunt_layout *layout);

#endif
