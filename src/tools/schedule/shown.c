/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c: the events of one rank, and where in a call each of them is. */
#include "tools/schedule/shown.h"

static const struct {
    const char *word, *phrase;
} names[] = {[SHUNT_EVENT_COPY] = {"copy", "copy"},
             [SHUNT_EVENT_COPY_IN] = {"copy_in", "copy in"},
             [SHUNT_EVENT_COPY_OUT] = {"copy_out", "copy out"},
             [SHUNT_EVENT_BARRIER] = {"barrier", "barrier"},
             [SHUNT_EVENT_AWAIT] = {"await", "wait     for"},
             [SHUNT_EVENT_READ] = {"read", "read     from"},
             [SHUNT_EVENT_AGREE] = {"agree", "agree    with"},
             [SHUNT_EVENT_LENGTHS] = {"lengths", "lengths  to"},
             [SHUNT_EVENT_SEND] = {"send", "send     to"},
             [SHUNT_EVENT_RECEIVE] = {"receive", "receive  from"},
             [SHUNT_EVENT_AGREE_RECEIVE] = {"agree_receive", "agree    from"},
             [SHUNT_EVENT_LENGTHS_RECEIVE] = {"lengths_receive", "lengths  from"}};

const char *shunt_shown_word(enum shunt_event_kind kind)
{
    return names[kind].word;
}

const char *shunt_shown_phrase(enum shunt_event_kind kind)
{
    return names[kind].phrase;
}

/* Whether blocks are copied after the last round, where no memory is shared: the schedule tells. */
static bool copies_after(const struct shunt_shown *call, int rank)
{
    struct shunt_schedule schedule;
    const struct shunt_decision *decision = call->decision;
    if (decision->algorithm->build(&schedule, &call->question->layout, rank, &decision->params))
        return false;
    const bool copies = schedule.after_count > 0;
    shunt_schedule_clear(&schedule);
    return copies;
}

/* The agreement, if it is a part of its own: a barrier of the node, then waiting or messages. */
static size_t end_of_agreement(const struct shunt_events *e)
{
    size_t at = e->count > 0 && e->event[0].kind == SHUNT_EVENT_BARRIER ? 1 : 0;
    while (at < e->count && (e->event[at].kind == SHUNT_EVENT_AGREE ||
                             e->event[at].kind == SHUNT_EVENT_AGREE_RECEIVE ||
                             e->event[at].kind == SHUNT_EVENT_AWAIT))
        at++;
    return at;
}

/* From rank to rank: the own block and what is rotated come first, what is rotated back last. */
static void find_parts_of_ranks(struct shunt_shown_rank *shown, const struct shunt_shown *call)
{
    const struct shunt_events *e = &shown->events;
    shown->before = shown->agreed;
    if (shown->before < e->count && e->event[shown->before].kind == SHUNT_EVENT_COPY)
        shown->before++;
    shown->after = e->count;
    if (shown->after > shown->before && e->event[e->count - 1].kind == SHUNT_EVENT_COPY &&
        copies_after(call, shown->rank))
        shown->after--;
}

/* Through shared memory: what is copied in comes before the messages, what is copied out and the
 * own block behind them. */
static void find_parts_of_nodes(struct shunt_shown_rank *shown)
{
    const struct shunt_events *e = &shown->events;
    size_t at = shown->agreed, end = e->count;
    while (at < end &&
           (e->event[at].kind == SHUNT_EVENT_COPY_IN || e->event[at].kind == SHUNT_EVENT_BARRIER))
        at++;
    shown->before = at;
    for (bool copied = false; end > at; end--) {
        const enum shunt_event_kind kind = e->event[end - 1].kind;
        const bool copy = kind == SHUNT_EVENT_COPY;
        if (!(copy && !copied) && kind != SHUNT_EVENT_COPY_OUT && kind != SHUNT_EVENT_AWAIT &&
            kind != SHUNT_EVENT_BARRIER)
            break;
        copied |= copy;
    }
    shown->after = end;
}

static void find_parts(struct shunt_shown_rank *shown, const struct shunt_shown *call)
{
    const enum shunt_kind kind = call->decision->algorithm->kind;
    const bool apart = call->agrees && !shunt_kind_joins(kind);
    shown->agreed = apart ? end_of_agreement(&shown->events) : 0;
    if (shunt_kind_shares(kind))
        find_parts_of_nodes(shown);
    else
        find_parts_of_ranks(shown, call);
}

struct shunt_event_call shunt_shown_events(const struct shunt_shown *call)
{
    return (struct shunt_event_call){.op = call->question->op,
                                     .algorithm = call->decision->algorithm,
                                     .layout = &call->question->layout,
                                     .params = &call->decision->params,
                                     .block = call->question->block,
                                     .memory =
                                         call->question->memory > 0 ? call->question->memory : 0,
                                     .agrees = call->agrees};
}

int shunt_shown_build(struct shunt_shown_rank *shown, const struct shunt_shown *call, int rank)
{
    const struct shunt_event_call events = shunt_shown_events(call);
    *shown = (struct shunt_shown_rank){.rank = rank};
    if (shunt_events_build(&shown->events, &events, rank) ||
        (call->counts->bytes &&
         shunt_event_sizes_apply(&call->counts->sizes, &events, rank, &shown->events)))
        return -1;
    find_parts(shown, call);
    shown->effort = shunt_effort_sum(&shown->events);
    return 0;
}

void shunt_shown_clear(struct shunt_shown_rank *shown)
{
    shunt_events_clear(&shown->events);
}
