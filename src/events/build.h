/* SPDX-License-Identifier: BSD-3-Clause */
/* build.h: for the files that make events, one for each way to exchange: between ranks, or
 * through the memory of nodes. Everybody else includes events.h. */
#ifndef SHUNT_EVENTS_BUILD_H
#define SHUNT_EVENTS_BUILD_H

#include "events/events.h"

/* Whether the blocks of a message lie side by side: in slots; or where the user has them, from that
 * of rank `first` on, modulo the number of ranks. */
struct shunt_events_piece {
    enum { SHUNT_PIECES_SEVERAL, SHUNT_PIECES_SLOTS, SHUNT_PIECES_USER } kind;
    uint32_t first;
};

/* Of each step of a schedule that keeps messages where they arrive. */
struct shunt_events_pieces {
    struct shunt_events_piece *out, *in; /* arrays of step_count, owned */
};

struct shunt_events_build {
    struct shunt_events *events;
    const struct shunt_event_call *call;
    const struct shunt_layout *layout;
    const struct shunt_schedule *schedule; /* of the rank, or of its node */
    int rank, node, local, ppn;            /* ppn: of its node */
    uint32_t round;                        /* of the events that are added next */
    /* Of a schedule that is that of rank 0: how much further on, modulo the number of ranks, are
     * its peers, and the places of its blocks. */
    int moved, moved_places;
    const struct shunt_events_pieces *pieces; /* NULL: not yet known */
};

/* The messages and copies of the call, once the schedule is there. */
void shunt_events_exchange(struct shunt_events_build *b, int rank);

/* Returns 0, or -1 when memory is short. Release in any case. */
int shunt_events_pieces_make(struct shunt_events_pieces *pieces,
                             const struct shunt_schedule *schedule);
void shunt_events_pieces_clear(struct shunt_events_pieces *pieces);
/* Whether `count` blocks are one piece, `moved` ranks further on. */
bool shunt_events_piece_whole(const struct shunt_events_piece *piece, uint32_t count, int moved,
                              int ranks);

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
/* Parts of each bundle, as many leaders send it. Leader `local` has part local % parts. */
int shunt_events_parts(const struct shunt_event_call *call);
void shunt_events_collected(struct shunt_events_build *b);

#endif
