/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h: how far a long prediction is, or another long answer: on a terminal, after a second.
 */
#ifndef SHUNT_PREDICT_PROGRESS_H
#define SHUNT_PREDICT_PROGRESS_H

#include <stddef.h>

/* `done` of `all` calls, or whatever is counted. */
void shunt_progress_show(const char *what, size_t done, size_t all);
void shunt_progress_clear(void);

#endif
