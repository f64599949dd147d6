/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bound.h: the least that a call can take, from what one rank has to do itself: for the choice of
 * an algorithm, where running all ranks' events against each other is more work than it is worth.
 */
#ifndef SHUNT_MODEL_BOUND_H
#define SHUNT_MODEL_BOUND_H

#include "model/cost.h"

/* What rank 0 does, for blocks of any size from the one on that it was counted for: larger ones
 * never make for fewer messages or copies. */
struct shunt_bound {
    double sends[SHUNT_LEVEL_COUNT], receives[SHUNT_LEVEL_COUNT]; /* messages */
    double sent[SHUNT_LEVEL_COUNT];                               /* blocks in messages */
    double copied, read;                                          /* blocks */
    uint64_t events;
    uint64_t work; /* events, and blocks that travel on their own: what building them costs */
};

/* Counts. Returns 0, or -1 when memory is short. The row has a schedule. */
int shunt_bound_make(struct shunt_bound *bound, const struct shunt_event_call *call);

/*
 * The same without building anything, where a formula says it: rows that send every block straight
 * to its rank, exactly; rows that forward blocks digit by digit of the distance (Bruck's and their
 * like), of which at least so much is copied. False: there is none. For nodes whose ranks follow
 * one another; else levels of messages are guessed.
 */
bool shunt_bound_formula(struct shunt_bound *bound, const struct shunt_event_call *call);

/* Seconds that rank 0 is busy with that for such blocks; or, if that is more, until its first
 * message of others can have come, or until all that it sends is on the wire. No rank's waiting is
 * in it, nor barriers. */
double shunt_bound_time(const struct shunt_bound *bound, const struct shunt_machine *machine,
                        int64_t block);

/*
 * Likewise for calls in which all ranks send as many messages, as the library's own do. Where ranks
 * outnumber the processors of their node these are not done before all have sent theirs, one after
 * the other; what is copied and received may pass while others wait, so it does not count there.
 */
double shunt_bound_native(const struct shunt_bound *bound, const struct shunt_machine *machine,
                          const struct shunt_layout *layout, int64_t block);

#endif
