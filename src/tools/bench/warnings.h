/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.h: what makes the figures of a case doubtful, and what to do about it. Rank 0 only. */
#ifndef SHUNT_BENCH_WARNINGS_H
#define SHUNT_BENCH_WARNINGS_H

#include "tools/bench/bench.h"

enum { BENCH_WARNING_ROOM = 320 };

/* Calls `tell` for every warning about the case; returns how many there were. */
int bench_warnings(const struct bench *bench, const struct bench_result *results,
                   void (*tell)(void *context, const char *text), void *context);

/* Counts those of a case, for the end. */
void bench_warnings_count(struct bench *bench, const struct bench_result *results);

/* What to do, once everything is measured; nothing without warnings. */
void bench_warnings_end(const struct bench *bench, FILE *stream);

#endif
