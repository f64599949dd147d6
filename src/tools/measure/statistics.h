/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.h: numbers from repeated measurements, and how far to trust them. No MPI. */
#ifndef SHUNT_MEASURE_STATISTICS_H
#define SHUNT_MEASURE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

struct measure_interval {
    double median, low, high;
    double least; /* of the values */
};

/* Median of an array of count >= 1, which is sorted thereby. With an even count the mean of the two
 * in the middle. */
double measure_median(double *values, int count);

/*
 * Median of the values (array of count >= 1) and its 95 % interval by the percentile bootstrap with
 * a fixed seed: equal values give equal results. (Where memory is too short for a few arrays of
 * count: the first value.)
 */
struct measure_interval measure_interval(const double *values, int count);

/* The same of the paired quotients above[i] / below[i]. */
struct measure_interval measure_ratio(const double *above, const double *below, int count);

/* With fewer values there is no interval of 95 %: that all lie on one side of the true median has a
 * chance of 1 in 16 for 5 values, 1 in 32 for 6. */
enum { MEASURE_VALUES_LEAST = 6 };

/* Whether other work disturbed the times: half of them took MEASURE_BUSY times the least, or more.
 * On a quiet machine the median is seldom above 1.3 times the least. */
#define MEASURE_BUSY 1.5
bool measure_busy(const struct measure_interval *time);

enum { MEASURE_SAMPLES_MOST = 1024 };

/* Repeated measurements of one thing. Begin with all 0. */
struct measure_samples {
    double values[MEASURE_SAMPLES_MOST]; /* their order changes */
    int count;
};

/* Further ones than there is room for are left out. */
void measure_samples_add(struct measure_samples *samples, double value);

/* 0 without values. */
double measure_samples_median(struct measure_samples *samples);
/*
 * What the thing takes when nothing disturbs it: the lower quartile, for other work only ever adds
 * time, and may do so to more than half of the values; the least of all would be an accident of the
 * clock. 0 without values.
 */
double measure_samples_typical(struct measure_samples *samples);
/* The least of all. 0 without values. */
double measure_samples_least(const struct measure_samples *samples);
/* Median of the distances from the median, as a share of it; 0 without values. */
double measure_samples_spread(struct measure_samples *samples);
/* Whether other work disturbed them: half of them took far more than the least, see
 * tools/measure/statistics.h. Never with few of them. */
bool measure_samples_disturbed(struct measure_samples *samples);

/* What was measured for x: a size in bytes, or a number of messages or ranks. y is positive. */
struct measure_point {
    double x, y;
};

/*
 * y = start + slope * x; neither is negative. That of the least sum of absolute relative
 * deviations. Relative: else the shortest messages, which tell the latency, would count for nothing
 * beside the longest. Absolute, not squared: a size that was disturbed moves nothing as long as
 * most were not.
 */
struct measure_line {
    double start, slope;
};

/* Through an array of count >= 1 points. Through a single one, or points of one x: from 0. */
struct measure_line measure_line_fit(const struct measure_point *points, int count);

/* Median of |line - y| / y over the points; 0 without points. */
double measure_line_residual(const struct measure_line *line, const struct measure_point *points,
                             int count);

#endif
