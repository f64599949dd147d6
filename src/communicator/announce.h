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
 * nanoseconds: that it took, on rank 0. */
void shunt_announce_done(struct shunt_comm *comm, int64_t bytes, int64_t nanoseconds);

/* Whether the first one comes by the work that is done, as far as this process knows: then this may
 * be a newcomer (newcomers.h) before. */
bool shunt_announce_comes_by_work(MPI_Comm user);

#endif
