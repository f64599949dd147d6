/* SPDX-License-Identifier: BSD-3-Clause */
/* alone.h: a communicator of ours with this process alone, to ask the library what it refuses. */
#ifndef SHUNT_PROCESS_ALONE_H
#define SHUNT_PROCESS_ALONE_H

#include "pmpi/pmpi.h"

/*
 * Errors on it are returned, so that a call's status tells; the communicators of the program,
 * MPI_COMM_SELF included, and their error handlers stay as they are. MPI_COMM_NULL: there is none
 * to be had, and nobody to ask. To be ended at once, for one thread at a time has one.
 */
MPI_Comm shunt_alone_begin(void);
void shunt_alone_end(MPI_Comm comm);

#endif
