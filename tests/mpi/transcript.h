/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transcript.h: what every rank saw, printed by rank 0 in the order of the ranks, so that two runs
 * can be compared as text.
 */
#ifndef SHUNT_TESTS_TRANSCRIPT_H
#define SHUNT_TESTS_TRANSCRIPT_H

#include <mpi.h>

/* Adds a line to this rank's transcript. */
void transcript(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "success" or the name of the class of an error code. */
const char *transcript_error(int error);

/* An error handler that notes the class and the name of the communicator it was called on, and
 * returns. Made at the first use. */
MPI_Errhandler transcript_handler(void);

/* How often it was called. MPICH 5 returns MPI_SUCCESS after a handler that returns. */
int transcript_noted(void);

/* Prints and clears. Collective over MPI_COMM_WORLD; only point-to-point messages. */
void transcript_print(void);

#endif
