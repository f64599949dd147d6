/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c: sums over the events of rank 0. */
#include "model/bound.h"

static bool is_message(enum shunt_event_kind kind)
{
    return kind >= SHUNT_EVENT_AGREE;
}

static void add(struct shunt_bound *bound, const struct shunt_event *event,
                const struct shunt_layout *layout, bool listed)
{
    bound->work += 1 + (listed && is_message(event->kind) ? event->blocks : 0);
    if (is_message(event->kind))
        bound->messages[layout->node_of[event->peer] == layout->node_of[0] ? SHUNT_LEVEL_INSIDE
                                                                           : SHUNT_LEVEL_BETWEEN]++;
    else if (event->kind == SHUNT_EVENT_READ)
        bound->read += (double)event->blocks;
    else if (event->kind <= SHUNT_EVENT_COPY_OUT)
        bound->copied += (double)event->blocks;
}

int shunt_bound_make(struct shunt_bound *bound, const struct shunt_event_call *call)
{
    struct shunt_events events = {0};
    const int status = shunt_events_build(&events, call, 0);
    /* Bundles of nodes are no lists of blocks. */
    const bool listed = !shunt_kind_shares(call->algorithm->kind);
    *bound = (struct shunt_bound){0};
    for (size_t i = 0; status == 0 && i < events.count; i++)
        add(bound, &events.event[i], call->layout, listed);
    shunt_events_clear(&events);
    return status;
}

double shunt_bound_time(const struct shunt_bound *bound, const struct shunt_machine *machine,
                        int64_t block, double sharing)
{
    const double bytes = (double)block;
    const double copies = bound->copied * (machine->copy_block + bytes * machine->copy_byte) +
                          bound->read * (machine->read_block + bytes * machine->read_byte);
    double messages = 0, first = 0;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        const struct shunt_link *link = &machine->link[level];
        messages += bound->messages[level] * link->overhead;
        /* Ranks wait for all messages of a round, so the latest of the levels counts. */
        const double arrival = link->latency + 2 * link->overhead;
        if (bound->messages[level] > 0 && arrival > first)
            first = arrival;
    }
    /* A card sends, receives and leaves the rank to its copies at the same time; it needs no
     * processor. */
    const double copying = sharing * copies, sending = messages / 2;
    const double busy = !machine->offload   ? copying + sharing * messages
                        : copying > sending ? copying
                                            : sending;
    return busy > first ? busy : first;
}
