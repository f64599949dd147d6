/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exclusive_or.c: one exchange at a time with partner p xor i.
 *
 * Idea: both ends of an exchange are the same two ranks. Only for a power of two of ranks.
 * Cost: P - 1 messages, every byte once, P - 1 waits. Memory: none.
 * Use: very large blocks.
 * Source: Fan 2025, section 5.3; MPICH.
 */
#include "algorithms/rows.h"

static int build_exclusive_or(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                              const struct shunt_params *params)
{
    const int ranks = layout->ranks;
    (void)params;
    shunt_schedule_begin(s, ranks, rank);
    for (int i = 1; i < ranks; i++) {
        shunt_schedule_round(s);
        shunt_schedule_direct(s, rank ^ i, rank ^ i);
    }
    return shunt_schedule_end(s, 0);
}

static const char *needs_power_of_two(const struct shunt_layout *layout,
                                      const struct shunt_params *params)
{
    (void)params;
    return (layout->ranks & (layout->ranks - 1)) != 0 ? "the number of ranks is not a power of two"
                                                      : NULL;
}

const struct shunt_algorithm shunt_algorithm_exclusive_or = {
    .name = "exclusive-or",
    .summary = "direct, one exchange at a time with partner p xor i",
    .when = "very large blocks, a power of two of ranks: both ends of an exchange are the same two "
            "ranks",
    .citation = PARAMETERIZED ", section 5.3; MPICH",
    .kind = SHUNT_KIND_DIRECT,
    .ops = SHUNT_OP_BOTH,
    .build = build_exclusive_or,
    .infeasible = needs_power_of_two,
};
