/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h: what messages take longer that are derived datatypes over blocks. */
#ifndef SHUNT_TOOLS_MACHINE_TYPES_H
#define SHUNT_TOOLS_MACHINE_TYPES_H

#include "tools/machine/run.h"

enum { MACHINE_TYPES_STEPS = 1 };

/* Collective, though the leader alone measures: it has type_message, type_block, type_byte and
 * type_long, and their rows, afterwards. */
void machine_types_measure(struct machine_run *run);

#endif
