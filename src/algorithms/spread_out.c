/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread_out.c: every block straight to its destination, all messages in flight at once.
 *
 * Idea: rank p sends to p - 1, p - 2, ... and receives from p + 1, p + 2, ..., so that no rank is
 * the first of all others. Cost: P - 1 messages, every byte once, one wait. Memory: none. Use: few
 * ranks, or large blocks on a network that does not congest. Source: Fan 2025, section 2(d).
 */
#include "algorithms/rows.h"

int shunt_build_spread_out(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_batches(s, layout->ranks, rank, layout->ranks);
}

const struct shunt_algorithm shunt_algorithm_spread_out = {
    .name = "spread-out",
    .summary = "direct, all messages in flight at once",
    .when = "few ranks or large blocks on a network without congestion",
    .citation = PARAMETERIZED ", section 2(d)",
    .kind = SHUNT_KIND_DIRECT,
    .ops = SHUNT_OP_BOTH,
    .build = shunt_build_spread_out,
};
