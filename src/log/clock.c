/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c: the two clocks of a process. */
#include "log/clock.h"

#include <time.h>

#include "base/clock.h"

static int64_t since_1970(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return INT64_C(1000000000) * t.tv_sec + t.tv_nsec;
}

/* Of some pairs of looks at both clocks, the one with the least time between them. */
int64_t shunt_log_clock_find(void)
{
    int64_t base = 0, least = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        const int64_t before = shunt_now(), now = since_1970(), took = shunt_now() - before;
        if (took < least) {
            least = took;
            base = now - before - took / 2;
        }
    }
    return base;
}

bool shunt_log_clock_second(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - since->tv_sec - (now.tv_nsec < since->tv_nsec) >= 1;
}
