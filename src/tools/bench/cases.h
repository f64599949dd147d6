/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.h: one operation with one distribution of sizes: buffers, counts, and whether every byte
 * arrived. */
#ifndef SHUNT_BENCH_CASES_H
#define SHUNT_BENCH_CASES_H

#include "tools/bench/bench.h"

/*
 * Collective; rank 0's matrix files count. Every problem is found by bench_cases_check, on all
 * ranks: it returns an exit code, with a message in `diagnostic`.
 */
int bench_cases_check(struct bench *bench, char *diagnostic, size_t capacity);
void bench_case_open(struct bench *bench, struct bench_case *c, enum shunt_op op,
                     const struct bench_distribution *distribution, int64_t block);
void bench_case_close(struct bench_case *c);
/* --check: before a call, and whether every byte is right after it. */
void bench_case_poison(struct bench_case *c);
bool bench_case_right(const struct bench *bench, const struct bench_case *c);

#endif
