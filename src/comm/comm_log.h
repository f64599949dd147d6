/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_log.h: what the log is told about this process and its communicators. Local. */
#ifndef SHUNT_COMM_COMM_LOG_H
#define SHUNT_COMM_COMM_LOG_H

#include "comm/comm.h"

/* Before anything else is told; repeats cheaply. Rank 0 of the job tells which table it has. */
void shunt_comm_log_begin(void);

/*
 * A number of the communicator that is the same on all its ranks, without a message: from their
 * ranks in MPI_COMM_WORLD, and from how many communicators of the same ranks came before. Those are
 * the same everywhere, for blocking collectives on communicators of the same ranks must be made in
 * one order; not so with several threads, nor among processes that have no MPI_COMM_WORLD in
 * common. Found at the first call, where this rank records calls; 0 where it does not.
 */
uint64_t shunt_comm_log_id(struct shunt_comm *comm);

/* The name that the application gave, in comm->diag.name; "" without one. */
const char *shunt_comm_log_name(struct shunt_comm *comm);

/* A communicator has been set up. */
void shunt_comm_log_set_up(struct shunt_comm *comm);

#endif
