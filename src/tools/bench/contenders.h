/* SPDX-License-Identifier: BSD-3-Clause */
/* contenders.h: what is compared. Collective. */
#ifndef SHUNT_BENCH_CONTENDERS_H
#define SHUNT_BENCH_CONTENDERS_H

#include "tools/bench/bench.h"

void bench_contenders_open(struct bench *bench);
void bench_contenders_close(struct bench *bench);
/* Name, parameters, and whether it can be measured in this case (else the reason); equal on all ranks. */
bool bench_contender_fits(const struct bench *bench, const struct bench_case *c, const struct bench_contender *contender,
                          struct bench_result *result);
/* Whether it really runs (after a first call), and does not fall back. Likewise. */
bool bench_contender_runs(const struct bench_case *c, struct bench_result *result);
void bench_contender_call(const struct bench_contender *contender, const struct bench_case *c);

#endif
