/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle.c: executes schedules between nodes whose ranks share memory (shared-segment, node-pair,
 * node-bruck).
 *
 * Idea: every rank copies its blocks into the node's segment, ordered by destination node. Leaders
 * of the node send one bundle per pair of nodes, into the other node's segment, where its ranks
 * pick their blocks. Sizes go with the blocks, and so does the agreement of an Alltoallv:
 * nothing reaches a user's buffer before all values are known to fit. Cost: one barrier of the
 * node, N - 1 messages per node (shared by `leaders`; K(N, radix) rounds for node-bruck), one copy
 * in, one into the message, one out. On one node: one barrier, one copy in, one out. A bundle of
 * more than `fragment` bytes becomes several messages: short ones cross most networks without the
 * handshake that a long one waits for. Use: small and middle blocks, several ranks per node.
 * Source: ours; the two levels follow Fan 2025, section 4.
 *
 * The two halves of the segment are used in turn: a rank writes to a half again two exchanges
 * later, and by then every neighbour has arrived at the one in between, and so has finished
 * reading.
 */
#include <string.h>

#include "communicator/errors.h"
#include "communicator/node.h"
#include "communicator/wait.h"
#include "execute/area.h"
#include "execute/blocks.h"
#include "execute/bundle.h"
#include "execute/messages.h"
#include "schedule/bundle.h"

/* One per node in each half: where its bundle has arrived. */
struct arrival {
    uint64_t at; /* from the beginning of the half */
    struct shunt_agreement values;
    int32_t status;
};

/* Begins a bundle of an Alltoallv. */
struct header {
    struct shunt_agreement values;
    int64_t bytes; /* of the whole bundle; the header alone when the blocks are not there */
};

_Static_assert(sizeof(struct arrival) <= SHUNT_BUNDLE_HEADER &&
                   sizeof(struct header) <= SHUNT_BUNDLE_HEADER,
               "room for it is reserved");

struct run {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    struct shunt_share_state *state; /* of the plan */
    const struct shunt_layout *layout;
    char *half;
    bool uniform; /* Alltoall */
    bool framed;  /* messages carry several bundles, and their sizes */
    bool present; /* all blocks of this node are there, and (Alltoallv) fit, so its bundles carry
                     them */
    struct shunt_agreement node_values;
    int leaders;      /* of this node */
    int64_t fragment; /* bytes of the first message of a bundle, at most; INT64_MAX: no bundle is
                         longer */
    char *out;        /* end of the messages built so far, in the scratch */
    char *in;         /* end of what has arrived, in the half */
    int transport;    /* first error of a message; without one, what arrived can be relied on */
    struct shunt_messages messages; /* its status: first error of any kind */
};

static char *area_of(const struct run *run, int local)
{
    return run->half + (size_t)local * run->x->comm->node.shared.area_bytes;
}

static struct arrival *arrival_of(const struct run *run, int node)
{
    const struct shunt_node *own = &run->x->comm->node;
    return (struct arrival *)(void *)(run->half + (size_t)own->ppn * own->shared.area_bytes +
                                      (size_t)node * SHUNT_BUNDLE_HEADER);
}

/* Where this rank's chunks begin: array of N + 1, offsets in its area. Alltoall: they follow from
 * the block size. */
static int64_t uniform_chunk(const struct run *run, int node)
{
    return run->layout->node_first[node] * run->x->block;
}

/* What this node's ranks have for `node`, in one piece. */
static char *gather_bundle(struct run *run, int node, char *out)
{
    const int ppn = run->x->comm->node.ppn;
    if (run->uniform) { /* empty: a rank of this node has failed */
        const int64_t bytes = uniform_chunk(run, node + 1) - uniform_chunk(run, node);
        for (int a = 0; run->present && a < ppn; a++, out += bytes)
            memcpy(out, area_of(run, a) + uniform_chunk(run, node), (size_t)bytes);
        return out;
    }
    char *at = out + shunt_bundle_header(ppn);
    uint32_t *offsets = (uint32_t *)(void *)(out + SHUNT_BUNDLE_HEADER);
    struct header *header = (struct header *)(void *)out;
    header->values = run->node_values;
    if (!run->present)
        at = out + SHUNT_BUNDLE_HEADER;
    for (int a = 0; run->present && a < ppn; a++) {
        const char *area = area_of(run, a);
        const uint64_t *chunks = (const uint64_t *)(const void *)area;
        const size_t bytes = (size_t)(chunks[node + 1] - chunks[node]);
        offsets[a] = (uint32_t)(at - out);
        memcpy(at, area + chunks[node], bytes);
        at += bytes;
    }
    header->bytes = at - out;
    return at;
}

/* Most bytes of a bundle in this call. */
static int64_t bundle_most(const struct run *run, int from, int to)
{
    const int source = shunt_layout_ppn(run->layout, from),
              target = shunt_layout_ppn(run->layout, to);
    if (run->uniform)
        return (int64_t)source * target * run->x->block;
    return shunt_bundle_most(source, target, run->plan->ready);
}

/* The rank of `node` that sends and receives the messages of the i-th step of a round. */
static int leader_rank(const struct run *run, int node, uint32_t i)
{
    const int ppn = shunt_layout_ppn(run->layout, node);
    const int64_t wanted =
        run->framed ? 1 : shunt_plan_params(run->plan)->value[SHUNT_PARAM_LEADERS];
    return shunt_layout_rank(run->layout, node, (int)(i % (uint32_t)(wanted < ppn ? wanted : ppn)));
}

static bool is_mine(const struct run *run, uint32_t i)
{
    return (int)(i % (uint32_t)run->leaders) == run->x->comm->node.local;
}

static void post(struct run *run, bool receive, char *bytes, int64_t count, int peer, int tag)
{
    const int status =
        shunt_messages_post_one(&run->messages, receive, bytes, (int)count, peer, tag);
    run->transport = shunt_error_first(run->transport, status);
}

/*
 * All of a bundle of `total` bytes behind its first message: in fragments too if they are few,
 * otherwise in one message. What has no fixed size begins with its size, so both sides know the
 * total. Each exchange has a tag of its own: if a first message is lost, nobody knows how many are
 * to follow, and a later exchange must not take them for its own.
 */
static void post_rest(struct run *run, bool receive, char *bundle, int64_t total, int peer)
{
    if (total <= run->fragment)
        return;
    const int64_t rest = total - run->fragment;
    const int64_t piece = rest <= (SHUNT_BUNDLE_PIECES - 1) * run->fragment ? run->fragment : rest;
    const int tag = SHUNT_TAG_REST + (int)(run->x->comm->node.exchange % SHUNT_TAG_RESTS);
    for (int64_t at = run->fragment; at < total; at += piece)
        post(run, receive, bundle + at, total - at < piece ? total - at : piece, peer, tag);
}

static int64_t first_message(const struct run *run, int64_t bytes)
{
    return bytes < run->fragment ? bytes : run->fragment;
}

/* Room that a message takes in the half: bundles and, framed, their sizes. */
static int64_t step_capacity(const struct run *run, const struct shunt_step *step)
{
    const int64_t size = run->framed ? (int64_t)sizeof(uint64_t) : 0;
    int64_t bytes = 0;
    for (uint32_t b = 0; b < step->recv_count; b++) {
        const shunt_ref ref = run->plan->schedule.refs[step->recv_first + b];
        /* Of a bundle that passes through, neither end is known here: the largest nodes' will do.
         */
        const int64_t most =
            shunt_ref_is_slot(ref)
                ? shunt_bundle_align(
                      bundle_most(run, run->state->largest_node, run->state->largest_node))
                : bundle_most(run, (int)shunt_ref_index(ref), run->x->comm->node.index);
        bytes += size + shunt_bundle_align(most);
    }
    return bytes;
}

static void post_receives(struct run *run, uint32_t first, uint32_t last)
{
    char *in = run->in;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        const int64_t bytes = step_capacity(run, step); /* of other leaders' messages, too */
        if (step->recv_count > 0 && is_mine(run, i - first))
            post(run, true, in, first_message(run, bytes),
                 leader_rank(run, step->recv_from, i - first), SHUNT_TAG_BUNDLE);
        in += bytes;
    }
}

/* Bytes of the bundle that step i receives, of which the first message has come to `in`. */
static int64_t total_of(const struct run *run, const struct shunt_step *step, const char *in)
{
    const int from = (int)shunt_ref_index(run->plan->schedule.refs[step->recv_first]);
    return run->uniform ? bundle_most(run, from, run->x->comm->node.index)
                        : ((const struct header *)(const void *)in)->bytes;
}

/*
 * The first messages of all bundles, and what follows each. Nobody waits before for what it sends
 * itself: the partner may not take the rest of it until it knows how long it is.
 */
static void receive_rest(struct run *run, uint32_t first, uint32_t last, int receives)
{
    char *in = run->in;
    int index = 0;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        const int peer = step->recv_count > 0 && is_mine(run, i - first)
                             ? leader_rank(run, step->recv_from, i - first)
                             : -1;
        if (peer >= 0 && index < receives &&
            run->plan->peers[index] == peer) { /* it could be posted */
            const int status = shunt_messages_wait_one(&run->messages, index++);
            run->transport = shunt_error_first(run->transport, status);
            if (status == MPI_SUCCESS && !run->x->comm->broken)
                post_rest(run, true, in, total_of(run, step, in), peer);
        }
        in += step_capacity(run, step);
    }
}

/* Appends the bundle at `ref` of the schedule. */
static char *append_bundle(struct run *run, shunt_ref ref, char *out)
{
    const uint32_t index = shunt_ref_index(ref);
    if (!shunt_ref_is_slot(ref))
        return gather_bundle(run, (int)index, out);
    memcpy(out, run->state->bundle_at[index], (size_t)run->state->bundle_bytes[index]);
    return out + run->state->bundle_bytes[index];
}

static void send_step(struct run *run, const struct shunt_step *step, int peer)
{
    char *start = run->out, *at = start;
    uint64_t *sizes = (uint64_t *)(void *)start;
    if (run->framed)
        at += step->send_count * sizeof *sizes;
    for (uint32_t b = 0; b < step->send_count; b++) {
        char *end = append_bundle(run, run->plan->schedule.refs[step->send_first + b], at);
        shunt_trace_copy(SHUNT_EVENT_COPY_OUT,
                         run->uniform ? (end - at) / run->x->block : SHUNT_TRACE_UNKNOWN, end - at);
        if (run->framed)
            sizes[b] = (uint64_t)(end - at);
        at += shunt_bundle_align(end - at);
        if (!run->framed)
            at = end;
    }
    post(run, false, start, first_message(run, at - start), peer, SHUNT_TAG_BUNDLE);
    post_rest(run, false, start, at - start, peer);
    run->out += shunt_bundle_align(at - start);
}

static void arrive(struct run *run, shunt_ref ref, char *bundle, int64_t bytes)
{
    const uint32_t index = shunt_ref_index(ref);
    if (shunt_ref_is_slot(ref)) {
        run->state->bundle_at[index] = bundle;
        run->state->bundle_bytes[index] = bytes;
        return;
    }
    struct arrival *arrival = arrival_of(run, (int)index);
    arrival->at = (uint64_t)(bundle - run->half);
    arrival->status =
        run->transport == MPI_SUCCESS && run->framed && bytes == 0 ? MPI_ERR_OTHER : run->transport;
    arrival->values = (struct shunt_agreement){0};
    if (!run->uniform && arrival->status == MPI_SUCCESS)
        arrival->values = ((const struct header *)(const void *)bundle)->values;
}

/* Takes a message apart. Returns its end. */
static char *take_step(struct run *run, const struct shunt_step *step)
{
    const uint64_t *sizes = (const uint64_t *)(const void *)run->in;
    char *at = run->in + (run->framed ? step->recv_count * sizeof *sizes : 0);
    for (uint32_t b = 0; b < step->recv_count; b++) {
        const int64_t bytes = run->framed && run->transport == MPI_SUCCESS ? (int64_t)sizes[b] : 0;
        arrive(run, run->plan->schedule.refs[step->recv_first + b], at, bytes);
        at += shunt_bundle_align(bytes);
    }
    return at;
}

/* Notes what the messages of a round have brought. */
static void take_round(struct run *run, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        char *end = step->recv_count > 0 && is_mine(run, i - first) ? take_step(run, step) : NULL;
        /* Framed messages (one leader, one step) leave no gaps: the next round's follow at once. */
        run->in = run->framed ? end : run->in + step_capacity(run, step);
    }
}

/* This leader's messages. The node's blocks are all copied in. */
static void exchange_between_nodes(struct run *run)
{
    const struct shunt_schedule *s = &run->plan->schedule;
    struct shunt_comm *comm = run->x->comm;
    for (uint32_t k = 0; k < s->round_count; k++) {
        const uint32_t first = s->round_first[k], last = s->round_first[k + 1];
        comm->round = k;
        if (k > 0)
            post_receives(run, first, last);
        const int receives = run->messages.requests;
        shunt_phase(comm, SHUNT_PHASE_COPY);
        run->out = comm->scratch;
        for (uint32_t i = first; i < last; i++)
            if (s->steps[i].send_count > 0 && is_mine(run, i - first))
                send_step(run, &s->steps[i], leader_rank(run, s->steps[i].send_to, i - first));
        shunt_phase(comm, SHUNT_PHASE_REMOTE);
        if (run->fragment < INT64_MAX)
            receive_rest(run, first, last, receives);
        run->transport = shunt_error_first(run->transport, shunt_messages_wait(&run->messages));
        take_round(run, first, last);
    }
}

/* INT64_MAX where no bundle of this call can be longer than what the rule says. */
static int64_t fragment_of(const struct run *run)
{
    const int largest = run->state->largest_node;
    const int64_t fragment = shunt_plan_params(run->plan)->value[SHUNT_PARAM_FRAGMENT];
    return run->framed || run->layout->nodes == 1 || bundle_most(run, largest, largest) <= fragment
               ? INT64_MAX
               : fragment;
}

static struct run start(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const struct shunt_node *node = &x->comm->node;
    struct run run = {.x = x,
                      .plan = plan,
                      .state = shunt_share_state(plan),
                      .layout = &x->comm->layout,
                      .uniform = x->op == SHUNT_OP_ALLTOALL};
    run.messages = shunt_messages_begin(x->comm, plan);
    run.transport = run.messages.status;
    const int64_t leaders = shunt_plan_params(plan)->value[SHUNT_PARAM_LEADERS];
    run.framed = shunt_plan_params(plan)->value[SHUNT_PARAM_RADIX] != 0;
    run.leaders = run.framed || leaders < 1 ? 1 : leaders < node->ppn ? (int)leaders : node->ppn;
    run.fragment = fragment_of(&run);
    run.half = node->shared.data + (node->barrier + 1) % 2 * node->shared.half_bytes;
    run.in = run.half + (size_t)node->ppn * node->shared.area_bytes +
             (size_t)run.layout->nodes * SHUNT_BUNDLE_HEADER;
    return run;
}

/* After the barrier, between nodes: the leaders' messages, then everybody learns what they brought.
 */
static void meet_nodes(struct run *run, uint32_t barrier, struct shunt_agreement *values)
{
    struct shunt_comm *comm = run->x->comm;
    if (comm->node.local < run->leaders) {
        shunt_node_wait(comm, barrier, &run->node_values);
        run->present = (run->node_values.flags & ~(uint64_t)SHUNT_FLAG_IN_PLACE) == 0 &&
                       run->node_values.largest <= run->plan->ready;
        exchange_between_nodes(run);
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
        const struct arrival *arrival = arrival_of(run, n);
        shunt_messages_keep(&run->messages, arrival->status);
        if (!run->uniform)
            shunt_agreement_add(values, &arrival->values);
    }
}

int shunt_bundle_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_agreement none = {0};
    struct shunt_exchange view = *x;
    if (view.in_place)
        view.send = view.recv; /* copied in before anything is received */
    comm->node.exchange++;
    struct run run = start(&view, plan);
    shunt_phase(comm, SHUNT_PHASE_COPY);
    shunt_messages_break(&run.messages, shunt_area_copy_in(&view, run.half, values));
    values = values ? values : &none;
    if (run.messages.broken)
        values->flags |= shunt_shared_failure(x);
    if (run.layout->nodes > 1 && comm->node.local < run.leaders)
        post_receives(&run, plan->schedule.round_first[0], plan->schedule.round_first[1]);
    shunt_phase(comm, SHUNT_PHASE_NODE);
    const uint32_t barrier = shunt_node_arrive(comm, values);
    if (run.layout->nodes > 1)
        meet_nodes(&run, barrier, values);
    else
        shunt_node_wait(comm, barrier, values);
    if (run.uniform && values->flags)
        shunt_messages_keep(&run.messages, MPI_ERR_OTHER);
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    shunt_share_state(plan)->half = run.half;
    return run.messages.status;
}

/* What the ranks of another node have sent, from its bundle. */
static void copy_out_bundle(struct run *run, int node)
{
    const struct shunt_exchange *x = run->x;
    const int ppn = x->comm->node.ppn, me = x->comm->node.local,
              count = shunt_layout_ppn(run->layout, node);
    const int *sources = &run->layout->members[run->layout->node_first[node]];
    const char *bundle = run->half + arrival_of(run, node)->at;
    const uint32_t *offsets = (const uint32_t *)(const void *)(bundle + SHUNT_BUNDLE_HEADER);
    const int64_t header = shunt_chunk_header(ppn);
    for (int a = 0; a < count; a++) {
        if (run->uniform) {
            shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, x->block);
            shunt_messages_keep(&run->messages,
                                shunt_area_store(x, sources[a],
                                                 bundle + ((int64_t)a * ppn + me) * x->block,
                                                 x->block));
        } else if (shunt_side_count(x, &x->recv, sources[a]) !=
                   0) { /* sparse: not even a look at what is empty */
            const uint32_t *ends = (const uint32_t *)(const void *)(bundle + offsets[a]);
            shunt_trace_copy(SHUNT_EVENT_COPY_OUT, 1, (int64_t)ends[me + 1] - ends[me]);
            shunt_messages_keep(&run->messages,
                                shunt_area_store(x, sources[a],
                                                 bundle + offsets[a] + header + ends[me],
                                                 (int64_t)ends[me + 1] - ends[me]));
        }
    }
}

int shunt_bundle_copy_out(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct run run = start(x, plan);
    run.half = shunt_share_state(plan)->half;
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    shunt_messages_keep(&run.messages, shunt_block_self(x));
    shunt_messages_keep(&run.messages, shunt_area_copy_out(x, run.half));
    for (int n = 0; n < run.layout->nodes; n++)
        if (n != x->comm->node.index)
            copy_out_bundle(&run, n);
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return run.messages.status;
}
