/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parlinna_shared.c: parlinna-coalesced whose node phase is shared memory.
 *
 * Idea: rank h of each other node gets the blocks of all ranks of this node in one message, which
 * the local rank h % Qn puts together from the blocks that its neighbours have copied into shared
 * memory. Inside the node nothing is sent at all. Cost: two copies inside the node; N - 1 messages
 * (equal nodes) of Q blocks, batch_size of them in flight, while which the blocks of later ones are
 * copied in, in `parts` with a barrier each. Memory: the node's shared memory and the
 * messages of one call. Use: several ranks per node, middle blocks. Source: this project; two
 * levels as in Fan 2025, section 4.
 */
#include "algorithms/rows.h"
#include "schedule/bundle.h"

struct side {
    struct shunt_schedule *schedule;
    const struct shunt_layout *layout;
    int node, local, ppn;
};

/* The local rank of node `from` that collects for this rank. */
static int collector_rank(const struct side *side, int from)
{
    return shunt_layout_rank(side->layout, from,
                             side->local % shunt_layout_ppn(side->layout, from));
}

/*
 * Messages between this node and those at distance k. The first message sent shares its step with
 * the one received. A place to send from is the rank of the neighbour whose block for the receiver
 * it is.
 */
static void shared_steps(const struct side *side, int k)
{
    const struct shunt_layout *layout = side->layout;
    const int N = layout->nodes, to = (side->node - k + N) % N, from = (side->node + k) % N;
    int received = 0, h = side->local;
    do {
        const int sends = h < shunt_layout_ppn(layout, to);
        shunt_schedule_step(side->schedule, sends ? shunt_layout_rank(layout, to, h) : -1,
                            received ? -1 : collector_rank(side, from));
        shunt_schedule_final(side->schedule);
        for (int a = 0; sends && a < side->ppn; a++)
            shunt_schedule_send(side->schedule,
                                (shunt_ref)shunt_layout_rank(layout, side->node, a));
        for (int a = 0; !received && a < shunt_layout_ppn(layout, from); a++)
            shunt_schedule_recv(side->schedule, (shunt_ref)shunt_layout_rank(layout, from, a));
        received = 1;
        h += side->ppn;
    } while (h < shunt_layout_ppn(layout, to));
}

static int schedule_shared(struct shunt_schedule *schedule, const struct shunt_layout *layout,
                           int rank, int64_t batch)
{
    const int node = layout->node_of[rank];
    const struct side side = {.schedule = schedule,
                              .layout = layout,
                              .node = node,
                              .local = layout->local_of[rank],
                              .ppn = shunt_layout_ppn(layout, node)};
    shunt_schedule_begin(schedule, layout->ranks, rank);
    for (int k = 1; k < layout->nodes; k++) {
        if ((k - 1) % batch == 0)
            shunt_schedule_round(schedule);
        shared_steps(&side, k);
    }
    return shunt_schedule_end(schedule, 0);
}

static int build_shared(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                        const struct shunt_params *params)
{
    return schedule_shared(s, layout, rank, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int64_t memory_shared(const struct shunt_layout *layout, const struct shunt_params *params,
                             int64_t block)
{
    return block > layout->segment_block
               ? INT64_MAX
               : shunt_collect_memory(layout, params->value[SHUNT_PARAM_BATCH_SIZE],
                                      shunt_capacity_of(block));
}

const struct shunt_algorithm shunt_algorithm_parlinna_shared = {
    .name = "parlinna-shared",
    .summary = "parlinna-coalesced whose node phase is shared memory",
    .when = "several ranks per node, middle blocks",
    .citation = OURS,
    .kind = SHUNT_KIND_COLLECT,
    .ops = SHUNT_OP_BOTH,
    .params = {BATCH(SHUNT_FORMULA_N_LESS_1, 32), PARTS},
    .build = build_shared,
    .infeasible = shunt_needs_segment,
    .memory = memory_shared,
};
