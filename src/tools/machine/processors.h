/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.h: how many processors the ranks of a node may use, and who else uses them. */
#ifndef SHUNT_TOOLS_MACHINE_PROCESSORS_H
#define SHUNT_TOOLS_MACHINE_PROCESSORS_H

#include <stdbool.h>

struct machine_run;

/* Collective: fills processors, bound and running. */
void machine_processors_find(struct machine_run *run);

/* Processors that a control group's quota stands for, from what the kernel tells: a line of cpu.max
 * of version 2 ("max 100000", "150000 100000"); 0: no limit. */
double machine_quota_read(const char *line);

#endif
