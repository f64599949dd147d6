/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named.h: for tests, settings of single communicators. SHUNT_TEST_COMMUNICATORS is a file of lines
 *
 *     NAME VARIABLE=VALUE...
 *
 * of which SHUNT_FORCE, SHUNT_TEST_LAYOUT and SHUNT_MEMORY count, in place of the job's, for the
 * communicators that have that name (MPI_Comm_set_name) when they are set up.
 */
#ifndef SHUNT_COMM_NAMED_H
#define SHUNT_COMM_NAMED_H

#include "comm/comm.h"

/* Looks up the communicator's name, on each rank by itself. Where a line is found, it becomes
 * comm->named, and what it forces comm->given. False: memory is short, or what it forces cannot be
 * had. */
bool shunt_named_read(struct shunt_comm *comm);
/* Of the line that was found: ranks that read another one are found out. */
uint64_t shunt_named_hash(const struct shunt_comm *comm);
/* What the line says in place of what the team has agreed. */
void shunt_named_apply(struct shunt_comm *comm);
/* Frees comm->named, after set-up. */
void shunt_named_forget(struct shunt_comm *comm);

#endif
