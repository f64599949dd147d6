/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.h: the settings of every algorithm that are worth asking about, for a layout: for
 * predictions, for the choice without a rule, and for the tuner.
 *
 * Values are symbolic where the field knows them so (sqrt(P), Q): a rule made from one holds for
 * other sizes as well.
 */
#ifndef SHUNT_MODEL_CANDIDATES_H
#define SHUNT_MODEL_CANDIDATES_H

#include <stddef.h>

#include "algorithms/registry.h"

struct shunt_candidate {
    const struct shunt_algorithm *algorithm;
    unsigned present; /* bit per value given, as in rules */
    struct shunt_value given[SHUNT_VALUE_COUNT];
    struct shunt_params params; /* evaluated for the layout */
};

struct shunt_candidates {
    size_t count;
    struct shunt_candidate *candidate; /* array of count; native is the first */
};

/*
 * All that can serve the operation on this layout and need at most `memory` bytes (negative: any)
 * for such blocks; of settings that come to the same schedule the first, and a row's presets before
 * its other settings. In the order of the registry. Those without a schedule are left out, but for
 * native: they have no bound (bound.h), and what they cost hangs on what the MPI library is taken
 * to do for both sides of a comparison, so that no choice is made by it. Returns 0, or -1 when
 * memory is short. Release in any case.
 */
int shunt_candidates_make(struct shunt_candidates *candidates, enum shunt_op op,
                          const struct shunt_layout *layout, int64_t block, int64_t memory);
/* Adds those that leave the blocks to the MPI library under another name than native
 * (padded-alltoall): predictions list them, for cost.h knows what the library is taken to do. Same
 * returns. */
int shunt_candidates_add_library(struct shunt_candidates *candidates, enum shunt_op op,
                                 const struct shunt_layout *layout, int64_t block, int64_t memory);
void shunt_candidates_clear(struct shunt_candidates *candidates);

#endif
