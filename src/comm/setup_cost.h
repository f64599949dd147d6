/* SPDX-License-Identifier: BSD-3-Clause */
/* setup_cost.h: what the set-up of a communicator will cost, by what rank 0 has seen of its calls.
 */
#ifndef SHUNT_COMM_SETUP_COST_H
#define SHUNT_COMM_SETUP_COST_H

#include "comm/comm.h"

/* Seconds by which all ranks will be late. first: its processes have no team yet. table: that
 * will decide; NULL: none. Not equal on all ranks. */
double shunt_setup_cost(const struct shunt_comm *comm, bool first, const struct shunt_table *table);

#endif
