/* SPDX-License-Identifier: BSD-3-Clause */
/* elapsed.c: when the library was loaded. One look at the clock in every process that loads it,
 * shells and launchers included, and nothing else. */
#include "log/elapsed.h"

#include <time.h>

static struct timespec loaded;

__attribute__((constructor)) static void note(void)
{
    clock_gettime(CLOCK_MONOTONIC, &loaded);
}

double shunt_log_elapsed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - loaded.tv_sec) + 1e-9 * (double)(now.tv_nsec - loaded.tv_nsec);
}
