/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c: what every rank does in one call, from the schedule of its row: the agreement, then
 * what the kind does (ranks.c, nodes.c). */
#include "events/events.h"

#include "events/build.h"

/* Messages of the agreement, each time with one partner: every one is a round of its own. */
static void meet(struct shunt_events_build *b, int peer, bool sends, bool receives)
{
    if (receives)
        shunt_events_add(b, SHUNT_EVENT_AGREE_RECEIVE, peer, 0, SHUNT_AGREEMENT_BYTES);
    if (sends)
        shunt_events_add(b, SHUNT_EVENT_AGREE, peer, 0, SHUNT_AGREEMENT_BYTES);
    b->round++;
}

/* The members of a recursive doubling: all ranks, or the first of each node. */
static int member_rank(const struct shunt_events_build *b, bool nodes, int index)
{
    return nodes ? shunt_layout_rank(b->layout, index, 0) : index;
}

static void recursive_doubling(struct shunt_events_build *b, bool nodes)
{
    const int index = nodes ? b->node : b->rank,
              count = nodes ? b->layout->nodes : b->layout->ranks;
    int power = 1;
    while (power <= count / 2)
        power *= 2;
    if (index >= power) {
        const int partner = member_rank(b, nodes, index - power);
        meet(b, partner, true, false);
        meet(b, partner, false, true);
        return;
    }
    const int extra = index + power < count ? member_rank(b, nodes, index + power) : -1;
    if (extra >= 0)
        meet(b, extra, false, true);
    for (int mask = 1; mask < power; mask *= 2)
        meet(b, member_rank(b, nodes, index ^ mask), true, true);
    if (extra >= 0)
        meet(b, extra, true, false);
}

/* src/comm/agree.c: inside nodes by a barrier, where these share memory, and between them
 * by messages. */
static void agree(struct shunt_events_build *b)
{
    const bool nodes = b->layout->segment_block >= 0;
    if (nodes)
        shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    if (!nodes || b->local == 0)
        recursive_doubling(b, nodes);
    else if (b->layout->nodes > 1)
        shunt_events_add(b, SHUNT_EVENT_AWAIT, shunt_layout_rank(b->layout, b->node, 0), 0, 0);
    b->round = 0;
}

/* Straight from the memory of the neighbours: kind READ. Not all from the same one at a time. */
static void read_neighbours(struct shunt_events_build *b)
{
    shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
    shunt_events_add_copy(b, SHUNT_EVENT_COPY, 1);
    for (int i = 1; i < b->ppn; i++)
        shunt_events_add(b, SHUNT_EVENT_READ,
                         shunt_layout_rank(b->layout, b->node, (b->local + i) % b->ppn), 1,
                         b->call->block);
    shunt_events_add(b, SHUNT_EVENT_BARRIER, -1, 0, 0);
}

static void exchange(struct shunt_events_build *b)
{
    const enum shunt_kind kind = b->call->algorithm->kind;
    const bool empty = b->call->block == 0; /* all ranks know, and do no more */
    /* The agreement of an Alltoallv goes with the blocks where these meet in shared memory. */
    if (b->call->agrees && (empty || !shunt_kind_joins(kind)))
        agree(b);
    if (empty)
        return;
    if (kind == SHUNT_KIND_SEGMENT)
        shunt_events_bundles(b);
    else if (kind == SHUNT_KIND_COLLECT)
        shunt_events_collected(b);
    else if (kind == SHUNT_KIND_READ)
        read_neighbours(b);
    else
        shunt_events_between_ranks(b);
}

void shunt_events_exchange(struct shunt_events_build *b, int rank)
{
    const enum shunt_kind kind = b->call->algorithm->kind;
    b->layout = b->call->layout;
    b->rank = rank;
    b->node = b->layout->node_of[rank];
    b->local = b->layout->local_of[rank];
    b->ppn = shunt_layout_ppn(b->layout, b->node);
    exchange(b);
    b->events->rounds =
        kind == SHUNT_KIND_READ || b->call->block == 0 ? 0 : b->schedule->round_count;
}

int shunt_events_build(struct shunt_events *events, const struct shunt_event_call *call, int rank)
{
    struct shunt_schedule schedule;
    struct shunt_events_build b = {.events = events, .call = call, .schedule = &schedule};
    *events = (struct shunt_events){0};
    if (call->algorithm->build(&schedule, call->layout, rank, call->params))
        return -1;
    shunt_events_exchange(&b, rank);
    shunt_schedule_clear(&schedule);
    return events->failed ? -1 : 0;
}
