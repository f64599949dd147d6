/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * newcomers.h: communicators of which nothing is kept yet but how many calls they have seen.
 *
 * Programs make communicators by the hundred and use them a few times; what takes longest then is
 * memory that nobody has touched. So the attribute of a communicator first has a newcomer: a struct
 * shunt_comm of which only the first line of the processor's cache exists, which is all that the
 * entry points look at. Its state is SHUNT_STATE_NEWCOMER, and idle_granted - idle_calls the number
 * of its calls; when there are no more to come, a whole one takes its place and goes on counting.
 * All ranks count the same calls whichever of the two they have.
 */
#ifndef SHUNT_COMMUNICATOR_NEWCOMERS_H
#define SHUNT_COMMUNICATOR_NEWCOMERS_H

#include "communicator/comm.h"

/* One that may see so many calls, owned by the caller; NULL where all are in use. */
struct shunt_comm *shunt_newcomers_take(MPI_Comm user, int rank, int size, uint32_t calls);
void shunt_newcomers_give(struct shunt_comm *newcomer);

#endif
