/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h: what the machine is on which is measured. */
#ifndef SHUNT_BENCH_MACHINE_H
#define SHUNT_BENCH_MACHINE_H

#include "tools/bench/bench.h"

/* Collective. */
void bench_machine_find(struct bench_machine *machine);

#endif
