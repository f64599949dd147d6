/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h: the events of all ranks of a call in little memory, with what each message meets.
 *
 * The n-th message from a to b is the n-th that b receives from a: this is known before anything
 * runs, so that every message knows its receive by number, and nobody looks for it later. A message
 * takes 17 bytes while the program runs, and 21 while it is made: 16.7 million, the direct exchange
 * of 4,096 ranks, 352 MB.
 *
 * Of `period` ranks: all, or those of node 0, whose messages to other nodes then come from these,
 * by as many nodes further down (symmetry.h). Rank p is then represented by p modulo period.
 */
#ifndef SHUNT_MODEL_PROGRAM_H
#define SHUNT_MODEL_PROGRAM_H

#include "events/family.h"
#include "events/sizes.h"
#include "model/cost.h"

/* One operation: a word whose upper four bits say what, the others how many or whom; then, for
 * BYTES and WORK, a number in two more words. */
enum shunt_op_code {
    SHUNT_CODE_POST_INSIDE, /* receives, so many, from ranks of the node */
    SHUNT_CODE_POST_BETWEEN,
    SHUNT_CODE_SEND_INSIDE, /* messages, so many, each of the bytes that were said last */
    SHUNT_CODE_SEND_BETWEEN,
    SHUNT_CODE_BYTES,   /* int64_t: of the messages that follow; at first 0 */
    SHUNT_CODE_WORK,    /* double: seconds of the processor */
    SHUNT_CODE_WAIT,    /* for all messages since the last one */
    SHUNT_CODE_BARRIER, /* of the node */
    SHUNT_CODE_RAISE,   /* what leaders do behind a barrier is done */
    SHUNT_CODE_AWAIT    /* until that rank has done it behind the same barrier */
};
/* Of the rank of a message while the program is made: others have it by SHUNT_MOTION_ACROSS. */
#define SHUNT_ACROSS UINT32_C(0x80000000)
enum { SHUNT_CODE_SHIFT = 28, SHUNT_CODE_MASK = (1 << SHUNT_CODE_SHIFT) - 1 };

/* What tells when an event is done: the number of a message that the rank sends, or of one that it
 * receives; or that it begins the word with this number (that of words: it is through). */
enum shunt_mark { SHUNT_MARK_BEGUN, SHUNT_MARK_SENT, SHUNT_MARK_ARRIVED };
enum { SHUNT_MARK_SHIFT = 30, SHUNT_MARK_MASK = (1 << SHUNT_MARK_SHIFT) - 1 };

struct shunt_program_rank {
    size_t words, word_capacity;
    uint32_t *word; /* array of words */
    uint32_t sends;
    uint32_t *to;   /* array of sends: the rank that stands for the receiver */
    uint32_t *slot; /* and the number of its receive */
    uint32_t receives;
    uint32_t *from;       /* array of receives: the rank; only while the program is made */
    uint8_t *from_inside; /* whether it is of the same node */
    size_t events;
    uint32_t *mark; /* array of events, where they are asked for; else NULL */
};

struct shunt_program {
    int period, nodes;               /* ranks and nodes that are run */
    struct shunt_program_rank *rank; /* array of period */
    uint64_t events;                 /* of all ranks that are run */
    /* of these ranks, by level */
    uint64_t messages[SHUNT_LEVEL_COUNT];
    int64_t bytes[SHUNT_LEVEL_COUNT]; /* INT64_MAX: more than a number can say */
    int64_t largest;                  /* message */
    uint32_t most_sends, rounds;
};

/* How the messages of other nodes follow from those of node 0. */
enum shunt_motion {
    SHUNT_MOTION_ON,    /* node n: every peer n nodes further on, modulo N */
    SHUNT_MOTION_ACROSS /* every peer on the node whose number differs in the bits of n; N is a
                           power of two */
};

/* What has to be run (symmetry.h). */
struct shunt_symmetry {
    int period; /* ranks: all, or those of node 0 */
    enum shunt_motion blocks, agreement;
    struct shunt_events_family family; /* where all ranks are alike */
    /* Array of period, or NULL: the rank of another node that copies more than this one behind all
     * its messages: it is the last of these to be done. */
    int *places;
};

/* A message, copies around it: what was asked for, resolved to something with a schedule. */
struct shunt_program_call {
    const struct shunt_cost_call *cost;
    struct shunt_event_call call;          /* its row has a schedule */
    uint64_t around;                       /* blocks copied before and after the whole */
    const struct shunt_event_sizes *sizes; /* where blocks have their own; else NULL */
    const struct shunt_symmetry *symmetry; /* NULL: nothing is known yet */
    bool marked;                           /* it is asked when each event is done */
};

/* Events of one rank, with sizes where blocks have their own. 0, or -1 when memory is short. */
int shunt_program_events(struct shunt_events *events, const struct shunt_program_call *call,
                         int rank);

/* Release with shunt_program_clear in any case. */
enum shunt_cost_result shunt_program_build(struct shunt_program *program,
                                           const struct shunt_program_call *call);
void shunt_program_clear(struct shunt_program *program);

/* match.c: gives each send the number of its receive. */
enum shunt_cost_result shunt_program_match(struct shunt_program *program, int ranks);

#endif
