/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_bruck.c: radix r between nodes, whose ranks share memory.
 *
 * Idea: node_pair.c with bundles that are sent by the digits of the distance between nodes
 * (schedule/radix.h), sent by the first leader. Cost: K(N) messages per node, two copies of every
 * byte in the first and the last node. Memory: as node_pair.c, passing bundles included. Use: very
 * many nodes, tiny blocks. Source: this project; Fan 2025, sections 3 and 4.
 */
#include "algorithms/rows.h"

static int build_node_bruck(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                            const struct shunt_params *params)
{
    const struct shunt_radices radices = {1, {params->value[SHUNT_PARAM_RADIX]}};
    return shunt_schedule_radix(s, layout->nodes, layout->node_of[rank], &radices, 1,
                                SHUNT_SLOTS_TIGHT);
}

const struct shunt_algorithm shunt_algorithm_node_bruck = {
    .name = "node-bruck",
    .summary = "radix r between nodes, whose ranks share memory",
    .when = "very many nodes, tiny blocks",
    .citation = OURS,
    .kind = SHUNT_KIND_SEGMENT,
    .ops = SHUNT_OP_BOTH,
    .params = {ONE_RADIX(SHUNT_FORMULA_N, 2)},
    .build = build_node_bruck,
    .infeasible = shunt_needs_segment,
    .memory = shunt_memory_bundles,
};
