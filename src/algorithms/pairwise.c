/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairwise.c: one exchange at a time.
 *
 * Idea: in step i rank p sends to p + i and receives from p - i, and waits for both before the next
 * step. Cost: P - 1 messages, every byte once, P - 1 waits. Memory: none. Use: very large blocks.
 * Source: Fan 2025, section 2(d); Open MPI.
 */
#include "algorithms/rows.h"

static int build_pairwise(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                          const struct shunt_params *params)
{
    const int ranks = layout->ranks;
    (void)params;
    shunt_schedule_begin(s, ranks, rank);
    for (int i = 1; i < ranks; i++) {
        shunt_schedule_round(s);
        shunt_schedule_direct(s, (int)(((int64_t)rank + i) % ranks),
                              (int)(((int64_t)rank - i + ranks) % ranks));
    }
    return shunt_schedule_end(s, 0);
}

const struct shunt_algorithm shunt_algorithm_pairwise = {
    .name = "pairwise",
    .summary = "direct, one exchange at a time",
    .when = "very large blocks",
    .citation = PARAMETERIZED ", section 2(d); Open MPI",
    .kind = SHUNT_KIND_DIRECT,
    .ops = SHUNT_OP_BOTH,
    .build = build_pairwise,
};
