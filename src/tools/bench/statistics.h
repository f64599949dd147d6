/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h: medians and how far to trust them. No MPI. */
#ifndef SHUNT_BENCH_STATISTICS_H
#define SHUNT_BENCH_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

struct bench_interval {
    double median, low, high;
    double least; /* of the values */
};

/* Median of an array of count >= 1, which is sorted thereby. With an even count the mean of the two
 * in the middle. */
double bench_median(double *values, int count);

/*
 * Median of the values (array of count >= 1) and its 95 % interval by the percentile bootstrap with
 * a fixed seed: equal values give equal results. (Where memory is too short for a few arrays of
 * count: the first value.)
 */
struct bench_interval bench_interval(const double *values, int count);

/* The same of the paired quotients above[i] / below[i]. */
struct bench_interval bench_ratio(const double *above, const double *below, int count);

/* With fewer values there is no interval of 95 %: that all lie on one side of the true median has a
 * chance of 1 in 16 for 5 values, 1 in 32 for 6. */
enum { BENCH_VALUES_LEAST = 6 };

/* Whether other work disturbed the times: half of them took BENCH_BUSY times the least, or more. On
 * a quiet machine the median is seldom above 1.3 times the least. */
#define BENCH_BUSY 1.5
bool bench_busy(const struct bench_interval *time);

#endif
