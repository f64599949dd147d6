/* SPDX-License-Identifier: BSD-3-Clause */
/* announce.h: when a communicator is set up. */
#ifndef SHUNT_COMMUNICATOR_ANNOUNCE_H
#define SHUNT_COMMUNICATOR_ANNOUNCE_H

#include "communicator/comm.h"

/*
 * Rank 0 tells when set-up comes, or when it speaks again. At the beginning of every call, and
 * where comm->announces then, at its end. Collective at calls that all ranks know.
 */
void shunt_announce(struct shunt_comm *comm);
/* Whether something begins with this call if it is carried out: the first plan, an announcement, or
 * set-up. */
bool shunt_announce_due(const struct shunt_comm *comm);
void shunt_announce_end(struct shunt_comm *comm);
/*
 * How many of the next calls only count, where one of MPI_Alltoall moves less than
 * SHUNT_UNIT_BYTES: nothing begins or ends with them, and this rank does not take their time.
 */
uint32_t shunt_announce_idle(const struct shunt_comm *comm);
/* A call before set-up was carried out. bytes: that an MPI_Alltoall sent, 0 for MPI_Alltoallv;
 * seconds: that it took, on rank 0. */
void shunt_announce_done(struct shunt_comm *comm, int64_t bytes, double seconds);

/* Of a communicator without a state (newcomers.h): whether its first announcement comes by the work
 * that is done; the calls that it may see before, of a unit of work each, among so many ranks; how
 * many more afterwards, 0 where there is something to look at; and what to go on with when it has
 * seen so many. */
bool shunt_announce_comes_by_work(MPI_Comm user);
uint32_t shunt_announce_first_work(int size);
uint32_t shunt_announce_further_work(struct shunt_comm *newcomer);
/* The call that was to come did not count: it was rejected, on this rank perhaps. */
void shunt_announce_not_counted(struct shunt_comm *newcomer);
void shunt_announce_resume(struct shunt_comm *comm, uint32_t calls, bool looked);

/* What only counts as yet, by work, begins anew, as a newcomer does on other ranks. */
void shunt_announce_restart(struct shunt_comm *comm);

#endif
