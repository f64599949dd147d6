/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h: a few times in order, and whether those of one thing are below those of another. Integer
 * arithmetic, so that ranks with the same times come to the same. Pure; no memory of its own.
 */
#ifndef SHUNT_ROUTE_TIMES_H
#define SHUNT_ROUTE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

enum { SHUNT_TIMES_MOST = 32 };

struct shunt_times {
    int64_t time[SHUNT_TIMES_MOST]; /* nanoseconds, the lowest first */
    int count;
};

/* Of `count` times in any order the first SHUNT_TIMES_MOST. */
struct shunt_times shunt_times_sorted(const int64_t *times, uint32_t count);

/* The upper one of two in the middle; nanoseconds. 0 where there are none. */
int64_t shunt_times_median(const struct shunt_times *times);

/*
 * Whether, of all pairs of a time of each, `fast` has the lower one more often than chance does:
 * the rank sum (Mann and Whitney) is off by more than the root of `squared` standard deviations.
 */
bool shunt_times_below(const struct shunt_times *fast, const struct shunt_times *slow,
                       int64_t squared);

#endif
