/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h: what is active, said once per job at its first call. */
#ifndef SHUNT_PROCESS_START_H
#define SHUNT_PROCESS_START_H

/*
 * Says which Shunt, table, ranks and MPI library a job has, on its rank 0, where SHUNT_LOG asks for
 * it; and that every rank runs alone where a launcher of another MPI library started the program.
 * At the first call, after the MPI library was found; without communication.
 */
void shunt_start_say(void);

#endif
