/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: how far a measurement is, for people who watch. For the rank that speaks. */
#ifndef SHUNT_BENCH_PROGRESS_H
#define SHUNT_BENCH_PROGRESS_H

#include <stdbool.h>

/* Whether it is time to say something: now and then, if this rank writes to a terminal, also by way
 * of the launcher. */
bool bench_progress_due(void);
/* Shows the text in place of what was there, and `left` seconds behind it; negative: not known. */
void bench_progress_show(const char *text, double left);
void bench_progress_clear(void);

#endif
