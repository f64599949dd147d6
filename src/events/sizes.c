/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c: the events of a call whose blocks have sizes of their own, from those of one
 * whose blocks are equal. What a message carries says carried.h. */
#include "events/sizes.h"

#include <stdlib.h>

#include "algorithms/lengths.h"
#include "events/build.h"
#include "events/copies.h"
#include "schedule/bundle.h"

struct rewrite {
    const struct shunt_event_call *call;
    const struct shunt_event_sizes *sizes;
    const struct shunt_layout *layout;
    int rank;
    uint32_t sends, receives;          /* steps of the rank that have been seen */
    uint32_t copies, copies_in;        /* within its own memory, and from there into shared one */
    const struct shunt_events *before; /* all of them, of equal blocks */
    struct shunt_events events;
};

/* What a message holds. */
struct load {
    uint64_t blocks;
    int64_t bytes;
    int64_t copied; /* of bundles, which are put together in it */
};

int shunt_event_sizes_prepare(struct shunt_event_sizes *sizes, const struct shunt_event_call *call,
                              const int64_t *bytes)
{
    *sizes = (struct shunt_event_sizes){.bytes = bytes};
    return call->algorithm->kind == SHUNT_KIND_READ
               ? 0
               : shunt_carried_build(&sizes->carried, call->algorithm, call->layout, call->params);
}

void shunt_event_sizes_clear(struct shunt_event_sizes *sizes)
{
    shunt_carried_clear(&sizes->carried);
}

static void add(struct rewrite *r, struct shunt_event event)
{
    struct shunt_events *e = &r->events;
    if (e->count == e->capacity) {
        const size_t capacity = e->capacity ? 2 * e->capacity : 64;
        struct shunt_event *larger = realloc(e->event, capacity * sizeof *larger);
        if (!larger) {
            e->failed = 1;
            return;
        }
        e->event = larger;
        e->capacity = capacity;
    }
    e->event[e->count++] = event;
}

/* src/execute/fused.c and forward.c: blocks, and the lengths of those that are passed on;
 * parlinna_shared.c: all lengths. */
static struct load message_of(const struct rewrite *r, int rank, uint32_t i)
{
    const struct shunt_carried_member *m = &r->sizes->carried.member[rank];
    const struct shunt_step *step = &m->schedule.steps[i];
    const enum shunt_kind kind = r->call->algorithm->kind;
    const uint32_t forwarded = step->send_count - step->send_home;
    struct load load = {.blocks = step->send_count};
    int64_t filled = 0;
    for (uint32_t b = 0; b < step->send_count; b++) {
        const int64_t bytes = r->sizes->bytes[m->block[step->send_first + b]];
        load.bytes += bytes;
        filled += b >= step->send_home && bytes > 0;
    }
    if (kind == SHUNT_KIND_FORWARD && forwarded > 0 &&
        !shunt_algorithm_separate(r->call->algorithm, r->call->params))
        load.bytes +=
            (int64_t)shunt_length_bits(forwarded) + filled * shunt_length_width(r->call->block);
    if (kind == SHUNT_KIND_COLLECT)
        load.bytes += shunt_bundle_header((int)step->send_count);
    return load;
}

/* Those of its ranks whose blocks are in the messages of this leader. */
static struct shunt_bundle_range sources_of(const struct rewrite *r, int node)
{
    const int parts = shunt_events_parts(r->call);
    return shunt_bundle_range(shunt_layout_ppn(r->layout, node), parts,
                              r->layout->local_of[r->rank] % parts);
}

/* src/execute/bundle.c: the blocks of ranks of one node for another. */
static int64_t bundle_bytes(const struct rewrite *r, int from, int to)
{
    const int64_t *bytes = r->sizes->bytes, P = r->layout->ranks;
    const struct shunt_bundle_range sources = sources_of(r, from);
    const int target = shunt_layout_ppn(r->layout, to);
    int64_t total = shunt_bundle_header(sources.last - sources.first);
    for (int a = sources.first; a < sources.last; a++) {
        int64_t chunk = 0;
        for (int b = 0; b < target; b++)
            chunk += bytes[shunt_layout_rank(r->layout, from, a) * P +
                           shunt_layout_rank(r->layout, to, b)];
        total += shunt_chunk_header(target) + shunt_bundle_align(chunk);
    }
    return total;
}

/* The bundles of a message between nodes; where some pass through, each has its size before it. */
static struct load bundles_of(const struct rewrite *r, int node, uint32_t i)
{
    const struct shunt_carried_member *m = &r->sizes->carried.member[node];
    const struct shunt_step *step = &m->schedule.steps[i];
    const bool framed = r->call->params->value[SHUNT_PARAM_RADIX] != 0;
    struct load load = {0};
    for (uint32_t b = 0; b < step->send_count; b++) {
        const int64_t bundle = m->block[step->send_first + b];
        const int from = (int)(bundle / r->sizes->carried.members),
                  to = (int)(bundle % r->sizes->carried.members);
        const int64_t bytes = bundle_bytes(r, from, to);
        const struct shunt_bundle_range sources = sources_of(r, from);
        load.blocks +=
            (uint64_t)(sources.last - sources.first) * (uint64_t)shunt_layout_ppn(r->layout, to);
        load.copied += bytes;
        load.bytes += framed ? (int64_t)sizeof(uint64_t) + shunt_bundle_align(bytes) : bytes;
    }
    return load;
}

/* The step of a message between nodes: a round has one at most for each other node. */
static uint32_t node_step(const struct shunt_schedule *s, const struct shunt_event *event, int node)
{
    uint32_t i = s->round_first[event->round];
    while ((event->kind == SHUNT_EVENT_SEND ? s->steps[i].send_to : s->steps[i].recv_from) != node)
        i++;
    return i;
}

static struct load between_nodes(const struct rewrite *r, const struct shunt_event *event)
{
    const int node = r->layout->node_of[r->rank], peer = r->layout->node_of[event->peer];
    const struct shunt_carried_member *m = &r->sizes->carried.member[node];
    const uint32_t i = node_step(&m->schedule, event, peer);
    return event->kind == SHUNT_EVENT_SEND ? bundles_of(r, node, i)
                                           : bundles_of(r, peer, m->sender[i]);
}

/* The next step with blocks in this direction: events have messages in the order of steps. */
static uint32_t next_step(const struct shunt_schedule *s, uint32_t *seen, bool sends)
{
    while ((sends ? s->steps[*seen].send_count : s->steps[*seen].recv_count) == 0)
        (*seen)++;
    return (*seen)++;
}

static struct load between_ranks(struct rewrite *r, const struct shunt_event *event)
{
    const struct shunt_carried_member *m = &r->sizes->carried.member[r->rank];
    if (event->kind == SHUNT_EVENT_SEND)
        return message_of(r, r->rank, next_step(&m->schedule, &r->sends, true));
    return message_of(r, event->peer, m->sender[next_step(&m->schedule, &r->receives, false)]);
}

/* Bytes of the first message of a bundle. */
static int64_t first_piece(const struct rewrite *r, int64_t bytes)
{
    const int64_t fragment = r->call->params->value[SHUNT_PARAM_FRAGMENT];
    return fragment > 0 && fragment < bytes ? fragment : bytes;
}

/* What follows it, as src/events/nodes.c cuts it. */
static void add_rest(struct rewrite *r, struct shunt_event event, int64_t bytes)
{
    const int64_t first = first_piece(r, bytes), rest = bytes - first;
    const int64_t piece = rest <= (SHUNT_BUNDLE_PIECES - 1) * first ? first : rest;
    event.blocks = 0;
    for (int64_t at = first; at < bytes; at += piece) {
        event.bytes = bytes - at < piece ? bytes - at : piece;
        add(r, event);
    }
}

static bool rest_is_added(const struct rewrite *r, const struct shunt_event *event)
{
    for (size_t i = r->events.count; i > 0 && r->events.event[i - 1].round == event->round; i--) {
        const struct shunt_event *e = &r->events.event[i - 1];
        if (e->kind == event->kind && e->peer == event->peer && e->blocks == 0)
            return true;
    }
    return false;
}

/* The first message of a bundle, or where the events have what follows it, all of that. */
static void rewrite_bundle(struct rewrite *r, struct shunt_event event)
{
    const struct load load = between_nodes(r, &event);
    if (event.blocks == 0) {
        if (!rest_is_added(r, &event))
            add_rest(r, event, load.bytes);
        return;
    }
    event.blocks = load.blocks;
    event.bytes = first_piece(r, load.bytes);
    add(r, event);
}

/* Messages without data are not sent. */
static void rewrite_message(struct rewrite *r, struct shunt_event event)
{
    const enum shunt_kind kind = r->call->algorithm->kind;
    if (kind == SHUNT_KIND_PADDED) {
        add(r, event);
        return;
    }
    if (kind == SHUNT_KIND_SEGMENT) {
        rewrite_bundle(r, event);
        return;
    }
    const struct load load = between_ranks(r, &event);
    event.blocks = load.blocks;
    event.bytes = load.bytes;
    if (load.bytes > 0)
        add(r, event);
}

static int64_t copied(const struct rewrite *r, size_t at)
{
    const struct shunt_event *event = &r->before->event[at];
    const enum shunt_kind kind = r->call->algorithm->kind;
    const struct shunt_event_copies copies = {.call = r->call,
                                              .sizes = r->sizes,
                                              .events = r->before,
                                              .rank = r->rank,
                                              .sends = r->sends,
                                              .copies = r->copies,
                                              .copies_in = r->copies_in};
    if (kind == SHUNT_KIND_PADDED)
        return event->bytes;
    if (kind == SHUNT_KIND_SEGMENT && event->kind == SHUNT_EVENT_COPY_OUT &&
        at + 1 < r->before->count && event[1].kind == SHUNT_EVENT_SEND)
        return between_nodes(r, &event[1]).copied;
    return shunt_event_copies_bytes(&copies, at);
}

static void rewrite_event(struct rewrite *r, size_t at)
{
    struct shunt_event event = r->before->event[at];
    switch (event.kind) {
    case SHUNT_EVENT_SEND:
    case SHUNT_EVENT_RECEIVE:
        rewrite_message(r, event);
        return;
    case SHUNT_EVENT_READ:
        event.bytes = r->sizes->bytes[(int64_t)event.peer * r->layout->ranks + r->rank];
        if (event.bytes > 0)
            add(r, event);
        return;
    case SHUNT_EVENT_COPY:
    case SHUNT_EVENT_COPY_IN:
    case SHUNT_EVENT_COPY_OUT:
        event.bytes = copied(r, at);
        r->copies += event.kind == SHUNT_EVENT_COPY;
        r->copies_in += event.kind == SHUNT_EVENT_COPY_IN;
        break;
    case SHUNT_EVENT_BARRIER:
    case SHUNT_EVENT_AWAIT:
    case SHUNT_EVENT_AGREE:
    case SHUNT_EVENT_LENGTHS:
    case SHUNT_EVENT_AGREE_RECEIVE:
    case SHUNT_EVENT_LENGTHS_RECEIVE:
        break;
    }
    add(r, event);
}

int shunt_event_sizes_apply(const struct shunt_event_sizes *sizes,
                            const struct shunt_event_call *call, int rank,
                            struct shunt_events *events)
{
    struct rewrite r = {.call = call,
                        .sizes = sizes,
                        .layout = call->layout,
                        .rank = rank,
                        .before = events,
                        .events = {.rounds = events->rounds}};
    for (size_t i = 0; i < events->count; i++)
        rewrite_event(&r, i);
    shunt_events_clear(events);
    *events = r.events;
    return events->failed ? -1 : 0;
}
