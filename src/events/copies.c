/* SPDX-License-Identifier: BSD-3-Clause */
/* copies.c: which blocks are copied, in the order of ranks.c and nodes.c. */
#include "events/copies.h"

#include "events/build.h"
#include "schedule/bundle.h"

static int64_t block_of(const struct shunt_event_copies *c, int from, int to)
{
    return c->sizes->bytes[(int64_t)from * c->call->layout->ranks + to];
}

static int64_t own(const struct shunt_event_copies *c)
{
    return block_of(c, c->rank, c->rank);
}

/* All blocks that the rank has for others. */
static int64_t leaving(const struct shunt_event_copies *c)
{
    int64_t total = -own(c);
    for (int to = 0; to < c->call->layout->ranks; to++)
        total += block_of(c, c->rank, to);
    return total;
}

/* Of COLLECT: those that are copied in together. */
static int64_t leaving_together(const struct shunt_event_copies *c)
{
    const struct shunt_layout *layout = c->call->layout;
    const int64_t *param = c->call->params->value;
    const struct shunt_node_range nodes = shunt_collect_nth(
        layout, layout->node_of[c->rank], param[SHUNT_PARAM_BATCH_SIZE],
        shunt_collect_ahead(c->events->rounds, param[SHUNT_PARAM_PARTS]), c->copies_in);
    int64_t total = c->copies_in == 0 ? -own(c) : 0;
    for (int i = 0; i < nodes.count; i++) {
        const int node = (nodes.first + i) % layout->nodes;
        for (int local = 0; local < shunt_layout_ppn(layout, node); local++)
            total += block_of(c, c->rank, shunt_layout_rank(layout, node, local));
    }
    return total;
}

/* And those that others have for it, or the ranks of its node alone. */
static int64_t coming(const struct shunt_event_copies *c, bool others)
{
    const int *node_of = c->call->layout->node_of;
    int64_t total = -own(c);
    for (int from = 0; from < c->call->layout->ranks; from++)
        if (others || node_of[from] == node_of[c->rank])
            total += block_of(c, from, c->rank);
    return total;
}

static const struct shunt_carried_member *member_of(const struct shunt_event_copies *c)
{
    return &c->sizes->carried.member[c->rank];
}

/* The first blocks of what a step of a rank sends. */
static int64_t sent(const struct shunt_event_copies *c, int rank, uint32_t i, uint32_t blocks)
{
    const struct shunt_carried_member *m = &c->sizes->carried.member[rank];
    int64_t total = 0;
    for (uint32_t b = 0; b < blocks; b++)
        total += c->sizes->bytes[m->block[m->schedule.steps[i].send_first + b]];
    return total;
}

/* Blocks that are put together in the next message. */
static int64_t packed(const struct shunt_event_copies *c)
{
    const struct shunt_step *steps = member_of(c)->schedule.steps;
    uint32_t i = c->sends;
    while (steps[i].send_count == 0)
        i++;
    return sent(c, c->rank, i, steps[i].send_count);
}

/* Blocks of a step that are copied once they have arrived: ranks.c, unpacked, of calls whose
 * blocks have lengths. */
static uint32_t unpacked(const struct shunt_schedule *s, const struct shunt_step *step, bool slots)
{
    if (!slots)
        return step->recv_count == 1 && step->recv_home == 1 ? 0 : step->recv_home;
    return step->recv_count == 1 && !shunt_ref_is_slot(s->refs[step->recv_first])
               ? 0
               : step->recv_count;
}

/* Those of a round; all: also what is passed on. */
static int64_t arrived(const struct shunt_event_copies *c, uint32_t round, bool all)
{
    const struct shunt_carried_member *m = member_of(c);
    const struct shunt_schedule *s = &m->schedule;
    const bool slots = shunt_events_in_slots(c->call);
    int64_t total = 0;
    for (uint32_t i = s->round_first[round]; i < s->round_first[round + 1]; i++)
        if (s->steps[i].recv_count > 0)
            total += sent(c, s->steps[i].recv_from, m->sender[i],
                          all ? s->steps[i].recv_count : unpacked(s, &s->steps[i], slots));
    return total;
}

/* Where it comes from or where it goes to says which block it is; of others no more is known than
 * that they are no longer than the largest. */
static int64_t moved(const struct shunt_event_copies *c, const struct shunt_copy *copy)
{
    const shunt_ref places = SHUNT_REF_SLOT | SHUNT_REF_STORE;
    if ((copy->to & places) == 0)
        return block_of(c, (int)copy->to, c->rank);
    return (copy->from & places) == 0 ? block_of(c, c->rank, (int)copy->from) : c->call->block;
}

static int64_t all_moved(const struct shunt_event_copies *c, const struct shunt_copy *copy,
                         uint32_t count)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += moved(c, &copy[i]);
    return total;
}

static int64_t between_ranks(const struct shunt_event_copies *c, size_t at)
{
    const struct shunt_schedule *s = &member_of(c)->schedule;
    const struct shunt_event *event = &c->events->event[at];
    const bool last = at + 1 == c->events->count;
    if (c->copies == 0)
        return own(c) + all_moved(c, s->before, s->before_count);
    if (last && s->after_count > 0)
        return all_moved(c, s->after, s->after_count);
    if (c->call->algorithm->kind == SHUNT_KIND_DATATYPE)
        return event->bytes; /* of an MPI_Alltoall: as many of the largest */
    if (!last && event[1].kind == SHUNT_EVENT_SEND && event[1].round == event->round)
        return packed(c);
    return arrived(c, event->round, false);
}

/* Each round's arrivals, and last the own block. */
static int64_t collected(const struct shunt_event_copies *c, size_t at)
{
    const struct shunt_event *event = &c->events->event[at];
    const bool last = at + 1 == c->events->count;
    if (event->kind == SHUNT_EVENT_COPY_IN)
        return leaving_together(c);
    if (event->kind == SHUNT_EVENT_COPY)
        return c->copies < c->events->rounds ? arrived(c, event->round, true) : own(c);
    return !last && event[1].kind == SHUNT_EVENT_SEND ? packed(c) : coming(c, false);
}

int64_t shunt_event_copies_bytes(const struct shunt_event_copies *c, size_t at)
{
    const struct shunt_event *event = &c->events->event[at];
    if (c->call->algorithm->kind == SHUNT_KIND_COLLECT)
        return collected(c, at);
    if (event->kind == SHUNT_EVENT_COPY_IN)
        return leaving(c);
    if (event->kind == SHUNT_EVENT_COPY_OUT)
        return coming(c, true);
    return shunt_kind_shares(c->call->algorithm->kind) ? own(c) : between_ranks(c, at);
}
