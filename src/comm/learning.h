/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learning.h: what the life of a communicator asks of whoever finds out by its calls what is
 * fastest (src/learn), and nothing else of that: set-up knows neither windows nor candidates.
 */
#ifndef SHUNT_COMM_LEARNING_H
#define SHUNT_COMM_LEARNING_H

#include "comm/comm.h"

/* At set-up, from agreed things alone: whether anything will be learned; memory for it. False:
 * there is none. */
bool shunt_learning_wanted(const struct shunt_comm *comm);
bool shunt_learning_begin(struct shunt_comm *comm);
/* Whether calls of the operation are learned from: not where SHUNT_FORCE says how they go. */
static inline bool shunt_learning_about(const struct shunt_comm *comm, enum shunt_op op)
{
    return comm->lessons && !shunt_comm_forced(comm, op);
}
/* Whether calls of the operation that no rule routes take part. */
bool shunt_learning_teaches(const struct shunt_comm *comm, enum shunt_op op);
/* What this process knows of communicators of this shape, as a number that is not negative; it
 * counts where all ranks know the same, in comm->known. */
int64_t shunt_learning_known(const struct shunt_comm *comm, enum shunt_op op);
/* Local: the communicator ends; MPI is about to end. */
void shunt_learning_end(struct shunt_comm *comm);
void shunt_learning_finish(void);

#endif
