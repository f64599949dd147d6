/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h: layouts that parts of a job have, to be measured one after the other. No MPI. */
#ifndef SHUNT_TUNE_PLACE_H
#define SHUNT_TUNE_PLACE_H

#include "schedule/layout.h"
#include "tools/measure/facts.h"
#include "tools/tune/options.h"

/* What rules test of a layout. */
struct tune_place {
    int ranks, nodes, ppn_min, ppn_max;
};

bool tune_place_same(const struct tune_place *a, const struct tune_place *b);
/* "2x8"; with nodes of several sizes "4x1-8". */
void tune_place_print(const struct tune_place *place, char *text, size_t capacity);

struct tune_place tune_place_whole(const struct measure_nodes *job);
/* False: there are not so many nodes with so many ranks, or not the node of rank 0. */
bool tune_place_part(const struct measure_nodes *job, int nodes, int ppn, struct tune_place *place);
/* The layouts that are asked for, the largest first; array of TUNE_LAYOUTS_MOST. False with
 * `diagnostic` when there is none like that. */
bool tune_place_list(const struct measure_nodes *job, const struct tune_options *options,
                     struct tune_place *places, int *count, char *diagnostic, size_t capacity);

/* Whether a rank takes part: the first ranks of the first nodes that have enough; rank 0 does. */
bool tune_place_takes(const struct measure_nodes *job, const struct tune_place *place, int rank);
/* The layout of those, to be released. False when memory is short. */
bool tune_place_layout(const struct measure_nodes *job, const struct tune_place *place,
                       bool oversubscribed, struct shunt_layout *layout);

#endif
