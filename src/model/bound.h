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
    double messages[SHUNT_LEVEL_COUNT]; /* sent and received */
    double copied, read;                /* blocks */
    uint64_t work; /* events, and blocks that travel on their own: what building them costs */
};

/* Counts. Returns 0, or -1 when memory is short. The row has a schedule. */
int shunt_bound_make(struct shunt_bound *bound, const struct shunt_event_call *call);

/* Seconds that rank 0 is busy with that for such blocks, each `sharing` (>= 1) times as long: how
 * many ranks take turns on a processor, if all do the same; or, if that is more, until its first
 * message of others can have come. No rank's waiting is in it, nor barriers. */
double shunt_bound_time(const struct shunt_bound *bound, const struct shunt_machine *machine,
                        int64_t block, double sharing);

#endif
