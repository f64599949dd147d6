/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * family.h: the events of many ranks from one schedule, where the schedule of every rank p
 * is that of rank 0 with all peers and all places of user blocks p further on, modulo P: direct
 * exchanges by distance, and Bruck's algorithm with all its variants.
 *
 * Such events differ in two things: who agrees with whom about sizes, and which messages lie in one
 * piece where the user has their blocks, for what begins before rank P - 1 and ends behind it does
 * not.
 */
#ifndef SHUNT_EVENTS_FAMILY_H
#define SHUNT_EVENTS_FAMILY_H

#include "events/events.h"

struct shunt_events_family {
    bool alike; /* all ranks are as said above; what follows is there only then */
    struct shunt_schedule schedule; /* of rank 0 */
    struct shunt_events_pieces *pieces;
    uint32_t *crossing, crossings; /* steps whose messages may begin before rank P - 1 and end
                                      behind it */
};

/*
 * Builds the schedule of rank 0 and compares those of others with it: of all where there are 256 at
 * most, else of ranks 1, 2, Q - 1, Q, Q + 1, P/2, 3P/4 and P - 1. (Schedules are formulas of the
 * rank: what does not move with it differs on the next one. tests/unit/test_family compares all of
 * many.) Not for kinds that share memory. Returns 0, or -1 when memory is short. Release in any
 * case.
 */
int shunt_events_family_make(struct shunt_events_family *family,
                             const struct shunt_event_call *call);
void shunt_events_family_clear(struct shunt_events_family *family);

/* Whether schedule b is a, all peers and places of user blocks `moved` ranks further on. */
bool shunt_events_same_schedule(const struct shunt_schedule *a, const struct shunt_schedule *b,
                                int moved);

/* As shunt_events_build, of a family that is alike. Pieces are those of rank `places`: the rank's
 * own events have places = rank. */
int shunt_events_family_build(struct shunt_events *events, const struct shunt_events_family *family,
                              const struct shunt_event_call *call, int rank, int places);

/* Blocks that the rank copies in the last round, behind all messages, for they do not lie in one
 * piece, though they do for other ranks; *before: whether there are such blocks before that. */
uint64_t shunt_events_family_last(const struct shunt_events_family *family, int rank, bool *before);

/* Whether kind FORWARD keeps what arrives where it did; equal kinds with equal schedules then have
 * equal events. */
bool shunt_events_fused(const struct shunt_event_call *call);
/* Whether messages of more than one block are derived datatypes over the places of their blocks. */
bool shunt_events_typed(const struct shunt_event_call *call);

#endif
