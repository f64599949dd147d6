/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c: see clock.h. */
#include "base/clock.h"

#include <time.h>

int64_t shunt_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return INT64_C(1000000000) * t.tv_sec + t.tv_nsec;
}

double shunt_clock(void)
{
    return 1e-9 * (double)shunt_now();
}
