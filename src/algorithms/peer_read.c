/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peer_read.c: blocks read straight from the memory of the neighbour (process_vm_readv).
 *
 * Idea: ranks tell each other addresses through shared memory, pass a barrier, and read; another
 * barrier comes before buffers may change. The schedule is that of the messages that are sent where
 * the system refuses. Cost: no message; one copy of every byte, two barriers of the node. Memory:
 * addresses only, and a block where data are not plain. Use: all ranks on one node, large blocks.
 * Source: this project.
 */
#include "algorithms/rows.h"
#include "schedule/bundle.h"

static const char *needs_reading(const struct shunt_layout *layout,
                                 const struct shunt_params *params)
{
    return layout->peer_read ? shunt_needs_one_node(layout, params)
                             : "some rank may not read the memory of another";
}

/* The segment holds addresses only, for which the least room will do. One block is copied at a
 * time, at most. */
static int64_t memory_read(const struct shunt_layout *layout, const struct shunt_params *params,
                           int64_t block)
{
    (void)params;
    const int64_t shared = shunt_bundle_memory(layout, 1, layout->nodes, SHUNT_CAPACITY_LEAST);
    return block > INT64_MAX - shared ? INT64_MAX : shared + block;
}

const struct shunt_algorithm shunt_algorithm_peer_read = {
    .name = "peer-read",
    .summary = "blocks read straight from the memory of the neighbour (process_vm_readv)",
    .when = "all ranks on one node, large blocks",
    .citation = "this project",
    .kind = SHUNT_KIND_READ,
    .ops = SHUNT_OP_BOTH,
    .build = shunt_build_spread_out,
    .infeasible = needs_reading,
    .memory = memory_read,
};
