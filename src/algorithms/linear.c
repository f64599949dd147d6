/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear.c: all messages in flight at once, partners in ascending order.
 *
 * Idea: as simple as can be; every rank begins with rank 0, which is what spread-out avoids.
 * Cost: P - 1 messages, every byte once, one wait. Memory: none.
 * Use: baseline for spread-out.
 * Source: Fan 2025, section 2(d); Open MPI.
 */
#include "algorithms/rows.h"

static int build_linear(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                        const struct shunt_params *params)
{
    const int ranks = layout->ranks;
    (void)params;
    shunt_schedule_begin(s, ranks, rank);
    shunt_schedule_round(s);
    for (int peer = 0; peer < ranks; peer++)
        if (peer != rank)
            shunt_schedule_direct(s, peer, peer);
    return shunt_schedule_end(s, 0);
}

const struct shunt_algorithm shunt_algorithm_linear = {
    .name = "linear",
    .summary = "direct, all messages in flight at once, in ascending rank order",
    .when = "baseline for spread-out, which does not send to one rank first from everywhere",
    .citation = PARAMETERIZED ", section 2(d); Open MPI",
    .kind = SHUNT_KIND_DIRECT,
    .ops = SHUNT_OP_BOTH,
    .build = build_linear,
};
