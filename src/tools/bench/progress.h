/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: how far the measurement is, for people who watch. */
#ifndef SHUNT_BENCH_PROGRESS_H
#define SHUNT_BENCH_PROGRESS_H

#include "tools/bench/bench.h"

/* Now and then, if rank 0 writes to a terminal, also by way of the launcher. */
void bench_progress_show(const struct bench *bench, int repetition);
void bench_progress_clear(void);

#endif
