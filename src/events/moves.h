/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moves.h: which block goes from where to where in each event of a call: what the viewer draws.
 *
 * Blocks in messages are those of carried.h, places those of the schedule: a slot is where a block
 * waits, be it a copy or the message that brought it. What is packed into a message goes with the
 * event that sends it, so copies between rounds move nothing.
 */
#ifndef SHUNT_EVENTS_MOVES_H
#define SHUNT_EVENTS_MOVES_H

#include "events/carried.h"
#include "events/events.h"

enum shunt_place_kind {
    SHUNT_PLACE_SEND,      /* send block `index` of the user: the one for that rank */
    SHUNT_PLACE_RECEIVE,   /* receive block `index` of the user: the one from that rank */
    SHUNT_PLACE_SLOT,      /* temporary memory of the rank */
    SHUNT_PLACE_SHARED,    /* memory that the ranks of the node share */
    SHUNT_PLACE_NEIGHBOUR, /* the send block of the event's peer */
    SHUNT_PLACE_MESSAGE
};

struct shunt_place {
    enum shunt_place_kind kind;
    uint32_t index; /* of the first three kinds */
};

/* The block that rank `source` has for rank `target`. */
struct shunt_move {
    int source, target;
    struct shunt_place from, to;
};

struct shunt_moves {
    size_t count, capacity;
    struct shunt_move *move; /* owned; array of count */
    int failed;              /* memory was short */
    /* Private: the call, and how far its events have been followed. */
    const struct shunt_event_call *call;
    const struct shunt_carried *carried;
    const int64_t *bytes;
    int rank;
    uint32_t sends, receives, copies, copies_in;
};

/*
 * Begins with the events of one rank. carried: of the call; not used by kind READ. bytes: at source
 * * ranks + target, or NULL where all blocks have some: blocks without data move nowhere. None of
 * them is owned.
 */
void shunt_moves_begin(struct shunt_moves *moves, const struct shunt_event_call *call,
                       const struct shunt_carried *carried, const int64_t *bytes, int rank);
/* Fills in the moves of event `at`; events have to be asked for in their order. */
void shunt_moves_next(struct shunt_moves *moves, const struct shunt_events *events, size_t at);
void shunt_moves_clear(struct shunt_moves *moves);

#endif
