/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: what blocks cost that are copied, and that are read from a neighbour's memory. */
#ifndef SHUNT_TOOLS_MACHINE_MEMORY_H
#define SHUNT_TOOLS_MACHINE_MEMORY_H

#include "tools/machine/run.h"

enum { MACHINE_MEMORY_STEPS = 2 };

/* Collective. The leader has copy and read, and their rows, afterwards. */
void machine_memory_measure(struct machine_run *run);

#endif
