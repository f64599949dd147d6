/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.h: whether node 0 stands for all. */
#ifndef SHUNT_MODEL_SYMMETRY_H
#define SHUNT_MODEL_SYMMETRY_H

#include "model/program.h"

/*
 * Which ranks have to be run: those of node 0 where nodes of equal size hold consecutive ranks and
 * the events of rank n * Q + l are those of rank l, all peers moved (enum shunt_motion): then every
 * node sends and receives at the same times, each message of one rank meeting the same receive on
 * another node; otherwise all, as where nodes share processors. An agreement about sizes moves in
 * its own way: it is over before the blocks come, so that these messages never meet.
 *
 * The events are compared: of all ranks where there are 256 at most, else of the first, second,
 * third, middle and last rank of nodes 1, 2, 3, N/4, N/2, 3N/4 and N-1. (Schedules are formulas of
 * the rank: what differs among nodes, as recursive doubling among some numbers of nodes does,
 * differs on the next one.)
 *
 * Ranks may copy more than others behind their last message, and no processor is short: then they
 * are done later, and nobody minds. Returns 0, or -1 when memory is short. Release in any case.
 */
enum { SHUNT_SYMMETRY_NODES = 7, SHUNT_SYMMETRY_LOCALS = 5 };
int shunt_symmetry_find(struct shunt_symmetry *symmetry, const struct shunt_program_call *call);
void shunt_symmetry_clear(struct shunt_symmetry *symmetry);

#endif
