/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parlinna_shared.c: ParLinNa whose node phase is shared memory (parlinna-shared).
 *
 * Idea: every rank copies its blocks into the node's segment. Local rank g takes from its
 * neighbours' what goes to local rank g of each other node and sends it there, one message per
 * node; a message comes from each other node likewise. No message inside the node, no lengths but
 * those in front of the blocks they belong to, and the agreement of an Alltoallv travels with them.
 * What a round has brought reaches the user before the next round, and in several `parts` the
 * blocks of later rounds are copied in while the messages of this one are on their way: so copying
 * takes no time of its own where the network is the limit. Cost: a barrier of the node for each
 * part, N - 1 messages per rank (batch_size in flight), one copy in, one into the message, one out.
 * Use: as parlinna-coalesced; node-pair where fewer, larger messages are better. Source: Fan 2025,
 * section 4 (algorithm 2), with the node phase of this project. Works for any placement.
 *
 * The user's buffer is written before the agreement is known: if it comes out otherwise, another
 * algorithm or the library does the call once more, and writes all of it again. So this is not done
 * in place, nor where this rank's own values say that its arguments cannot be relied on.
 */
#include <string.h>

#include "comm/agree.h"
#include "comm/node.h"
#include "comm/wait.h"
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
    bool present;   /* the blocks of this node are there and fit, so messages carry them */
    bool early;     /* what has arrived goes to the user at once */
    int stored;     /* first error of that */
    uint32_t ahead; /* rounds whose blocks are copied in before they are due */
    struct shunt_area area;
    struct shunt_agreement node_values, others; /* of this node, and of those heard of */
    char *out, *in;                             /* ends of what the scratch holds */
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

static bool has_blocks(const struct run *run, const struct shunt_agreement *values)
{
    return (values->flags & ~(uint64_t)SHUNT_FLAG_IN_PLACE) == 0 &&
           values->largest <= run->plan->ready;
}

/* Returns the first error of the message from that node. */
static int copy_out_message(const struct run *run, int node)
{
    const struct shunt_exchange *x = run->x;
    const int ppn = shunt_layout_ppn(run->layout, node);
    const char *message = shunt_share_state(run->plan)->bundle_at[node];
    const uint32_t *lengths = (const uint32_t *)(const void *)(message + SHUNT_BUNDLE_HEADER);
    const char *at = run->uniform ? message : message + shunt_bundle_header(ppn);
    const int64_t most = run->uniform ? x->block : run->plan->ready;
    int status = MPI_SUCCESS;
    for (int a = 0; a < ppn; a++) {
        const int64_t bytes = run->uniform ? most : lengths[a];
        if (bytes > most) /* of another call, after an error */
            return MPI_ERR_OTHER;
        shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
        status = shunt_error_first(
            status, shunt_area_store(x, shunt_layout_rank(run->layout, node, a), at, bytes));
        at += bytes;
    }
    return status;
}

static void post_receives(struct run *run, uint32_t first, uint32_t last)
{
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
}

static void send_messages(struct run *run, uint32_t first, uint32_t last)
{
    char *out = run->out;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        if (step->send_count == 0)
            continue;
        char *end = collect(run, step, out);
        shunt_messages_post_one(&run->messages, false, out, (int)(end - out), step->send_to,
                                SHUNT_TAG_BUNDLE);
        out += shunt_bundle_align(end - out);
    }
}

/* What another node says in its message; nothing in an Alltoall. */
static struct shunt_agreement values_of(const struct run *run, int node)
{
    const char *message = shunt_share_state(run->plan)->bundle_at[node];
    const struct shunt_agreement nothing = {0};
    return run->uniform ? nothing : ((const struct header *)(const void *)message)->values;
}

/* What the messages of a round have brought. */
static void take_messages(struct run *run, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        if (step->recv_count == 0)
            continue;
        const int node = run->layout->node_of[step->recv_from];
        const struct shunt_agreement values = values_of(run, node);
        shunt_agreement_add(&run->others, &values);
        if (run->early && has_blocks(run, &values))
            run->stored = shunt_error_first(run->stored, copy_out_message(run, node));
    }
}

/* This rank's blocks for the nodes of some rounds. */
static void copy_in(struct run *run, uint32_t from, uint32_t to)
{
    const int64_t batch = shunt_plan_params(run->plan)->value[SHUNT_PARAM_BATCH_SIZE];
    shunt_messages_break(
        &run->messages,
        shunt_area_copy_in(&run->area, shunt_collect_nodes(run->layout, run->x->comm->node.index,
                                                           batch, from, to)));
}

static void run_round(struct run *run, uint32_t k)
{
    const struct shunt_schedule *s = &run->plan->schedule;
    const uint32_t first = s->round_first[k], last = s->round_first[k + 1];
    struct shunt_comm *comm = run->x->comm;
    if (run->early)
        run->in = comm->buffers.scratch;
    shunt_phase(comm, SHUNT_PHASE_COPY);
    post_receives(run, first, last);
    shunt_phase(comm, SHUNT_PHASE_REARRANGE);
    send_messages(run, first, last);
    shunt_phase(comm, SHUNT_PHASE_COPY);
    copy_in(run, k + run->ahead, k + run->ahead + 1);
    shunt_phase(comm, SHUNT_PHASE_REMOTE);
    /* Broken: some were not even posted, and where they would be lies what was there before. */
    if (shunt_messages_wait(&run->messages) != MPI_SUCCESS || comm->broken)
        return;
    shunt_phase(comm, SHUNT_PHASE_COPY);
    take_messages(run, first, last);
}

/* The blocks of the next rounds are there, on this rank and then on its neighbours. */
static void begin_part(struct run *run)
{
    const struct shunt_agreement nothing = {0};
    struct shunt_comm *comm = run->x->comm;
    if (run->node_values.flags & SHUNT_FLAG_LEFT)
        return; /* one of this node's ranks has left, and its neighbours know */
    shunt_phase(comm, SHUNT_PHASE_NODE);
    shunt_node_wait(comm, shunt_node_arrive(comm, &nothing), NULL);
}

static void start(struct run *run, struct shunt_exchange *x, struct shunt_plan *plan)
{
    const struct shunt_layout *layout = &x->comm->layout;
    const int64_t parts = shunt_plan_params(plan)->value[SHUNT_PARAM_PARTS];
    *run = (struct run){.x = x,
                        .plan = plan,
                        .layout = layout,
                        .uniform = x->op == SHUNT_OP_ALLTOALL,
                        .ahead = shunt_collect_ahead(plan->schedule.round_count, parts)};
    shunt_messages_begin(&run->messages, x->comm, plan);
    run->in = x->comm->buffers.scratch;
    run->out = run->in + shunt_collect_arrivals(layout, x->comm->node.index, plan->ready);
}

/* Blocks of other types than plain ones are copied in before the first barrier, all of them: it is
 * there that the ranks of the node learn whether that has failed. */
static void copy_in_first(struct run *run, const struct shunt_agreement *values)
{
    shunt_phase(run->x->comm, SHUNT_PHASE_COPY);
    shunt_area_begin(&run->area, run->x, shunt_share_state(run->plan)->half, values);
    copy_in(run, 0, run->x->send.plain ? run->ahead : run->plan->schedule.round_count);
    run->area.nothing |= !run->x->send.plain;
}

int shunt_collect_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                           struct shunt_agreement *values)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_agreement none = {0};
    struct shunt_exchange view, *call = x;
    struct run run;
    if (x->in_place) {
        view = *x;
        view.send = view.recv; /* copied in before anything is received */
        x = &view;
    }
    start(&run, x, plan);
    run.early = !x->in_place && (!values || values->flags == 0);
    shunt_share_state(plan)->half = shunt_node_begin_exchange(comm);
    copy_in_first(&run, values);
    struct shunt_agreement *mine = values ? values : &none;
    if (run.messages.broken)
        mine->flags |= shunt_shared_failure(x);
    shunt_phase(comm, SHUNT_PHASE_NODE);
    const uint32_t barrier = shunt_node_arrive(comm, mine);
    shunt_node_wait(comm, barrier, &run.node_values);
    run.present = has_blocks(&run, &run.node_values);
    for (uint32_t k = 0; k < plan->schedule.round_count; k++) {
        comm->diag.round = k;
        if (k > 0 && k % run.ahead == 0)
            begin_part(&run);
        run_round(&run, k);
    }
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    shunt_share_state(plan)->stored = run.stored;
    if (run.uniform && shunt_shared_is_left(call, &run.node_values))
        shunt_agree_hear(comm, &run.node_values);
    else if (run.uniform && run.node_values.flags)
        shunt_messages_keep(&run.messages, MPI_ERR_OTHER);
    if (values) {
        *values = run.node_values;
        shunt_agreement_add(values, &run.others);
    }
    return run.messages.status;
}

int shunt_collect_copy_out(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct run run;
    start(&run, x, plan);
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    shunt_messages_keep(&run.messages, shunt_area_copy_out(x, shunt_share_state(plan)->half));
    shunt_messages_keep(&run.messages, shunt_share_state(plan)->stored);
    for (int n = 0; x->in_place && n < run.layout->nodes; n++)
        if (n != x->comm->node.index)
            shunt_messages_keep(&run.messages, copy_out_message(&run, n));
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}

void shunt_collect_leave(struct shunt_comm *comm, struct shunt_plan *plan)
{
    static const union {
        struct header header;
        char bytes[SHUNT_BUNDLE_HEADER];
    } last = {.header.values = {.flags = SHUNT_FLAG_LEFT}};
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALLV, .comm = comm};
    const struct shunt_schedule *s = &plan->schedule;
    struct run run;
    shunt_node_skip_exchange(comm);
    start(&run, &x, plan);
    shunt_node_arrive(comm, &shunt_agree_last);
    for (uint32_t i = 0; i < s->round_first[s->round_count]; i++) {
        const struct shunt_step *step = &s->steps[i];
        if (step->send_count > 0)
            shunt_agree_send_last(comm, &last, sizeof last, step->send_to, SHUNT_TAG_BUNDLE);
        if (step->recv_count > 0)
            shunt_agree_drop(comm, message_most(&run, (int)step->recv_count), step->recv_from,
                             SHUNT_TAG_BUNDLE);
    }
}
