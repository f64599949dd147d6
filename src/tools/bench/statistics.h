/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h: medians and how far to trust them. No MPI. */
#ifndef SHUNT_BENCH_STATISTICS_H
#define SHUNT_BENCH_STATISTICS_H

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

#endif
