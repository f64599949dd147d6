/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h: the same for many things, on the processors that there are. */
#ifndef SHUNT_PREDICT_WORK_H
#define SHUNT_PREDICT_WORK_H

#include <stddef.h>

/* Threads that there are processors for, eight at most. */
int shunt_work_threads(void);

/* Does job(context, i) for all i below `count`, begun in this order, on so many threads; jobs share
 * nothing that they change. Progress is shown, unless `what` is NULL. */
void shunt_work(size_t count, int threads, void (*job)(void *context, size_t i), void *context,
                const char *what);

#endif
