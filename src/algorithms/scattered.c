/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scattered.c: spread-out in batches.
 *
 * Idea: at most batch_size messages in flight each way; the next batch begins when all of the last
 * one are done. Cost: P - 1 messages, every byte once, ceil((P - 1) / batch_size) waits. Memory:
 * none. Use: large blocks, where spread-out congests the network. Source: Fan 2025, section 2(d);
 * MPICH.
 */
#include "algorithms/rows.h"

static int build_scattered(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    return shunt_schedule_batches(s, layout->ranks, rank, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

const struct shunt_algorithm shunt_algorithm_scattered = {
    .name = "scattered",
    .summary = "direct, batch_size messages in flight",
    .when = "large blocks, when spread-out congests the network",
    .citation = PARAMETERIZED ", section 2(d); MPICH",
    .kind = SHUNT_KIND_DIRECT,
    .ops = SHUNT_OP_BOTH,
    .params = {BATCH(SHUNT_FORMULA_P_LESS_1, 32)},
    .build = build_scattered,
};
