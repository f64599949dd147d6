/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle.c: executes schedules between nodes whose ranks share memory (shared-segment, node-pair,
 * node-bruck).
 *
 * Idea: every rank copies its blocks into the node's segment, ordered by destination node. Leaders
 * of the node send one bundle per pair of nodes, several a part each where there are more leaders
 * than other nodes, into the other node's segment, where its ranks pick their blocks. Sizes go with
 * the blocks, and so does the agreement of an Alltoallv: nothing reaches a user's buffer before all
 * values are known to fit. Cost: one barrier of the node, N - 1 messages per node (shared by
 * `leaders`; K(N, radix) rounds for node-bruck), one copy in, one into the message, one out. On one
 * node: one barrier, one copy in, one out. A bundle of more than `fragment` bytes becomes several
 * messages: short ones cross most networks without the handshake that a long one waits for. Use:
 * small and middle blocks, several ranks per node. Source: ours; the two levels follow Fan 2025,
 * section 4.
 */
#include <string.h>

#include "comm/agree.h"
#include "comm/node.h"
#include "comm/wait.h"
#include "execute/area.h"
#include "execute/blocks.h"
#include "execute/bundle_run.h"

/* INT64_MAX where no bundle of this call can be longer than what the rule says. */
static int64_t fragment_of(const struct shunt_bundle_run *run)
{
    const int most = run->layout->ppn_max;
    const int64_t fragment = shunt_plan_params(run->plan)->value[SHUNT_PARAM_FRAGMENT];
    return run->framed || shunt_bundle_run_most(run, most, most) <= fragment ? INT64_MAX : fragment;
}

/* What only messages between nodes need. */
static void start_between_nodes(struct shunt_bundle_run *run)
{
    const struct shunt_node *node = &run->x->comm->node;
    const int64_t leaders = shunt_plan_params(run->plan)->value[SHUNT_PARAM_LEADERS];
    run->framed = shunt_plan_params(run->plan)->value[SHUNT_PARAM_RADIX] != 0;
    run->leaders = run->framed ? 1 : shunt_bundle_leaders(node->ppn, leaders);
    run->parts = shunt_bundle_parts(run->layout, leaders);
    run->fragment = fragment_of(run);
    run->transport = run->messages.status;
    run->present = false;
    run->node_values = (struct shunt_agreement){0};
    run->out = NULL;
    run->arrivals = node->shared.data + (size_t)run->half * node->shared.half_bytes;
    run->in = run->arrivals + shunt_arrival_headers(run->layout);
}

/* Field by field: clearing all of it takes as long as the rest of a call of few bytes. */
static void start(struct shunt_bundle_run *run, struct shunt_exchange *x, struct shunt_plan *plan)
{
    run->x = x;
    run->plan = plan;
    run->state = shunt_share_state(plan);
    run->layout = &x->comm->layout;
    run->half = run->state->half;
    run->uniform = x->op == SHUNT_OP_ALLTOALL;
    shunt_messages_begin(&run->messages, x->comm, plan);
    run->leaders = run->parts = 0;
    run->arrivals = NULL;
    if (run->layout->nodes > 1)
        start_between_nodes(run);
}

/* After the barrier, between nodes: the leaders' messages, then everybody learns what they brought.
 */
static void meet_nodes(struct shunt_bundle_run *run, uint32_t barrier,
                       struct shunt_agreement *values)
{
    struct shunt_comm *comm = run->x->comm;
    if (comm->node.local < run->leaders) {
        shunt_node_wait(comm, barrier, &run->node_values);
        run->present = (run->node_values.flags & ~(uint64_t)SHUNT_FLAG_IN_PLACE) == 0 &&
                       run->node_values.largest <= run->plan->ready;
        shunt_bundle_exchange_nodes(run);
        shunt_signal_raise(shunt_node_signal(comm, comm->node.local), barrier);
    }
    shunt_phase(comm, SHUNT_PHASE_NODE);
    for (int leader = 0; leader < run->leaders; leader++)
        if (leader != comm->node.local)
            shunt_node_await_rank(comm, leader, barrier);
    shunt_node_wait(comm, barrier, values);
    for (int n = 0; n < run->layout->nodes; n++) {
        if (n == comm->node.index)
            continue;
        for (int part = 0; part < run->parts; part++)
            shunt_messages_keep(&run->messages, shunt_bundle_arrival(run, n, part)->status);
        if (!run->uniform) /* of the whole node, in each part */
            shunt_agreement_add(values, &shunt_bundle_arrival(run, n, 0)->values);
    }
}

int shunt_bundle_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_agreement none = {0};
    struct shunt_exchange view, *call = x;
    if (x->in_place) {
        view = *x;
        view.send = view.recv; /* copied in before anything is received */
        x = &view;
    }
    shunt_share_state(plan)->half = shunt_node_begin_exchange(comm);
    struct shunt_bundle_run run;
    struct shunt_area area;
    start(&run, x, plan);
    shunt_phase(comm, SHUNT_PHASE_COPY);
    shunt_area_begin(&area, x, run.half, values);
    shunt_messages_break(&run.messages, shunt_area_copy_all(&area));
    values = values ? values : &none;
    if (run.messages.broken)
        values->flags |= shunt_shared_failure(x);
    if (run.layout->nodes > 1 && comm->node.local < run.leaders)
        shunt_bundle_post_receives(&run, plan->schedule.round_first[0],
                                   plan->schedule.round_first[1]);
    shunt_phase(comm, SHUNT_PHASE_NODE);
    const uint32_t barrier = shunt_node_arrive(comm, values);
    if (run.layout->nodes > 1)
        meet_nodes(&run, barrier, values);
    else
        shunt_node_wait(comm, barrier, values);
    if (run.uniform && shunt_shared_is_left(call, values))
        shunt_agree_hear(comm, values);
    else if (run.uniform && values->flags)
        shunt_messages_keep(&run.messages, MPI_ERR_OTHER);
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}

void shunt_bundle_leave(struct shunt_comm *comm, struct shunt_plan *plan)
{
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALLV, .comm = comm};
    struct shunt_bundle_run run;
    shunt_share_state(plan)->half = shunt_node_skip_exchange(comm);
    start(&run, &x, plan);
    const uint32_t barrier = shunt_node_arrive(comm, &shunt_agree_last);
    if (run.layout->nodes == 1 || comm->node.local >= run.leaders)
        return;
    shunt_bundle_leave_nodes(&run);
    shunt_signal_raise(shunt_node_signal(comm, comm->node.local), barrier);
}

/*
 * Where in a bundle of `most` bytes at most the block of its source `a` for this rank lies. NULL
 * when the bundle says what cannot be: after an error it may be of another call.
 */
static const char *find_in_bundle(const struct shunt_exchange *x, const char *bundle, int64_t most,
                                  int a, int64_t *bytes)
{
    const int ppn = x->comm->node.ppn, me = x->comm->node.local;
    const uint32_t *offsets = (const uint32_t *)(const void *)(bundle + SHUNT_BUNDLE_HEADER);
    const int64_t blocks = (int64_t)offsets[a] + shunt_chunk_header(ppn);
    if (blocks > most)
        return NULL;
    const uint32_t *ends = (const uint32_t *)(const void *)(bundle + offsets[a]);
    *bytes = (int64_t)ends[me + 1] - ends[me];
    return *bytes < 0 || blocks + ends[me + 1] > most ? NULL : bundle + blocks + ends[me];
}

/* What ranks of another node have sent, from that part of its bundle. */
static void copy_out_part(struct shunt_bundle_run *run, int node, int part)
{
    const struct shunt_exchange *x = run->x;
    const int ppn = x->comm->node.ppn, me = x->comm->node.local;
    const struct shunt_bundle_range range = shunt_bundle_sources(run, node, part);
    const int *sources = &run->layout->members[run->layout->node_first[node] + range.first],
              count = range.last - range.first;
    const char *bundle = run->arrivals + shunt_bundle_arrival(run, node, part)->at;
    const int64_t most = shunt_bundle_run_most(run, count, ppn);
    for (int a = 0; a < count; a++) {
        if (run->uniform) {
            shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, x->block);
            shunt_messages_keep(&run->messages,
                                shunt_area_store(x, sources[a],
                                                 bundle + ((int64_t)a * ppn + me) * x->block,
                                                 x->block));
        } else if (shunt_side_count(x, &x->recv, sources[a]) !=
                   0) { /* sparse: not even a look at what is empty */
            int64_t bytes = 0;
            const char *block = find_in_bundle(x, bundle, most, a, &bytes);
            shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, bytes);
            shunt_messages_keep(&run->messages, block
                                                    ? shunt_area_store(x, sources[a], block, bytes)
                                                    : MPI_ERR_OTHER);
        }
    }
}

int shunt_bundle_copy_out(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct shunt_bundle_run run;
    start(&run, x, plan);
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    shunt_messages_keep(&run.messages, shunt_area_copy_out(x, run.half));
    for (int n = 0; n < run.layout->nodes; n++)
        for (int part = 0; n != x->comm->node.index && part < run.parts; part++)
            copy_out_part(&run, n, part);
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}
