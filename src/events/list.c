/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c: the list of events as it grows, for the files that make them. */
#include <stdlib.h>

#include "events/build.h"

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

void shunt_events_add(struct shunt_events_build *b, enum shunt_event_kind kind, int peer,
                      uint64_t blocks, int64_t bytes)
{
    struct shunt_events *e = b->events;
    if (e->count == e->capacity && !grow(e))
        e->failed = 1;
    if (!e->failed)
        e->event[e->count++] = (struct shunt_event){
            .kind = kind, .peer = peer, .round = b->round, .blocks = blocks, .bytes = bytes};
}

int64_t shunt_events_bytes(const struct shunt_events_build *b, uint64_t blocks)
{
    int64_t bytes;
    return __builtin_mul_overflow((int64_t)blocks, b->call->block, &bytes) ? -1 : bytes;
}

void shunt_events_add_copy(struct shunt_events_build *b, enum shunt_event_kind kind,
                           uint64_t blocks)
{
    if (blocks > 0)
        shunt_events_add(b, kind, -1, blocks, shunt_events_bytes(b, blocks));
}

void shunt_events_clear(struct shunt_events *events)
{
    free(events->event);
    *events = (struct shunt_events){0};
}
