/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h: what messages between two ranks cost. */
#ifndef SHUNT_TOOLS_MACHINE_PAIRS_H
#define SHUNT_TOOLS_MACHINE_PAIRS_H

#include "tools/machine/run.h"

/* Steps that machine_pairs_measure takes for a level: 0 where there is no such pair. */
int machine_pairs_steps(const struct machine_run *run, enum shunt_level level);

/* Collective. The leader has the link and its rows afterwards. Nothing where there is no pair. */
void machine_pairs_measure(struct machine_run *run, enum shunt_level level);

#endif
