/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.h: everything that one rank does for one call, in order: messages with real ranks, copies,
 * barriers of the node, waits for leaders.
 *
 * Derived from the schedule of the row and from how its kind is executed (src/execute).
 * tests/mpi/events.sh holds all of it against what is really done, rank by rank and event by event
 * (comm/trace.h); of copies only what the ones between two other events come to. For calls
 * in the steady state: plans are made, and the calls before had the same sizes; for plain memory;
 * and not in place.
 *
 * A message is posted where its event stands. The rank waits for all messages of a round behind the
 * last of them, or behind what it copies in meanwhile (COPY_IN of the same round); those of the
 * agreement, of lengths and of blocks have rounds of their own. It does not wait for others at a
 * barrier before it needs what they have done: a rank that sends nothing itself goes on to await
 * its leaders.
 */
#ifndef SHUNT_EVENTS_EVENTS_H
#define SHUNT_EVENTS_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "algorithms/algorithm.h"

enum shunt_event_kind {
    SHUNT_EVENT_COPY, /* blocks within the rank's own memory: the own block, rotations, packing of
                         what is forwarded */
    SHUNT_EVENT_COPY_IN,  /* blocks into the memory that the node shares */
    SHUNT_EVENT_COPY_OUT, /* and out of it, to the user or into a message: then the bytes are those
                             of whole bundles, headers included */
    SHUNT_EVENT_BARRIER,  /* of the node's ranks */
    SHUNT_EVENT_AWAIT,    /* until leader `peer` of the node has done its messages */
    SHUNT_EVENT_READ,     /* a block from the memory of neighbour `peer` */
    SHUNT_EVENT_AGREE,    /* a message of the agreement about sizes to `peer` */
    SHUNT_EVENT_LENGTHS,  /* a message of lengths alone to `peer` */
    SHUNT_EVENT_SEND,     /* a message of blocks to `peer` */
    SHUNT_EVENT_RECEIVE,  /* and one from it */
    SHUNT_EVENT_AGREE_RECEIVE,  /* a message of the agreement from `peer` */
    SHUNT_EVENT_LENGTHS_RECEIVE /* a message of lengths alone from it */
};

/* Bytes of what ranks tell each other about sizes: struct shunt_agreement. */
enum { SHUNT_AGREEMENT_BYTES = 40 };

struct shunt_event {
    enum shunt_event_kind kind;
    int peer;        /* rank; -1: none */
    uint32_t round;  /* messages of one round are in flight together */
    uint64_t blocks; /* copied, read, sent, received; those of a bundle in fragments are in the
                        first */
    int64_t bytes;   /* of a message, a copy or a read; -1: more than a number can say */
};

struct shunt_events {
    size_t count, capacity;
    struct shunt_event *event; /* array of count */
    uint32_t rounds;           /* of messages between ranks, or between nodes */
    int failed;
};

/* A call whose blocks all have `block` bytes. */
struct shunt_event_call {
    enum shunt_op op;
    const struct shunt_algorithm *algorithm; /* with a schedule (build) */
    const struct shunt_layout *layout;
    const struct shunt_params *params;
    int64_t block;
    int64_t memory; /* bytes that a rank's buffers may take (the rule's, the table's, or
                       SHUNT_MEMORY); 0: any number */
    bool agrees; /* ranks agree about sizes, before the blocks or with them: an MPI_Alltoallv whose
                    kind needs it, or with several answers */
};

/* Fills `events` for one rank; release with shunt_events_clear in any case. Returns 0, or -1 when
 * memory is short. */
int shunt_events_build(struct shunt_events *events, const struct shunt_event_call *call, int rank);
void shunt_events_clear(struct shunt_events *events);

#endif
