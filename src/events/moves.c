/* SPDX-License-Identifier: BSD-3-Clause */
/* moves.c: the blocks and places of events: messages come in the order of steps, bundles by the
 * node at the other end, copies by where they stand. */
#include "events/moves.h"

#include <stdlib.h>

#include "events/build.h"
#include "schedule/bundle.h"

static const struct shunt_place message = {SHUNT_PLACE_MESSAGE, 0},
                                shared = {SHUNT_PLACE_SHARED, 0};

static struct shunt_place place(enum shunt_place_kind kind, int index)
{
    return (struct shunt_place){kind, (uint32_t)index};
}

static void add(struct shunt_moves *m, int64_t block, struct shunt_place from,
                struct shunt_place to)
{
    const int64_t ranks = m->call->layout->ranks;
    if (m->bytes && m->bytes[block] == 0)
        return;
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity ? 2 * m->capacity : 64;
        struct shunt_move *larger = realloc(m->move, capacity * sizeof *larger);
        if (!larger) {
            m->failed = 1;
            return;
        }
        m->move = larger;
        m->capacity = capacity;
    }
    m->move[m->count++] = (struct shunt_move){(int)(block / ranks), (int)(block % ranks), from, to};
}

static int64_t block_of(const struct shunt_moves *m, int source, int target)
{
    return (int64_t)source * m->call->layout->ranks + target;
}

static struct shunt_place place_of(shunt_ref ref, bool read)
{
    const enum shunt_place_kind user =
        read && !shunt_ref_is_store(ref) ? SHUNT_PLACE_SEND : SHUNT_PLACE_RECEIVE;
    return (struct shunt_place){shunt_ref_is_slot(ref) ? SHUNT_PLACE_SLOT : user,
                                shunt_ref_index(ref)};
}

static void add_own(struct shunt_moves *m)
{
    add(m, block_of(m, m->rank, m->rank), place(SHUNT_PLACE_SEND, m->rank),
        place(SHUNT_PLACE_RECEIVE, m->rank));
}

/* A rotation before the rounds takes the user's blocks; one behind them brings what has arrived. */
static void add_rotation(struct shunt_moves *m, const struct shunt_copy *copies, uint32_t count,
                         bool before)
{
    for (uint32_t i = 0; i < count; i++) {
        const int user = (int)shunt_ref_index(before ? copies[i].from : copies[i].to);
        add(m, before ? block_of(m, m->rank, user) : block_of(m, user, m->rank),
            place_of(copies[i].from, true), place_of(copies[i].to, false));
    }
}

static bool has_data(const struct shunt_moves *m, const int64_t *block, uint32_t count)
{
    const enum shunt_kind kind = m->call->algorithm->kind;
    bool data = !m->bytes || kind == SHUNT_KIND_PADDED || kind == SHUNT_KIND_COLLECT;
    for (uint32_t b = 0; b < count && !data; b++)
        data = m->bytes[block[b]] > 0;
    return data;
}

/* A message whose blocks are all empty is sent where their lengths go along. */
static bool is_sent(const struct shunt_moves *m, const int64_t *block, const struct shunt_step *out)
{
    const bool told = m->call->algorithm->kind == SHUNT_KIND_FORWARD &&
                      out->send_home < out->send_count &&
                      !shunt_algorithm_separate(m->call->algorithm, m->call->params);
    return told || has_data(m, block, out->send_count);
}

/* The blocks of step i as its sender has them, and that step of the sender. */
static const int64_t *blocks_of(const struct shunt_moves *m, uint32_t i, bool sends,
                                const struct shunt_step **out)
{
    const struct shunt_carried_member *member = &m->carried->member[m->rank];
    if (!sends) {
        const uint32_t sender = member->sender[i];
        member = &m->carried->member[member->schedule.steps[i].recv_from];
        i = sender;
    }
    *out = &member->schedule.steps[i];
    return &member->block[(*out)->send_first];
}

/* The next step with blocks in this direction whose message there is. */
static void add_message(struct shunt_moves *m, bool sends)
{
    const struct shunt_schedule *s = &m->carried->member[m->rank].schedule;
    uint32_t *seen = sends ? &m->sends : &m->receives;
    for (; *seen < s->step_count; ++*seen) {
        const struct shunt_step *step = &s->steps[*seen], *out;
        const uint32_t count = sends ? step->send_count : step->recv_count,
                       first = sends ? step->send_first : step->recv_first;
        if (count == 0)
            continue;
        const int64_t *block = blocks_of(m, *seen, sends, &out);
        if (!is_sent(m, block, out))
            continue;
        const bool collects = m->call->algorithm->kind == SHUNT_KIND_COLLECT;
        for (uint32_t b = 0; b < count; b++) {
            const struct shunt_place at =
                collects && sends ? shared : place_of(s->refs[first + b], sends);
            add(m, block[b], sends ? at : message, sends ? message : at);
        }
        ++*seen;
        return;
    }
}

/* The blocks of all ranks of one node for those of another, or of this leader's part of them. */
static void add_bundle(struct shunt_moves *m, int64_t bundle, bool sends)
{
    const struct shunt_layout *layout = m->call->layout;
    const int from = (int)(bundle / layout->nodes), to = (int)(bundle % layout->nodes);
    const int parts = shunt_events_parts(m->call);
    const struct shunt_bundle_range sources = shunt_bundle_range(
        shunt_layout_ppn(layout, from), parts, layout->local_of[m->rank] % parts);
    for (int a = sources.first; a < sources.last; a++)
        for (int b = 0; b < shunt_layout_ppn(layout, to); b++)
            add(m,
                block_of(m, shunt_layout_rank(layout, from, a), shunt_layout_rank(layout, to, b)),
                sends ? shared : message, sends ? message : shared);
}

/* A round has one message at most for each other node; its fragments come behind its first. */
static void add_bundles(struct shunt_moves *m, const struct shunt_event *event)
{
    const bool sends = event->kind == SHUNT_EVENT_SEND;
    const int node = m->call->layout->node_of[m->rank],
              peer = m->call->layout->node_of[event->peer];
    const struct shunt_carried_member *from = &m->carried->member[node];
    uint32_t i = from->schedule.round_first[event->round];
    const struct shunt_step *steps = from->schedule.steps;
    while ((sends ? steps[i].send_to : steps[i].recv_from) != peer)
        i++;
    if (!sends) {
        i = from->sender[i];
        from = &m->carried->member[peer];
    }
    const struct shunt_step *step = &from->schedule.steps[i];
    for (uint32_t b = 0; event->blocks > 0 && b < step->send_count; b++)
        add_bundle(m, from->block[step->send_first + b], sends);
}

/* Blocks of the other ranks, or of the other ranks of the node, are copied out. */
static void add_copy_out(struct shunt_moves *m)
{
    const struct shunt_layout *layout = m->call->layout;
    const bool collects = m->call->algorithm->kind == SHUNT_KIND_COLLECT;
    for (int p = 0; p < layout->ranks; p++)
        if (p != m->rank && (!collects || layout->node_of[p] == layout->node_of[m->rank]))
            add(m, block_of(m, p, m->rank), shared, place(SHUNT_PLACE_RECEIVE, p));
}

/* Nodes whose blocks are copied in together: all, but of COLLECT those of some rounds. */
static struct shunt_node_range copied_in(struct shunt_moves *m, uint32_t rounds)
{
    const struct shunt_layout *layout = m->call->layout;
    const int64_t *param = m->call->params->value;
    if (m->call->algorithm->kind != SHUNT_KIND_COLLECT)
        return (struct shunt_node_range){0, layout->nodes};
    return shunt_collect_nth(layout, layout->node_of[m->rank], param[SHUNT_PARAM_BATCH_SIZE],
                             shunt_collect_ahead(rounds, param[SHUNT_PARAM_PARTS]), m->copies_in++);
}

static void add_copy_in(struct shunt_moves *m, uint32_t rounds)
{
    const struct shunt_layout *layout = m->call->layout;
    const struct shunt_node_range nodes = copied_in(m, rounds);
    for (int p = 0; p < layout->ranks; p++) {
        const int distance = (layout->node_of[p] - nodes.first + layout->nodes) % layout->nodes;
        if (p != m->rank && distance < nodes.count)
            add(m, block_of(m, m->rank, p), place(SHUNT_PLACE_SEND, p), shared);
    }
}

static void add_copy(struct shunt_moves *m, const struct shunt_events *events, size_t at)
{
    const enum shunt_kind kind = m->call->algorithm->kind;
    const uint32_t copies = m->copies++;
    if (shunt_kind_shares(kind)) { /* COLLECT: behind what rounds have brought */
        if (kind != SHUNT_KIND_COLLECT || copies == events->rounds)
            add_own(m);
        return;
    }
    const struct shunt_schedule *s = &m->carried->member[m->rank].schedule;
    if (copies == 0) {
        add_own(m);
        add_rotation(m, s->before, s->before_count, true);
    } else if (at + 1 == events->count) {
        add_rotation(m, s->after, s->after_count, false);
    }
}

void shunt_moves_begin(struct shunt_moves *moves, const struct shunt_event_call *call,
                       const struct shunt_carried *carried, const int64_t *bytes, int rank)
{
    *moves = (struct shunt_moves){.call = call, .carried = carried, .bytes = bytes, .rank = rank};
}

void shunt_moves_next(struct shunt_moves *m, const struct shunt_events *events, size_t at)
{
    const struct shunt_event *event = &events->event[at];
    const bool last = at + 1 == events->count;
    m->count = 0;
    switch (event->kind) {
    case SHUNT_EVENT_COPY:
        add_copy(m, events, at);
        break;
    case SHUNT_EVENT_COPY_IN:
        add_copy_in(m, events->rounds);
        break;
    case SHUNT_EVENT_COPY_OUT: /* into a message: with that */
        if (last || event[1].kind != SHUNT_EVENT_SEND)
            add_copy_out(m);
        break;
    case SHUNT_EVENT_READ:
        add(m, block_of(m, event->peer, m->rank), place(SHUNT_PLACE_NEIGHBOUR, 0),
            place(SHUNT_PLACE_RECEIVE, event->peer));
        break;
    case SHUNT_EVENT_SEND:
    case SHUNT_EVENT_RECEIVE:
        if (m->call->algorithm->kind == SHUNT_KIND_SEGMENT)
            add_bundles(m, event);
        else
            add_message(m, event->kind == SHUNT_EVENT_SEND);
        break;
    default:
        break;
    }
}

void shunt_moves_clear(struct shunt_moves *moves)
{
    free(moves->move);
    *moves = (struct shunt_moves){0};
}
