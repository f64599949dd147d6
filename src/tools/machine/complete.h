/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.h: from what was measured to a whole description. No MPI. */
#ifndef SHUNT_TOOLS_MACHINE_COMPLETE_H
#define SHUNT_TOOLS_MACHINE_COMPLETE_H

#include "tools/machine/results.h"

/* What is in a description before anything is measured. name, library: cut to what fits. */
void machine_results_begin(struct machine_results *results, const char *name, const char *library);

/*
 * What could not be measured is as what is nearest to it, with rows that say so: between nodes as
 * inside of one and the other way round. ppn, nodes: what there was. Then all numbers are rounded
 * to what measurements are worth.
 */
void machine_results_complete(struct machine_results *results, int ppn, int nodes);

/* Energies, power and cards' count from another description, with rows that name it. */
void machine_results_energy(struct machine_results *results, const struct shunt_machine *from,
                            const char *name);

#endif
