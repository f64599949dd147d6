/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * same.h: what says the same on all simulated ranks, in memory once.
 *
 * Layouts are shared from the beginning: simulation.mk has the linker put the functions of same.c
 * in place of those of schedule/layout.h. What a simulated rank has in arrays of P besides them is
 * given up as soon as the communicator is set up, and what a call leaves behind it before the next.
 */
#ifndef SHUNT_SIMULATE_SAME_H
#define SHUNT_SIMULATE_SAME_H

#include "comm/comm.h"

/*
 * After a communicator was set up, by each of its ranks: arrays that say the same everywhere become
 * those of the first rank that got here. Nobody writes there any more; the communicator must not be
 * freed after that.
 */
void simulate_same(struct shunt_comm *comm);

/* Between calls, by each rank when all have returned: gives back what is in the memory of messages
 * and of the node; its contents are gone. */
void simulate_drop(const struct shunt_comm *comm);

#endif
