/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.h: the library's collectives on the user's communicator, for what all its ranks find
 * out together before they have anything of their own. Nonblocking and waited for by us, so that
 * the watchdog can tell who waits.
 */
#ifndef SHUNT_COMM_COLLECTIVE_H
#define SHUNT_COMM_COLLECTIVE_H

#include "comm/comm.h"

/* Maximum, and broadcast from rank 0, to be completed with shunt_collective_wait. Return what to
 * give that. Errors are not raised. */
int shunt_collective_begin_max(struct shunt_comm *comm, int64_t *values, int count,
                               MPI_Request *request);
int shunt_collective_begin_broadcast(struct shunt_comm *comm, void *bytes, int count,
                                     MPI_Request *request);
/* Completes what was posted with the result `posted`. */
int shunt_collective_wait(struct shunt_comm *comm, int posted, MPI_Request *request);
/* Maximum over all ranks, in place; array of count. */
int shunt_collective_max(struct shunt_comm *comm, int64_t *values, int count);
/* The same, before it is known that all ranks have the library: gives up after the time of
 * SHUNT_COMM_PATIENCE, with an error and comm->diag.gave_up. */
int shunt_collective_meet(struct shunt_comm *comm, int64_t *values, int count);
/* From rank 0. */
int shunt_collective_broadcast(struct shunt_comm *comm, void *bytes, uint64_t count);

#endif
