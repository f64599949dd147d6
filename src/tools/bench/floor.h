/* SPDX-License-Identifier: BSD-3-Clause */
/* floor.h: the least an exchange through shared memory has to do: one meeting, each byte copied once in and once out. Collective. */
#ifndef SHUNT_BENCH_FLOOR_H
#define SHUNT_BENCH_FLOOR_H

#include "tools/bench/bench.h"

bool bench_floor_open(const struct bench *bench, const struct bench_case *c);
void bench_floor_close(void);
void bench_floor_call(const struct bench_case *c);

#endif
