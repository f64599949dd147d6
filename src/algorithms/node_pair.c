/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_pair.c: one message per pair of nodes.
 *
 * Idea: the ranks of a node copy their blocks into shared memory; its leaders send one bundle to
 * each other node, in fragments; every rank copies out what is for it. Each leader has a part of
 * the nodes or, where there are twice as many leaders as other nodes, a part of one node's bundle
 * (schedule/bundle.h). The schedule is one of nodes. Cost: N - 1 bundles per node, two copies of
 * every byte in each node, two barriers. Memory: the node's shared memory, arriving bundles. Use:
 * several ranks per node, small and middle blocks. Source: this project; two levels as in Fan 2025,
 * section 4.
 */
#include "algorithms/rows.h"
#include "schedule/bundle.h"

/* Schedules of nodes. */
int shunt_build_node_pair(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                          const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_batches(s, layout->nodes, layout->node_of[rank], layout->nodes);
}

int64_t shunt_memory_bundles(const struct shunt_layout *layout, const struct shunt_params *params,
                             int64_t block)
{
    const int64_t radix = params->value[SHUNT_PARAM_RADIX],
                  leaders = params->value[SHUNT_PARAM_LEADERS];
    if (block > layout->segment_block)
        return INT64_MAX;
    return shunt_bundle_memory(layout, leaders < layout->ppn_min ? leaders : layout->ppn_min,
                               radix ? radix : layout->nodes, shunt_capacity_of(block));
}

const struct shunt_algorithm shunt_algorithm_node_pair = {
    .name = "node-pair",
    .summary = "one message per pair of nodes, shared by the leaders of each",
    .when = "several ranks per node, small and middle blocks",
    .citation = OURS,
    .kind = SHUNT_KIND_SEGMENT,
    .ops = SHUNT_OP_BOTH,
    .params = {LEADERS(1), FRAGMENT},
    .build = shunt_build_node_pair,
    .infeasible = shunt_needs_segment,
    .memory = shunt_memory_bundles,
};
