/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle_messages.c: bundles between nodes. A leader gathers what its node's ranks have for another
 * node, sends it in one message or in fragments, and notes where what it receives has arrived.
 */
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/wait.h"
#include "execute/bundle_run.h"
#include "process/errors.h"

/* Where this rank's chunks begin: array of N + 1, offsets in its area. Alltoall: they follow from
 * the block size. */
static int64_t uniform_chunk(const struct shunt_bundle_run *run, int node)
{
    return run->layout->node_first[node] * run->x->block;
}

/* What this node's ranks have for `node`, or those of one part, in one piece. */
static char *gather_bundle(struct shunt_bundle_run *run, int node, int part, char *out)
{
    const struct shunt_bundle_range range =
        shunt_bundle_sources(run, run->x->comm->node.index, part);
    if (run->uniform) { /* empty: a rank of this node has failed */
        const int64_t bytes = uniform_chunk(run, node + 1) - uniform_chunk(run, node);
        for (int a = range.first; run->present && a < range.last; a++, out += bytes)
            memcpy(out, shunt_bundle_area(run, a) + uniform_chunk(run, node), (size_t)bytes);
        return out;
    }
    char *at = out + shunt_bundle_header(range.last - range.first);
    uint32_t *offsets = (uint32_t *)(void *)(out + SHUNT_BUNDLE_HEADER);
    struct shunt_bundle_header *header = (struct shunt_bundle_header *)(void *)out;
    header->values = run->node_values;
    if (!run->present)
        at = out + SHUNT_BUNDLE_HEADER;
    for (int a = range.first; run->present && a < range.last; a++) {
        const char *area = shunt_bundle_area(run, a);
        const uint64_t *chunks = (const uint64_t *)(const void *)area;
        const size_t bytes = (size_t)(chunks[node + 1] - chunks[node]);
        offsets[a - range.first] = (uint32_t)(at - out);
        memcpy(at, area + chunks[node], bytes);
        at += bytes;
    }
    header->bytes = at - out;
    return at;
}

/* The part of the i-th step of a round whose messages are this rank's; -1: none. */
static int part_of(const struct shunt_bundle_run *run, uint32_t i)
{
    return shunt_bundle_part(run->leaders, run->parts, i, run->x->comm->node.local);
}

/* The rank of `node` that sends and receives what this one receives and sends in that step. */
static int leader_rank(const struct shunt_bundle_run *run, int node, uint32_t i)
{
    const int64_t wanted =
        run->framed ? 1 : shunt_plan_params(run->plan)->value[SHUNT_PARAM_LEADERS];
    const int leaders = shunt_bundle_leaders(shunt_layout_ppn(run->layout, node), wanted);
    return shunt_layout_rank(run->layout, node,
                             shunt_bundle_leader(leaders, run->parts, i, part_of(run, i)));
}

static void post(struct shunt_bundle_run *run, bool receive, char *bytes, int64_t count, int peer,
                 int tag)
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
static void post_rest(struct shunt_bundle_run *run, bool receive, char *bundle, int64_t total,
                      int peer)
{
    if (total <= run->fragment)
        return;
    const int64_t rest = total - run->fragment;
    const int64_t piece = rest <= (SHUNT_BUNDLE_PIECES - 1) * run->fragment ? run->fragment : rest;
    const int tag = SHUNT_TAG_REST + (int)(run->x->comm->node.exchange % SHUNT_TAG_RESTS);
    for (int64_t at = run->fragment; at < total; at += piece)
        post(run, receive, bundle + at, total - at < piece ? total - at : piece, peer, tag);
}

static int64_t first_message(const struct shunt_bundle_run *run, int64_t bytes)
{
    return bytes < run->fragment ? bytes : run->fragment;
}

/* Most bytes of a part of what `node` has for this one. */
static int64_t part_most(const struct shunt_bundle_run *run, int node, int part)
{
    const struct shunt_bundle_range range = shunt_bundle_sources(run, node, part);
    return shunt_bundle_run_most(run, range.last - range.first, run->x->comm->node.ppn);
}

/* Room that a message takes among the arrivals: bundles and, framed, their sizes. */
static int64_t message_capacity(const struct shunt_bundle_run *run, const struct shunt_step *step,
                                int part)
{
    const int64_t size = run->framed ? (int64_t)sizeof(uint64_t) : 0;
    const int most = run->layout->ppn_max;
    int64_t bytes = 0;
    for (uint32_t b = 0; b < step->recv_count; b++) {
        const shunt_ref ref = run->plan->schedule.refs[step->recv_first + b];
        /* Of a bundle that passes through, neither end is known here: the largest nodes' will do.
         */
        if (shunt_ref_is_slot(ref))
            bytes += size + shunt_bundle_align(shunt_bundle_run_most(run, most, most));
        else
            bytes += size + shunt_bundle_align(part_most(run, (int)shunt_ref_index(ref), part));
    }
    return bytes;
}

/* Where a part arrives, if the first of the step does at `in`; and the end of the last. */
static char *part_at(const struct shunt_bundle_run *run, const struct shunt_step *step, char *in,
                     int part)
{
    for (int before = 0; before < part; before++)
        in += message_capacity(run, step, before);
    return in;
}

void shunt_bundle_post_receives(struct shunt_bundle_run *run, uint32_t first, uint32_t last)
{
    char *in = run->in;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        const int part = step->recv_count > 0 ? part_of(run, i - first) : -1;
        if (part >= 0)
            post(run, true, part_at(run, step, in, part),
                 first_message(run, message_capacity(run, step, part)),
                 leader_rank(run, step->recv_from, i - first), SHUNT_TAG_BUNDLE);
        in = part_at(run, step, in, run->parts); /* of other leaders' messages, too */
    }
}

/* Bytes of the part of a bundle that a step receives, of which the first message has come. */
static int64_t total_of(const struct shunt_bundle_run *run, const struct shunt_step *step, int part,
                        const char *message)
{
    const int from = (int)shunt_ref_index(run->plan->schedule.refs[step->recv_first]);
    return run->uniform ? part_most(run, from, part)
                        : ((const struct shunt_bundle_header *)(const void *)message)->bytes;
}

/*
 * The first messages of all bundles, and what follows each. Nobody waits before for what it sends
 * itself: the partner may not take the rest of it until it knows how long it is.
 */
static void receive_rest(struct shunt_bundle_run *run, uint32_t first, uint32_t last, int receives)
{
    char *in = run->in;
    int index = 0;
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        const int part = step->recv_count > 0 ? part_of(run, i - first) : -1;
        const int peer = part >= 0 ? leader_rank(run, step->recv_from, i - first) : -1;
        if (peer >= 0 && index < receives &&
            run->plan->peers[index] == peer) { /* it could be posted */
            const int status = shunt_messages_wait_one(&run->messages, index++);
            run->transport = shunt_error_first(run->transport, status);
            char *message = part_at(run, step, in, part);
            if (status == MPI_SUCCESS && !run->x->comm->broken)
                post_rest(run, true, message, total_of(run, step, part, message), peer);
        }
        in = part_at(run, step, in, run->parts);
    }
}

/* Appends a part of the bundle at `ref` of the schedule. */
static char *append_bundle(struct shunt_bundle_run *run, shunt_ref ref, int part, char *out)
{
    const uint32_t index = shunt_ref_index(ref);
    if (!shunt_ref_is_slot(ref))
        return gather_bundle(run, (int)index, part, out);
    memcpy(out, run->state->bundle_at[index], (size_t)run->state->bundle_bytes[index]);
    return out + run->state->bundle_bytes[index];
}

static void send_step(struct shunt_bundle_run *run, const struct shunt_step *step, int part,
                      int peer)
{
    char *start = run->out, *at = start;
    uint64_t *sizes = (uint64_t *)(void *)start;
    if (run->framed)
        at += step->send_count * sizeof *sizes;
    for (uint32_t b = 0; b < step->send_count; b++) {
        char *end = append_bundle(run, run->plan->schedule.refs[step->send_first + b], part, at);
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

static void arrive(struct shunt_bundle_run *run, shunt_ref ref, int part, char *bundle,
                   int64_t bytes)
{
    const uint32_t index = shunt_ref_index(ref);
    if (shunt_ref_is_slot(ref)) {
        run->state->bundle_at[index] = bundle;
        run->state->bundle_bytes[index] = bytes;
        return;
    }
    struct shunt_arrival *arrival = shunt_bundle_arrival(run, (int)index, part);
    arrival->at = (uint64_t)(bundle - run->arrivals);
    arrival->status =
        run->transport == MPI_SUCCESS && run->framed && bytes == 0 ? MPI_ERR_OTHER : run->transport;
    arrival->values = (struct shunt_agreement){0};
    if (!run->uniform && arrival->status == MPI_SUCCESS)
        arrival->values = ((const struct shunt_bundle_header *)(const void *)bundle)->values;
}

/* Takes a message apart. Returns its end. */
static char *take_message(struct shunt_bundle_run *run, const struct shunt_step *step, int part)
{
    char *message = part_at(run, step, run->in, part);
    const uint64_t *sizes = (const uint64_t *)(const void *)message;
    char *at = message + (run->framed ? step->recv_count * sizeof *sizes : 0);
    for (uint32_t b = 0; b < step->recv_count; b++) {
        const int64_t bytes = run->framed && run->transport == MPI_SUCCESS ? (int64_t)sizes[b] : 0;
        arrive(run, run->plan->schedule.refs[step->recv_first + b], part, at, bytes);
        at += shunt_bundle_align(bytes);
    }
    return at;
}

/* Notes what the messages of a round have brought. */
static void take_round(struct shunt_bundle_run *run, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &run->plan->schedule.steps[i];
        const int part = step->recv_count > 0 ? part_of(run, i - first) : -1;
        char *end = part >= 0 ? take_message(run, step, part) : NULL;
        /* Framed messages (one leader, one step) leave no gaps: the next round's follow at once. */
        run->in = run->framed ? end : part_at(run, step, run->in, run->parts);
    }
}

/* This leader's messages. The node's blocks are all copied in. */
void shunt_bundle_exchange_nodes(struct shunt_bundle_run *run)
{
    const struct shunt_schedule *s = &run->plan->schedule;
    struct shunt_comm *comm = run->x->comm;
    for (uint32_t k = 0; k < s->round_count; k++) {
        const uint32_t first = s->round_first[k], last = s->round_first[k + 1];
        comm->diag.round = k;
        if (k > 0)
            shunt_bundle_post_receives(run, first, last);
        const int receives = run->messages.requests;
        shunt_phase(comm, SHUNT_PHASE_REARRANGE);
        run->out = comm->buffers.scratch;
        for (uint32_t i = first; i < last; i++) {
            const int part = s->steps[i].send_count > 0 ? part_of(run, i - first) : -1;
            if (part >= 0)
                send_step(run, &s->steps[i], part,
                          leader_rank(run, s->steps[i].send_to, i - first));
        }
        shunt_phase(comm, SHUNT_PHASE_REMOTE);
        if (run->fragment < INT64_MAX)
            receive_rest(run, first, last, receives);
        run->transport = shunt_error_first(run->transport, shunt_messages_wait(&run->messages));
        take_round(run, first, last);
    }
}

/* A message without blocks, in which each bundle says that this rank leaves. */
static void send_last(struct shunt_bundle_run *run, const struct shunt_step *step, int peer)
{
    const size_t sizes = run->framed ? step->send_count * sizeof(uint64_t) : 0,
                 bytes = sizes + (size_t)step->send_count * SHUNT_BUNDLE_HEADER;
    char *message = calloc(1, bytes);
    if (!message)
        return;
    for (uint32_t b = 0; b < step->send_count; b++) {
        char *bundle = message + sizes + (size_t)b * SHUNT_BUNDLE_HEADER;
        *(struct shunt_bundle_header *)(void *)bundle =
            (struct shunt_bundle_header){.values = shunt_agree_last, .bytes = SHUNT_BUNDLE_HEADER};
        if (run->framed)
            ((uint64_t *)(void *)message)[b] = SHUNT_BUNDLE_HEADER;
    }
    shunt_agree_send_last(run->x->comm, message, (int)bytes, peer, SHUNT_TAG_BUNDLE);
}

/* What the partner may send in this step: a first message, and the rest of it in few fragments or
 * in one message. What it is known to bring: that this rank leaves. */
static void drop_step(struct shunt_bundle_run *run, const struct shunt_step *step, int part,
                      int peer)
{
    const int64_t most = message_capacity(run, step, part), first = first_message(run, most);
    const int tag = SHUNT_TAG_REST + (int)(run->x->comm->node.exchange % SHUNT_TAG_RESTS);
    shunt_agree_drop(run->x->comm, first, peer, SHUNT_TAG_BUNDLE);
    if (most > first)
        shunt_agree_drop(run->x->comm, most - first, peer, tag);
    for (int piece = 2; most > first && piece < SHUNT_BUNDLE_PIECES; piece++)
        shunt_agree_drop(run->x->comm, run->fragment, peer, tag);
    for (uint32_t b = 0; b < step->recv_count; b++) {
        const shunt_ref ref = run->plan->schedule.refs[step->recv_first + b];
        if (!shunt_ref_is_slot(ref))
            *shunt_bundle_arrival(run, (int)shunt_ref_index(ref), part) =
                (struct shunt_arrival){.values = shunt_agree_last, .status = MPI_SUCCESS};
    }
}

void shunt_bundle_leave_nodes(struct shunt_bundle_run *run)
{
    const struct shunt_schedule *s = &run->plan->schedule;
    for (uint32_t k = 0; k < s->round_count; k++) {
        const uint32_t first = s->round_first[k];
        for (uint32_t i = first; i < s->round_first[k + 1]; i++) {
            const struct shunt_step *step = &s->steps[i];
            const int part = part_of(run, i - first);
            if (part >= 0 && step->send_count > 0)
                send_last(run, step, leader_rank(run, step->send_to, i - first));
            if (part >= 0 && step->recv_count > 0)
                drop_step(run, step, part, leader_rank(run, step->recv_from, i - first));
        }
    }
}
