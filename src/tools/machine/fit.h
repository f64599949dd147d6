/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h: numbers from repeated measurements, and how far to trust them. No MPI.
 *
 * Lines are those of the least sum of absolute relative deviations. Relative: else the shortest
 * messages, which tell the latency, would count for nothing beside the longest. Absolute, not
 * squared: a size that was disturbed moves nothing as long as most were not.
 */
#ifndef SHUNT_TOOLS_MACHINE_FIT_H
#define SHUNT_TOOLS_MACHINE_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Repeated measurements of one thing. Begin with all 0; release with machine_samples_clear. */
struct machine_samples {
    double *values; /* array of count, owned; their order changes */
    int count, capacity;
};

/* Returns false, and leaves the value out, when memory is short. */
bool machine_samples_add(struct machine_samples *samples, double value);
void machine_samples_clear(struct machine_samples *samples);

/* 0 without values. */
double machine_median(struct machine_samples *samples);
/*
 * What the thing takes when nothing disturbs it: the lower quartile, for other work only ever adds
 * time, and may do so to more than half of the values; the least of all would be an accident of the
 * clock. 0 without values.
 */
double machine_typical(struct machine_samples *samples);
/* The least of all. 0 without values. */
double machine_least(const struct machine_samples *samples);
/* Median of the distances from the median, as a share of it; 0 without values. */
double machine_spread(struct machine_samples *samples);
/* Whether other work disturbed them: half of them took far more than the least, see
 * tools/bench/statistics.h. Never with few of them. */
bool machine_disturbed(struct machine_samples *samples);

/* What was measured for x: a size in bytes, or a number of messages or ranks. y is positive. */
struct machine_point {
    double x, y;
};

/* y = start + slope * x; neither is negative. */
struct machine_line {
    double start, slope;
};

/* Through an array of count >= 1 points. Through a single one, or points of one x: from 0. */
struct machine_line machine_line_fit(const struct machine_point *points, int count);

/* Median of |line - y| / y over the points; 0 without points. */
double machine_line_residual(const struct machine_line *line, const struct machine_point *points,
                             int count);

#endif
