/* SPDX-License-Identifier: BSD-3-Clause */
/* work.c: tools/predict/work.h where there are no threads: the caller does all of it. */
#include "tools/predict/work.h"

int shunt_work_threads(void)
{
    return 1;
}

void shunt_work(size_t count, int threads, void (*job)(void *context, size_t i), void *context,
                const char *what)
{
    (void)threads;
    (void)what;
    for (size_t i = 0; i < count; i++)
        job(context, i);
}
