/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proposals.h: what learning tries where no rule says anything: a few settings for a layout, the
 * most promising first. Those that won in the measurements of tests/bench/results.txt, and the best
 * of the papers. Pure.
 */
#ifndef SHUNT_ROUTE_PROPOSALS_H
#define SHUNT_ROUTE_PROPOSALS_H

#include "route/route.h"

enum { SHUNT_PROPOSALS_MOST = 5 };

/*
 * Fills `rules` (array of SHUNT_PROPOSALS_MOST) with rules for this layout alone and these block
 * sizes, which can serve all of them within `memory` bytes, and `params` with their parameters.
 * Ids and files are 0. Returns how many.
 */
int shunt_proposals(struct shunt_rule *rules, struct shunt_params *params, enum shunt_op op,
                    const struct shunt_layout *layout, struct shunt_range block, int64_t memory);

#endif
