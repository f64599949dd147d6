/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect.c: ParLinNa whose node phase is shared memory (parlinna-shared).
 *
 * Idea: every rank copies its blocks into the node's segment. Local rank g takes from its
 * neighbours' what goes to local rank g of each other node and sends it there, one message per
 * node; a message comes from each other node likewise. No message inside the node, no lengths but
 * those in front of the blocks they belong to, and the agreement of an Alltoallv travels with them.
 * Cost: one barrier of the node, N - 1 messages per rank (batch_size in flight), one copy in, one
 * into the message, one out. Use: as parlinna-coalesced; node-pair where fewer, larger messages are
 * better. Source: Fan 2025, section 4 (algorithm 2), with the node phase of this project. Works for
 * any placement, as hierarchical.c.
 */
#include <string.h>

#include "communicator/node.h"
#include "communicator/wait.h"
#include "execute/area.h"
#include "execute/blocks.h"
#include "execute/bundle.h"
#include "execute/messages.h"
#include "schedule/bundle.h"

/* Begins a message of an Alltoallv; then the lengths of its blocks (array of uint32_t), then the
 * blocks. */
struct header {
    struct shunt_agreement values;
};

_Static_assert(sizeof(struct header) <= SHUNT_BUNDLE_HEADER, "room for it is reserved");

struct run {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    const struct shunt_layout *layout;
    bool uniform;
    bool present; /* the blocks of this node are there and fit, so messages carry them */
    struct shunt_agreement node_values;
    char *out, *in; /* ends of what the scratch holds */
    struct shunt_messages messages;
};

static int64_t message_most(const struct run *run, int ppn)
{
    return run->uniform ? ppn * run->x->block : shunt_collect_message(ppn, run->plan->ready);
}

/* The blocks of the neighbours for rank `target`. Returns the end of the message;
 * Alltoall: empty if a neighbour has failed. */
static char *collect(struct run *run, const struct shunt_step *step, char *out)
{
    const int target = step->send_to;
    uint32_t *lengths = (uint32_t *)(void *)(out + SHUNT_BUNDLE_HEADER);
    char *at = run->uniform ? out : out + shunt_bundle_header((int)step->send_count);
    if (!run->uniform)
        ((struct header *)(void *)out)->values = run->node_values;
    if (!run->present)
        return run->uniform ? out : out + SHUNT_BUNDLE_HEADER;
    for (uint32_t b = 0; b < step->send_count; b++) {
        const char *from;
        const int source = (int)run->plan->schedule.refs[step->send_first + b];
        const int64_t bytes =
            shunt_area_block(run->x, shunt_share_state(run->plan)->half, source, target, &from);
        shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, bytes);
        memcpy(at, from, (size_t)bytes);
        at += bytes;
        if (!run->uniform)
            lengths[b] = (uint32_t)bytes;
    }
    return at;
}

static void run_round(struct run *run, uint32_t first, uint32_t last)
{
    struct shunt_comm *comm = run->x->comm;
    shunt_phase(comm, SHUNT_PHASE_COPY);
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        if (step->recv_count == 0)
            continue;
        const int64_t most = message_most(run, (int)step->recv_count);
        shunt_share_state(run->plan)->bundle_at[run->layout->node_of[step->recv_from]] = run->in;
        shunt_messages_post_one(&run->messages, true, run->in, (int)most, step->recv_from,
                                SHUNT_TAG_BUNDLE);
        run->in += shunt_bundle_align(most);
    }
    char *out = run->out;
    shunt_phase(comm, SHUNT_PHASE_REARRANGE);
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        if (step->send_count == 0)
            continue;
        char *end = collect(run, step, out);
        shunt_messages_post_one(&run->messages, false, out, (int)(end - out), step->send_to,
                                SHUNT_TAG_BUNDLE);
        out += shunt_bundle_align(end - out);
    }
    shunt_phase(comm, SHUNT_PHASE_REMOTE);
    shunt_messages_wait(&run->messages);
}

static void start(struct run *run, struct shunt_exchange *x, struct shunt_plan *plan)
{
    const struct shunt_layout *layout = &x->comm->layout;
    *run = (struct run){.x = x,
                        .plan = plan,
                        .layout = layout,
                        .uniform = x->op == SHUNT_OP_ALLTOALL,
                        .messages = shunt_messages_begin(x->comm, plan)};
    run->in = x->comm->scratch;
    run->out = run->in + shunt_collect_arrivals(layout, x->comm->node.index, plan->ready);
}

/* What the other nodes said, from their messages. */
static void add_values(const struct run *run, struct shunt_agreement *all)
{
    for (int n = 0; n < run->layout->nodes; n++) {
        if (n == run->x->comm->node.index)
            continue;
        shunt_agreement_add(
            all, &((const struct header *)(const void *)shunt_share_state(run->plan)->bundle_at[n])
                      ->values);
    }
}

int shunt_collect_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                           struct shunt_agreement *values)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_agreement none = {0};
    struct shunt_exchange view;
    if (x->in_place) {
        view = *x;
        view.send = view.recv; /* copied in before anything is received */
        x = &view;
    }
    struct run run;
    start(&run, x, plan);
    shunt_share_state(plan)->half =
        comm->node.shared.data + (comm->node.barrier + 1) % 2 * comm->node.shared.half_bytes;
    shunt_phase(comm, SHUNT_PHASE_COPY);
    shunt_messages_break(&run.messages,
                         shunt_area_copy_in(x, shunt_share_state(plan)->half, values));
    struct shunt_agreement *mine = values ? values : &none;
    if (run.messages.broken)
        mine->flags |= shunt_shared_failure(x);
    shunt_phase(comm, SHUNT_PHASE_NODE);
    const uint32_t barrier = shunt_node_arrive(comm, mine);
    shunt_node_wait(comm, barrier, &run.node_values);
    run.present = (run.node_values.flags & ~(uint32_t)SHUNT_FLAG_IN_PLACE) == 0 &&
                  run.node_values.largest <= plan->ready;
    for (uint32_t k = 0; k < plan->schedule.round_count; k++) {
        comm->round = k;
        run_round(&run, plan->schedule.round_first[k], plan->schedule.round_first[k + 1]);
    }
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    if (run.uniform && run.node_values.flags)
        shunt_messages_keep(&run.messages, MPI_ERR_OTHER);
    if (!values)
        return run.messages.status;
    *values = run.node_values;
    if (run.messages.status == MPI_SUCCESS || (values->flags & SHUNT_FLAG_NATIVE))
        add_values(&run, values);
    return run.messages.status;
}

static void copy_out_message(struct run *run, int node)
{
    const struct shunt_exchange *x = run->x;
    const int ppn = shunt_layout_ppn(run->layout, node);
    const char *message = shunt_share_state(run->plan)->bundle_at[node];
    const uint32_t *lengths = (const uint32_t *)(const void *)(message + SHUNT_BUNDLE_HEADER);
    const char *at = run->uniform ? message : message + shunt_bundle_header(ppn);
    for (int a = 0; a < ppn; a++) {
        const int64_t bytes = run->uniform ? x->block : lengths[a];
        if (bytes > x->block) { /* more than was agreed: of another call, after an error */
            shunt_messages_keep(&run->messages, MPI_ERR_OTHER);
            return;
        }
        shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
        shunt_messages_keep(
            &run->messages,
            shunt_area_store(x, shunt_layout_rank(run->layout, node, a), at, bytes));
        at += bytes;
    }
}

int shunt_collect_copy_out(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct run run;
    start(&run, x, plan);
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    shunt_messages_keep(&run.messages, shunt_area_copy_out(x, shunt_share_state(plan)->half));
    for (int n = 0; n < run.layout->nodes; n++)
        if (n != x->comm->node.index)
            copy_out_message(&run, n);
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}
