/* SPDX-License-Identifier: BSD-3-Clause */
/* events_build.h: for the files that make events, one for each way to exchange: between ranks, or
 * through the memory of nodes. Everybody else includes events.h. */
#ifndef SHUNT_ALGORITHMS_EVENTS_BUILD_H
#define SHUNT_ALGORITHMS_EVENTS_BUILD_H

#include "algorithms/events.h"

struct shunt_events_build {
    struct shunt_events *events;
    const struct shunt_event_call *call;
    const struct shunt_layout *layout;
    struct shunt_schedule schedule; /* of the rank, or of its node */
    int rank, node, local, ppn;     /* ppn: of its node */
    uint32_t round;                 /* of the events that are added next */
};

void shunt_events_add(struct shunt_events_build *b, enum shunt_event_kind kind, int peer,
                      uint64_t blocks, int64_t bytes);
/* Blocks of the call's size; nothing for none. */
void shunt_events_add_copy(struct shunt_events_build *b, enum shunt_event_kind kind,
                           uint64_t blocks);
/* Bytes of so many; -1: more than a number can say. Only direct exchanges may get so far, for these
 * need no memory. */
int64_t shunt_events_bytes(const struct shunt_events_build *b, uint64_t blocks);

/* Messages from rank to rank: kinds DIRECT, FORWARD, PADDED, DATATYPE. */
void shunt_events_between_ranks(struct shunt_events_build *b);
/* Whether kind FORWARD has all that arrives in slots, for want of memory to keep it where it did.
 */
bool shunt_events_in_slots(const struct shunt_event_call *call);
/* Through shared memory inside nodes: kinds SEGMENT (bundles of the leaders between them) and
 * COLLECT (messages from rank to rank). */
void shunt_events_bundles(struct shunt_events_build *b);
void shunt_events_collected(struct shunt_events_build *b);

#endif
