/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h: what simulated ranks have in common, and what each does that SimGrid does not see.
 *
 * All ranks are in one process and take turns: only one runs at a time, and another goes on only
 * where this one calls SimGrid. So they share memory as it is, and nothing is locked. Globals are
 * one for all of them (smpi/privatization:no): what a rank has of its own is in here.
 */
#ifndef SHUNT_SIMULATE_RANKS_H
#define SHUNT_SIMULATE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "model/machine.h"

/* Once per rank, after MPI_Init: the machine whose times are charged (kept), ranks per node, in
 * blocks. */
void simulate_ranks_begin(const struct shunt_machine *machine, int rank, int ranks, int ppn);
void simulate_ranks_end(void);

/*
 * What this rank has done since it last called SimGrid, in seconds of its processor: copies, reads
 * and overheads of messages as src/comm/trace.h tells of them. It passes now.
 */
void simulate_pass(void);
/* So many seconds more to pass. */
void simulate_owe(double seconds);

/* Of a message that has arrived: seconds that it takes of its receiver's processor; 0 of one that
 * was sent. */
double simulate_receive_work(const MPI_Request *request);

/* What a barrier of the node costs after its last rank, if this rank has not paid that yet. */
void simulate_pay_barrier(void);

/* Simulated seconds since the beginning. */
double simulate_now(void);

/* This rank goes on when another one wakes it, or has done so. */
int simulate_rank(void);
void simulate_sleep(void);
void simulate_wake(int rank);

/* All ranks meet, at no cost, and go on at the same time. */
void simulate_meet(void);

#endif
