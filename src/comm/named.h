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

struct shunt_named {
    char line[512]; /* settings.force points into it */
    struct shunt_settings settings;
    uint64_t hash; /* of the line: ranks that read another one are found out */
};

/* Looks up the communicator's name, on each rank by itself. Where a line is found comm->named
 * becomes `named`, and comm->given what it forces. False: what it forces cannot be had. */
bool shunt_named_read(struct shunt_comm *comm, struct shunt_named *named);
/* What the line says in place of what the team has agreed. */
void shunt_named_apply(struct shunt_comm *comm);

#endif
