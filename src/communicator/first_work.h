/* SPDX-License-Identifier: BSD-3-Clause */
/* first_work.h: how much work a communicator sees before anything is announced on it, and what a
 * newcomer goes on with. */
#ifndef SHUNT_COMMUNICATOR_FIRST_WORK_H
#define SHUNT_COMMUNICATOR_FIRST_WORK_H

#include "communicator/comm.h"

/* Units of work (SHUNT_UNIT_BYTES) before the first announcement; before it is known whether there
 * is a board, before the look for one. */
int64_t shunt_first_work_units(const struct shunt_comm *comm);

/* Of a newcomer (newcomers.h): the calls that it may see, of a unit of work each, among so many
 * ranks; and how many more afterwards, 0 where there is something to look at, or to announce. */
uint32_t shunt_first_work_calls(int size);
uint32_t shunt_first_work_further(struct shunt_comm *newcomer);
/* Its call was carried out, an MPI_Alltoall that sent so many bytes or an MPI_Alltoallv (0). */
void shunt_first_work_count(struct shunt_comm *newcomer, int64_t bytes);
/* Its call that was to come did not count: it was rejected, on this rank perhaps. */
void shunt_first_work_uncount(struct shunt_comm *newcomer);
/* The calls of a newcomer so far, and the work in them. */
static inline uint32_t shunt_first_work_calls_of(const struct shunt_comm *newcomer)
{
    return newcomer->idle_granted - newcomer->idle_calls;
}

static inline int64_t shunt_first_work_units_of(const struct shunt_comm *newcomer)
{
    return (int64_t)shunt_first_work_calls_of(newcomer) + newcomer->more_units;
}

/* A new state goes on where a newcomer was after so many calls, with so much work in them. */
void shunt_first_work_resume(struct shunt_comm *comm, uint32_t calls, int64_t units, bool looked);
/* What only counts as yet, by work, begins anew, as a newcomer does on other ranks; for a call that
 * is under way it no longer lives (states.h). */
void shunt_first_work_restart(struct shunt_comm *comm);

#endif
