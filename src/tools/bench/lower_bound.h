/* SPDX-License-Identifier: BSD-3-Clause */
/* lower_bound.h: the least an exchange through shared memory has to do: one barrier, each byte
 * copied once in and once out. Collective. */
#ifndef SHUNT_BENCH_LOWER_BOUND_H
#define SHUNT_BENCH_LOWER_BOUND_H

#include "tools/bench/bench.h"

bool bench_lower_bound_open(const struct bench *bench, const struct bench_case *c);
void bench_lower_bound_close(void);
void bench_lower_bound_call(const struct bench_case *c);

#endif
