/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h: one case. */
#ifndef SHUNT_BENCH_MEASURE_H
#define SHUNT_BENCH_MEASURE_H

#include "tools/bench/bench.h"

/* results: array of candidate_count. */
void bench_measure(struct bench *bench, struct bench_case *c, struct bench_result *results);

#endif
