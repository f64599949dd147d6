/* SPDX-License-Identifier: BSD-3-Clause */
/* node.h: what ranks of a node pay for waiting for each other in shared memory. */
#ifndef SHUNT_TOOLS_MACHINE_NODE_H
#define SHUNT_TOOLS_MACHINE_NODE_H

#include "tools/machine/run.h"

enum { MACHINE_NODE_STEPS = 2 };

/* Collective. The leader has barrier_start, barrier_rank and turn, and their rows, afterwards. */
void machine_node_measure(struct machine_run *run);

#endif
