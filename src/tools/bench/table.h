/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h: the results as a table, on rank 0 only. */
#ifndef SHUNT_BENCH_TABLE_H
#define SHUNT_BENCH_TABLE_H

#include "tools/bench/bench.h"

void bench_table_header(const struct bench *bench);
void bench_table_case(const struct bench *bench, const struct bench_case *c,
                      const struct bench_result *results);

#endif
