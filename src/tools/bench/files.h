/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h: the results as CSV and JSON, on rank 0 only. */
#ifndef SHUNT_BENCH_FILES_H
#define SHUNT_BENCH_FILES_H

#include "tools/bench/bench.h"

/* Opens the files; false with a message on stderr. */
bool bench_files_open(struct bench *bench);
void bench_files_case(struct bench *bench, const struct bench_case *c,
                      const struct bench_result *results);
/* False (said on stderr) when something could not be written. */
bool bench_files_close(struct bench *bench);

/* "agreement", ... */
const char *bench_phase_name(int phase);

#endif
