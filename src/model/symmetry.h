/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.h: whether node 0 stands for all. */
#ifndef SHUNT_MODEL_SYMMETRY_H
#define SHUNT_MODEL_SYMMETRY_H

#include "model/program.h"

/*
 * How many ranks have to be run: those of node 0 where nodes of equal size hold consecutive ranks
 * and the events of rank q * Q + l are those of rank l, all peers q * Q further on, modulo P;
 * otherwise all. The events are compared: of all ranks where there are 256 at most, else of nodes
 * 1, 2, 3, N/4, N/2, 3N/4 and N-1, there of local ranks 0, 1, 2, Q/2 and Q-1. (Schedules are
 * formulas of the rank: what differs among nodes, as exclusive-or and recursive doubling do,
 * differs on the next one.) 0: memory is short.
 */
enum { SHUNT_SYMMETRY_NODES = 7, SHUNT_SYMMETRY_LOCALS = 5 };
int shunt_symmetry_period(const struct shunt_program_call *call);

#endif
