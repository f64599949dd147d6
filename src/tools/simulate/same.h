/* SPDX-License-Identifier: BSD-3-Clause */
/* same.h: what says the same on all simulated ranks, in memory once. */
#ifndef SHUNT_SIMULATE_SAME_H
#define SHUNT_SIMULATE_SAME_H

#include "communicator/comm.h"

/*
 * After a communicator was set up, by each of its ranks: its arrays of nodes and ranks become those
 * of the first rank that got here, where they are equal. Nobody writes there any more; the
 * communicator must not be freed after that.
 */
void simulate_same(struct shunt_comm *comm);

#endif
