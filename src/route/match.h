/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match.h: one rule against one communicator. The map and the explanation both go through here, so
 * that they cannot disagree. Private to the route room.
 */
#ifndef SHUNT_ROUTE_MATCH_H
#define SHUNT_ROUTE_MATCH_H

#include "route/route.h"

/*
 * Everything but the block size and the density: ranks, nodes, ranks per node, processors,
 * operation, feasibility. Fills `params` when it answers true. `reason` (may be NULL) gets the
 * first obstacle otherwise.
 */
bool shunt_match_layout(const struct shunt_rule *rule, enum shunt_op op,
                        const struct shunt_layout *layout, struct shunt_params *params,
                        char *reason, size_t capacity);

/* The cap that binds the rule, in bytes: its own, or the common one if that is smaller. A negative
 * memory_cap stands for the policy's. */
int64_t shunt_match_cap(const struct shunt_table *table, const struct shunt_rule *rule,
                        int64_t memory_cap);

/* The rule's block range, its upper end lowered to the largest block whose scratch memory fits
 * `cap`. False when no block remains. */
bool shunt_match_blocks(const struct shunt_rule *rule, const struct shunt_layout *layout,
                        const struct shunt_params *params, int64_t cap, struct shunt_range *blocks);

#endif
