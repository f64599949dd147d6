/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.h: calls that a lesson of their communicator decides (learn/lessons.h). */
#ifndef SHUNT_INTERCEPT_TRIAL_H
#define SHUNT_INTERCEPT_TRIAL_H

#include "intercept/record.h"
#include "learn/windows.h"

struct shunt_trial {
    struct shunt_lesson *lesson;
    const struct shunt_decision *decision; /* of the candidate that comes next */
    bool timed;
    bool native;   /* the table alone would not have asked for an agreement */
    int64_t begin; /* of the exchange */
    uint32_t turn; /* of the communicator (states.h) */
};

/* Of an MPI_Alltoall that would agree about device memory: whether it goes natively by a lesson, so
 * that there is nothing to agree about. */
bool shunt_trial_needs_nothing(struct shunt_exchange *x, int64_t block,
                               const struct shunt_decision *decision);
/* Whether a lesson decides the call, for which the map has `decision`; x->block is set. What it
 * looks at is equal on all ranks. */
bool shunt_trial_begin(struct shunt_trial *trial, struct shunt_exchange *x,
                       const struct shunt_decision *decision);
/* The call ended with `status`. Returns what it is to return. */
int shunt_trial_end(const struct shunt_trial *trial, struct shunt_exchange *x,
                    struct shunt_outcome *outcome, int status);

/* Of MPI_Alltoallv: the decision for this largest block and so many of all that are not empty, a
 * lesson's or the map's; a call went by that one, its agreement with it. Returns the code of the
 * library. */
const struct shunt_decision *shunt_trial_candidate(struct shunt_exchange *x, int64_t block,
                                                   uint64_t blocks);
int shunt_trial_count(struct shunt_exchange *x, struct shunt_outcome *outcome);

/* Likewise: a native call of a lesson's run, without an agreement. */
int shunt_trial_native(struct shunt_exchange *x, struct shunt_lesson *lesson,
                       struct shunt_outcome *outcome);
/* Likewise: a call that no lesson looks at. */
int shunt_trial_pause(struct shunt_exchange *x, struct shunt_outcome *outcome);

#endif
