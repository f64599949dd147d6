/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foresight.h: what a run leaves to the next one where it was too short to learn from
 * (SHUNT_LEARN=on, or the table's policy): all calls of a communicator together are the evidence.
 *
 * Rank 0 takes the time of calls before set-up. If that never came, it asks the model at the end,
 * once for each operation, and writes what is promised to the file of what was learned, as a rule
 * that is expected. The next run then sets up as soon as the time that the file tells pays for
 * that, and begins with that rule's algorithm, on all ranks alike, for all have the table. What its
 * calls took in the mean, held against the library's own, makes a learned rule of it, or a note
 * that nothing is gained.
 */
#ifndef SHUNT_COMMUNICATOR_FORESIGHT_H
#define SHUNT_COMMUNICATOR_FORESIGHT_H

#include "communicator/comm.h"

/* Whether this process notes anything for the file. */
bool shunt_foresight_learns(void);
/* Whether rank 0 takes the time of all calls before set-up, for a later run. */
bool shunt_foresight_wanted(const struct shunt_comm *comm);
/* Such a call: `bytes` that rank 0 sent, `nanoseconds` of it. */
void shunt_foresight_native(struct shunt_comm *comm, enum shunt_op op, uint64_t bytes,
                            int64_t nanoseconds);

/* Whether this rank takes the time of calls that go by what was expected; such a call. */
bool shunt_foresight_watches(const struct shunt_comm *comm);
void shunt_foresight_routed(struct shunt_comm *comm, enum shunt_op op, int64_t nanoseconds);

/* Rank 0 of the job: the communicator, or MPI, is about to end; notes what came of it. */
void shunt_foresight_note(const struct shunt_comm *comm);

#endif
