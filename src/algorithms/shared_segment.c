/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared_segment.c: blocks through memory that the ranks of the node share.
 *
 * Idea: every rank copies its blocks into its area of shared memory, a barrier, and every rank
 * copies out what is for it. Cost: no message; two copies of every byte and one barrier of the
 * node. Memory: twice all blocks, for calls take turns. Use: all ranks on one node, small and
 * middle blocks. Source: this project.
 */
#include "algorithms/rows.h"

const char *shunt_needs_segment(const struct shunt_layout *layout,
                                const struct shunt_params *params)
{
    (void)params;
    return layout->segment_block < 0 ? "the ranks of some node cannot share memory" : NULL;
}

const char *shunt_needs_one_node(const struct shunt_layout *layout,
                                 const struct shunt_params *params)
{
    return layout->nodes > 1 ? "the ranks are not all on one node"
                             : shunt_needs_segment(layout, params);
}

const struct shunt_algorithm shunt_algorithm_shared_segment = {
    .name = "shared-segment",
    .summary = "blocks copied through memory shared by the node's ranks",
    .when = "all ranks on one node, small and middle blocks",
    .citation = OURS,
    .kind = SHUNT_KIND_SEGMENT,
    .ops = SHUNT_OP_BOTH,
    .build = shunt_build_node_pair,
    .infeasible = shunt_needs_one_node,
    .memory = shunt_memory_bundles,
};
