/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h: exchanges of all ranks, for the numbers as they are when everybody works. */
#ifndef SHUNT_TOOLS_MACHINE_LOAD_H
#define SHUNT_TOOLS_MACHINE_LOAD_H

#include "tools/machine/run.h"

enum { MACHINE_LOAD_STEPS = 2 }; /* measuring, and fitting */

/* Collective, after everything else was measured: the leader's description agrees with them
 * afterwards, and its rows say what it was before. */
void machine_load_measure(struct machine_run *run);

#endif
