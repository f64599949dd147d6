/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c: events of exchanges through memory that the ranks of a node share, and of the
 * messages between nodes: bundle.c and parlinna_shared.c of src/execute. */
#include "events/build.h"
#include "schedule/bundle.h"

/* What one message between nodes carries. */
struct cargo {
    uint64_t blocks;
    int64_t copied; /* bytes of the bundles, which are put together in the message */
    int64_t bytes;  /* of the message */
};

/* Messages of a node whose bundles go by the digits of the distance carry several, and their sizes.
 */
static bool is_framed(const struct shunt_events_build *b)
{
    return b->call->params->value[SHUNT_PARAM_RADIX] != 0;
}

/* Adds the blocks of `source` ranks of a node for all of another. */
static void cargo_add(const struct shunt_events_build *b, struct cargo *cargo, int64_t source,
                      int to)
{
    const int64_t target = shunt_layout_ppn(b->layout, to), S = b->call->block;
    const int64_t bytes =
        b->call->op == SHUNT_OP_ALLTOALL
            ? source * target * S
            : shunt_bundle_header((int)source) +
                  source * (shunt_chunk_header((int)target) + shunt_bundle_align(target * S));
    cargo->blocks += (uint64_t)(source * target);
    cargo->copied += bytes;
    cargo->bytes += is_framed(b) ? (int64_t)sizeof(uint64_t) + shunt_bundle_align(bytes) : bytes;
}

/*
 * What `node` sends in the round of value z of a digit: the bundles of all offsets that have it.
 * Those with lower digits have come from further up, by as much as these say (schedule/radix.c).
 */
static struct cargo passing(const struct shunt_events_build *b, int node, struct shunt_digit d,
                            int64_t z)
{
    const int64_t N = b->layout->nodes;
    struct cargo cargo = {0};
    for (int64_t base = z * d.weight; base < N; base += d.weight * d.radix)
        for (int64_t o = base; o < base + d.weight && o < N; o++) {
            const int64_t from = (node + o % d.weight) % N;
            cargo_add(b, &cargo, shunt_layout_ppn(b->layout, (int)from), (int)((from - o + N) % N));
        }
    return cargo;
}

/* Ranks of a node that share the messages between nodes. */
static int leaders_of(const struct shunt_events_build *b, int node)
{
    const int ppn = shunt_layout_ppn(b->layout, node);
    return is_framed(b) ? 1
                        : shunt_bundle_leaders(ppn, b->call->params->value[SHUNT_PARAM_LEADERS]);
}

int shunt_events_parts(const struct shunt_event_call *call)
{
    return shunt_bundle_parts(call->layout, call->params->value[SHUNT_PARAM_LEADERS]);
}

/* The part of the i-th step of a round whose messages are this rank's; -1: none. */
static int part_of(const struct shunt_events_build *b, uint32_t i)
{
    return shunt_bundle_part(leaders_of(b, b->node), shunt_events_parts(b->call), i, b->local);
}

/* The rank of the other node whose messages these are. */
static int leader_rank(const struct shunt_events_build *b, int node, uint32_t i)
{
    return shunt_layout_rank(
        b->layout, node,
        shunt_bundle_leader(leaders_of(b, node), shunt_events_parts(b->call), i, part_of(b, i)));
}

/* Ranks of a node whose blocks are in this rank's part of a bundle from there. */
static int sources_of(const struct shunt_events_build *b, int node, uint32_t i)
{
    const struct shunt_bundle_range range = shunt_bundle_range(
        shunt_layout_ppn(b->layout, node), shunt_events_parts(b->call), part_of(b, i));
    return range.last - range.first;
}

/* Bytes of the first message of a bundle, at most. The executor asks whether any bundle of the call
 * may be longer, by the room that was made for it: that is never less than the bundles of the call.
 */
static int64_t fragment_of(const struct shunt_events_build *b)
{
    const int64_t fragment = b->call->params->value[SHUNT_PARAM_FRAGMENT];
    return fragment == 0 || is_framed(b) ? INT64_MAX : fragment;
}

static void add_first(struct shunt_events_build *b, enum shunt_event_kind kind, int peer,
                      const struct cargo *cargo, int64_t fragment)
{
    shunt_events_add(b, kind, peer, cargo->blocks,
                     cargo->bytes < fragment ? cargo->bytes : fragment);
}

/* What is longer than a fragment follows in fragments too if they are few, otherwise in one
 * message. */
static void add_rest(struct shunt_events_build *b, enum shunt_event_kind kind, int peer,
                     const struct cargo *cargo, int64_t fragment)
{
    if (cargo->bytes <= fragment)
        return;
    const int64_t rest = cargo->bytes - fragment,
                  piece = rest <= (SHUNT_BUNDLE_PIECES - 1) * fragment ? fragment : rest;
    for (int64_t at = fragment; at < cargo->bytes; at += piece)
        shunt_events_add(b, kind, peer, 0, cargo->bytes - at < piece ? cargo->bytes - at : piece);
}

/* One round of a leader; the digit and its value are those of framed messages. */
struct round {
    struct shunt_digit digit;
    int64_t z, fragment;
    const struct shunt_step *steps;
    uint32_t count;
};

static struct cargo cargo_in(const struct shunt_events_build *b, const struct round *round,
                             uint32_t i)
{
    const int from = round->steps[i].recv_from;
    struct cargo cargo = {0};
    if (is_framed(b))
        return passing(b, from, round->digit, round->z);
    cargo_add(b, &cargo, sources_of(b, from, i), b->node);
    return cargo;
}

static struct cargo cargo_out(const struct shunt_events_build *b, const struct round *round,
                              uint32_t i)
{
    struct cargo cargo = {0};
    if (is_framed(b))
        return passing(b, b->node, round->digit, round->z);
    cargo_add(b, &cargo, sources_of(b, b->node, i), round->steps[i].send_to);
    return cargo;
}

/* Either the first messages of all bundles that arrive in a round, or what follows them. */
static void add_receives(struct shunt_events_build *b, const struct round *round, bool first)
{
    for (uint32_t i = 0; i < round->count; i++) {
        if (round->steps[i].recv_count == 0 || part_of(b, i) < 0)
            continue;
        const struct cargo cargo = cargo_in(b, round, i);
        const int peer = leader_rank(b, round->steps[i].recv_from, i);
        (first ? add_first : add_rest)(b, SHUNT_EVENT_RECEIVE, peer, &cargo, round->fragment);
    }
}

static void add_sends(struct shunt_events_build *b, const struct round *round)
{
    for (uint32_t i = 0; i < round->count; i++) {
        if (round->steps[i].send_count == 0 || part_of(b, i) < 0)
            continue;
        const struct cargo cargo = cargo_out(b, round, i);
        const int peer = leader_rank(b, round->steps[i].send_to, i);
        shunt_events_add(b, SHUNT_EVENT_COPY_OUT, -1, cargo.blocks, cargo.copied);
        add_first(b, SHUNT_EVENT_SEND, peer, &cargo, round->fragment);
        add_rest(b, SHUNT_EVENT_SEND, peer, &cargo, round->fragment);
    }
}

static struct round round_of(const struct shunt_events_build *b, uint32_t k)
{
    const struct shunt_schedule *s = b->schedule;
    return (struct round){.steps = &s->steps[s->round_first[k]],
                          .count = s->round_first[k + 1] - s->round_first[k],
                          .fragment = fragment_of(b)};
}

/* The messages of a leader. Those of the first round are received from before the barrier on. */
static void add_rounds(struct shunt_events_build *b)
{
    const struct shunt_radices radices = shunt_params_radices(b->call->params);
    struct shunt_digit digit = shunt_digit_first(&radices);
    int64_t z = 1;
    for (uint32_t k = 0; k < b->schedule->round_count; k++) {
        struct round round = round_of(b, k);
        round.digit = digit;
        round.z = z;
        b->round = k;
        add_receives(b, &round, true);
        if (k == 0)
            shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
        add_sends(b, &round);
        add_receives(b, &round, false);
        if (++z == digit.radix || z * digit.weight >= b->layout->nodes) {
            digit = shunt_digit_next(digit);
            z = 1;
        }
    }
}

void shunt_events_bundles(struct shunt_events_build *b)
{
    const int leaders = leaders_of(b, b->node);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY_IN, (uint64_t)b->layout->ranks - 1);
    if (b->local < leaders && b->layout->nodes > 1)
        add_rounds(b);
    else
        shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    for (int leader = 0; leader < leaders && b->layout->nodes > 1; leader++)
        if (leader != b->local)
            shunt_events_add(b, SHUNT_EVENT_AWAIT, shunt_layout_rank(b->layout, b->node, leader), 0,
                             0);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, 1);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY_OUT, (uint64_t)b->layout->ranks - 1);
}

static int64_t collected_bytes(const struct shunt_events_build *b, uint32_t blocks)
{
    return shunt_events_bytes(b, blocks) +
           (b->call->op == SHUNT_OP_ALLTOALLV ? shunt_bundle_header((int)blocks) : 0);
}

/* Blocks for the nodes of some rounds are copied in. */
static void add_copy_in(struct shunt_events_build *b, uint32_t from, uint32_t to)
{
    const int64_t batch = b->call->params->value[SHUNT_PARAM_BATCH_SIZE];
    const struct shunt_node_range nodes = shunt_collect_nodes(b->layout, b->node, batch, from, to);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY_IN,
                          (uint64_t)(shunt_node_range_ranks(b->layout, nodes) - (from == 0)));
}

static void add_collected_round(struct shunt_events_build *b, uint32_t k, uint32_t ahead)
{
    const struct shunt_schedule *s = b->schedule;
    const struct shunt_step *first = &s->steps[s->round_first[k]],
                            *last = &s->steps[s->round_first[k + 1]];
    uint64_t arrived = 0;
    for (const struct shunt_step *step = first; step < last; step++)
        if (step->recv_count > 0)
            shunt_events_add(b, SHUNT_EVENT_RECEIVE, step->recv_from, step->recv_count,
                             collected_bytes(b, step->recv_count));
    for (const struct shunt_step *step = first; step < last; step++) {
        shunt_events_add_copy(b, SHUNT_EVENT_COPY_OUT, step->send_count);
        if (step->send_count > 0)
            shunt_events_add(b, SHUNT_EVENT_SEND, step->send_to, step->send_count,
                             collected_bytes(b, step->send_count));
        arrived += step->recv_count;
    }
    add_copy_in(b, k + ahead, k + ahead + 1);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, arrived);
}

void shunt_events_collected(struct shunt_events_build *b)
{
    const uint32_t rounds = b->schedule->round_count,
                   ahead = shunt_collect_ahead(rounds, b->call->params->value[SHUNT_PARAM_PARTS]);
    add_copy_in(b, 0, ahead);
    shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    for (uint32_t k = 0; k < rounds; k++) {
        if (k > 0 && k % ahead == 0)
            shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
        b->round = k;
        add_collected_round(b, k, ahead);
    }
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, 1);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY_OUT, (uint64_t)b->ppn - 1);
}
