/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c: what every rank does in one call, from the schedule of its row: messages, copies,
 * reads, barriers. */
#include "algorithms/events.h"

#include <stdlib.h>

#include "schedule/bundle.h"

/* Bytes of what ranks tell each other about sizes: struct shunt_agreement. */
enum { AGREEMENT_BYTES = 32 };

struct build {
    struct shunt_events *events;
    const struct shunt_event_call *call;
    const struct shunt_layout *layout;
    struct shunt_schedule schedule;
    int rank, node, local, ppn;
    uint32_t round;
};

static bool grow(struct shunt_events *events)
{
    const size_t capacity = events->capacity ? 2 * events->capacity : 64;
    struct shunt_event *larger = realloc(events->event, capacity * sizeof *larger);
    if (!larger)
        return false;
    events->event = larger;
    events->capacity = capacity;
    return true;
}

static void add(struct build *b, enum shunt_event_kind kind, int peer, uint64_t blocks,
                int64_t bytes)
{
    struct shunt_events *e = b->events;
    if (e->count == e->capacity && !grow(e))
        e->failed = 1;
    if (!e->failed)
        e->event[e->count++] = (struct shunt_event){
            .kind = kind, .peer = peer, .round = b->round, .blocks = blocks, .bytes = bytes};
}

/* -1: more than a number can say. Only direct exchanges may get so far, for these need no memory.
 */
static int64_t times(const struct build *b, uint64_t blocks)
{
    int64_t bytes;
    return __builtin_mul_overflow((int64_t)blocks, b->call->block, &bytes) ? -1 : bytes;
}

static void copy(struct build *b, enum shunt_event_kind kind, uint64_t blocks)
{
    if (blocks > 0)
        add(b, kind, -1, blocks, times(b, blocks));
}

/* The members of a recursive doubling: all ranks, or the first of each node. */
static int member_rank(const struct build *b, bool nodes, int index)
{
    return nodes ? shunt_layout_rank(b->layout, index, 0) : index;
}

/* src/communicator/agree.c: inside nodes by a barrier, where these share memory, and between them
 * by messages. */
static void agree(struct build *b)
{
    const bool nodes = b->layout->segment_block >= 0;
    const int index = nodes ? b->node : b->rank,
              count = nodes ? b->layout->nodes : b->layout->ranks;
    int power = 1;
    if (nodes)
        add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    if (nodes && b->local != 0) {
        if (count > 1)
            add(b, SHUNT_EVENT_AWAIT, shunt_layout_rank(b->layout, b->node, 0), 0, 0);
        return;
    }
    while (power <= count / 2)
        power *= 2;
    if (index >= power) {
        add(b, SHUNT_EVENT_AGREE, member_rank(b, nodes, index - power), 0, AGREEMENT_BYTES);
        return;
    }
    for (int mask = 1; mask < power; mask *= 2)
        add(b, SHUNT_EVENT_AGREE, member_rank(b, nodes, index ^ mask), 0, AGREEMENT_BYTES);
    if (index + power < count)
        add(b, SHUNT_EVENT_AGREE, member_rank(b, nodes, index + power), 0, AGREEMENT_BYTES);
}

/* Whether lengths are sent: not in an Alltoall, nor where all blocks are padded. */
static bool has_lengths(const struct build *b)
{
    return b->call->op == SHUNT_OP_ALLTOALLV && b->call->algorithm->kind == SHUNT_KIND_FORWARD;
}

/* src/execute/lengths.h: a bit per forwarded block, and its length in as many bytes as the largest
 * needs. */
static int64_t length_bytes_along(const struct build *b, uint64_t forwarded)
{
    const int64_t block = b->call->block;
    const int width = block == 0            ? 0
                      : block <= UINT8_MAX  ? 1
                      : block <= UINT16_MAX ? 2
                      : block <= UINT32_MAX ? 4
                                            : 8;
    return has_lengths(b) && forwarded > 0
               ? (int64_t)(forwarded / 8) + 1 + (int64_t)forwarded * width
               : 0;
}

/* Messages from rank to rank: kinds DIRECT, FORWARD, PADDED, DATATYPE. */
static void exchange_ranks(struct build *b)
{
    const struct shunt_schedule *s = &b->schedule;
    const bool forwards = b->call->algorithm->kind == SHUNT_KIND_FORWARD ||
                          b->call->algorithm->kind == SHUNT_KIND_PADDED;
    const bool separate = forwards && shunt_algorithm_separate(b->call->algorithm, b->call->params);
    const bool along = forwards && !separate;
    copy(b, SHUNT_EVENT_COPY, (uint64_t)s->before_count);
    for (uint32_t k = 0; k < s->round_count; k++) {
        uint64_t arrived = 0; /* blocks to be copied where they belong: from slots all, otherwise
                                 those for this rank */
        b->round = k;
        for (uint32_t i = s->round_first[k];
             separate && has_lengths(b) && i < s->round_first[k + 1]; i++)
            if (s->steps[i].send_count > 0 && !s->steps[i].send_final)
                add(b, SHUNT_EVENT_LENGTHS, s->steps[i].send_to, 0,
                    (int64_t)s->steps[i].send_count * shunt_length_bytes(b->call->block));
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++) {
            const struct shunt_step *step = &s->steps[i];
            const uint64_t out = step->send_count - step->send_home,
                           in = step->recv_count - step->recv_home;
            arrived += separate ? step->recv_count : forwards ? step->recv_home : 0;
            if (step->recv_count > 0)
                add(b, SHUNT_EVENT_RECEIVE, step->recv_from, step->recv_count,
                    times(b, step->recv_count) + (along ? length_bytes_along(b, in) : 0));
            if (forwards)
                copy(b, SHUNT_EVENT_COPY, step->send_count);
            if (step->send_count > 0)
                add(b, SHUNT_EVENT_SEND, step->send_to, step->send_count,
                    times(b, step->send_count) + (along ? length_bytes_along(b, out) : 0));
        }
        copy(b, SHUNT_EVENT_COPY, arrived);
    }
    b->round = s->round_count > 0 ? s->round_count - 1 : 0;
    copy(b, SHUNT_EVENT_COPY, (uint64_t)s->after_count + 1); /* and the own block */
}

/* src/execute/bundle.c: bytes of the blocks of all ranks of one node for another. */
static int64_t bundle_bytes(const struct build *b, int from, int to)
{
    const int64_t source = shunt_layout_ppn(b->layout, from),
                  target = shunt_layout_ppn(b->layout, to), S = b->call->block;
    if (b->call->op == SHUNT_OP_ALLTOALL)
        return source * target * S;
    return shunt_bundle_header((int)source) +
           source * (shunt_chunk_header((int)target) + shunt_bundle_align(target * S));
}

/* Room for which shared memory is made: the next power of two. */
static int64_t grow_to(int64_t block)
{
    int64_t capacity = SHUNT_CAPACITY_LEAST;
    while (capacity < block && capacity <= INT64_MAX / 2)
        capacity *= 2;
    return capacity;
}

/* A bundle in fragments, as long as some bundle of this call could be longer than one. */
static void send_bundle(struct build *b, int peer, uint64_t blocks, int64_t bytes)
{
    const struct shunt_event_call *c = b->call;
    const int64_t fragment = c->params->value[SHUNT_PARAM_FRAGMENT], Q = b->layout->ppn_max;
    const int64_t most = c->op == SHUNT_OP_ALLTOALL
                             ? Q * Q * c->block
                             : shunt_bundle_most((int)Q, (int)Q, grow_to(c->block));
    if (fragment == 0 || most <= fragment || bytes <= fragment) {
        add(b, SHUNT_EVENT_SEND, peer, blocks, bytes);
        return;
    }
    const int64_t rest = bytes - fragment,
                  piece = rest <= (SHUNT_BUNDLE_PIECES - 1) * fragment ? fragment : rest;
    add(b, SHUNT_EVENT_SEND, peer, blocks, fragment);
    for (int64_t at = fragment; at < bytes; at += piece)
        add(b, SHUNT_EVENT_SEND, peer, 0, bytes - at < piece ? bytes - at : piece);
}

/* Ranks of a node that share the messages between nodes. */
static int leaders_of(const struct build *b, int node)
{
    const int ppn = shunt_layout_ppn(b->layout, node);
    const int64_t wanted =
        b->call->params->value[SHUNT_PARAM_RADIX] ? 1 : b->call->params->value[SHUNT_PARAM_LEADERS];
    return wanted < 1 ? 1 : wanted < ppn ? (int)wanted : ppn;
}

/* The i-th step of a round is the message of this leader of a node. */
static int leader_rank(const struct build *b, int node, uint32_t i)
{
    return shunt_layout_rank(b->layout, node, (int)(i % (uint32_t)leaders_of(b, node)));
}

static void step_between_nodes(struct build *b, const struct shunt_step *step, uint32_t i)
{
    const bool framed = b->call->params->value[SHUNT_PARAM_RADIX] != 0;
    const int Q = b->layout->ppn_max;
    if ((int)(i % (uint32_t)leaders_of(b, b->node)) != b->local)
        return;
    if (step->recv_count > 0)
        add(b, SHUNT_EVENT_RECEIVE, leader_rank(b, step->recv_from, i),
            (uint64_t)step->recv_count * (uint64_t)Q * (uint64_t)Q, -1);
    if (step->send_count == 0)
        return;
    const int peer = leader_rank(b, step->send_to, i);
    if (!framed) {
        const uint64_t blocks =
            (uint64_t)b->ppn * (uint64_t)shunt_layout_ppn(b->layout, step->send_to);
        send_bundle(b, peer, blocks, bundle_bytes(b, b->node, step->send_to));
        return;
    }
    /* Where a bundle that passes through comes from, the schedule does not say: with equal nodes it
     * does not matter. */
    const int64_t each =
        (int64_t)sizeof(uint64_t) + shunt_bundle_align(bundle_bytes(b, b->node, step->send_to));
    add(b, SHUNT_EVENT_SEND, peer, (uint64_t)step->send_count * (uint64_t)Q * (uint64_t)Q,
        b->layout->ppn_min == b->layout->ppn_max ? (int64_t)step->send_count * each : -1);
}

/* Through shared memory inside nodes, the leaders' bundles between them: kind SEGMENT. */
static void exchange_bundles(struct build *b)
{
    const struct shunt_schedule *s = &b->schedule;
    const int leaders = leaders_of(b, b->node);
    copy(b, SHUNT_EVENT_COPY_IN, (uint64_t)b->layout->ranks - 1);
    add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    for (uint32_t k = 0; k < s->round_count && b->local < leaders; k++) {
        b->round = k;
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++)
            step_between_nodes(b, &s->steps[i], i - s->round_first[k]);
    }
    for (int leader = 0; leader < leaders && b->layout->nodes > 1; leader++)
        if (leader != b->local)
            add(b, SHUNT_EVENT_AWAIT, shunt_layout_rank(b->layout, b->node, leader), 0, 0);
    copy(b, SHUNT_EVENT_COPY_OUT, (uint64_t)b->layout->ranks - 1);
    copy(b, SHUNT_EVENT_COPY, 1);
}

/* Through shared memory inside nodes, messages from rank to rank between them: kind COLLECT. */
static void exchange_collected(struct build *b)
{
    const struct shunt_schedule *s = &b->schedule;
    const int64_t header = b->call->op == SHUNT_OP_ALLTOALLV ? 1 : 0;
    copy(b, SHUNT_EVENT_COPY_IN, (uint64_t)b->layout->ranks - 1);
    add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    for (uint32_t k = 0; k < s->round_count; k++) {
        b->round = k;
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++) {
            const struct shunt_step *step = &s->steps[i];
            if (step->recv_count > 0)
                add(b, SHUNT_EVENT_RECEIVE, step->recv_from, step->recv_count,
                    times(b, step->recv_count) +
                        header * shunt_bundle_header((int)step->recv_count));
            if (step->send_count > 0)
                add(b, SHUNT_EVENT_SEND, step->send_to, step->send_count,
                    times(b, step->send_count) +
                        header * shunt_bundle_header((int)step->send_count));
        }
    }
    copy(b, SHUNT_EVENT_COPY_OUT, (uint64_t)b->ppn - 1);
    copy(b, SHUNT_EVENT_COPY, (uint64_t)(b->layout->ranks - b->ppn) + 1);
}

/* Straight from the memory of the neighbours: kind READ. */
static void read_neighbours(struct build *b)
{
    add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    for (int p = 0; p < b->layout->ranks; p++)
        if (p != b->rank)
            add(b, SHUNT_EVENT_READ, p, 1, b->call->block);
    copy(b, SHUNT_EVENT_COPY, 1);
    add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
}

static void exchange(struct build *b)
{
    const enum shunt_kind kind = b->call->algorithm->kind;
    /* The agreement of an Alltoallv goes with the blocks where these meet in shared memory. */
    if (b->call->agrees && !shunt_kind_joins(kind))
        agree(b);
    if (kind == SHUNT_KIND_SEGMENT)
        exchange_bundles(b);
    else if (kind == SHUNT_KIND_COLLECT)
        exchange_collected(b);
    else if (kind == SHUNT_KIND_READ)
        read_neighbours(b);
    else
        exchange_ranks(b);
}

int shunt_events_build(struct shunt_events *events, const struct shunt_event_call *call, int rank)
{
    const struct shunt_layout *layout = call->layout;
    const int node = layout->node_of[rank];
    struct build b = {.events = events,
                      .call = call,
                      .layout = layout,
                      .rank = rank,
                      .node = node,
                      .local = layout->local_of[rank],
                      .ppn = shunt_layout_ppn(layout, node)};
    *events = (struct shunt_events){0};
    if (call->algorithm->build(&b.schedule, layout, rank, call->params))
        return -1;
    exchange(&b);
    events->rounds = call->algorithm->kind == SHUNT_KIND_READ ? 0 : b.schedule.round_count;
    shunt_schedule_clear(&b.schedule);
    return events->failed ? -1 : 0;
}

void shunt_events_clear(struct shunt_events *events)
{
    free(events->event);
    *events = (struct shunt_events){0};
}
