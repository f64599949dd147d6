/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.c: see statistics.h. */
#include "tools/measure/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/measure/random.h"

/* Resamples of the bootstrap, and how many of them lie below and above a 95 % interval. */
enum { RESAMPLES = 1000, TAIL = 25 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct measure_interval measure_interval(const double *values, int count)
{
    struct measure_random random = measure_random_begin(1, 0);
    struct measure_interval result = {values[0], values[0], values[0], values[0]};
    double *copy = malloc((size_t)count * sizeof *copy),
           *medians = malloc(RESAMPLES * sizeof *medians);
    if (copy && medians) {
        for (int i = 0; i < RESAMPLES; i++) {
            for (int k = 0; k < count; k++)
                copy[k] = values[measure_random_below(&random, (uint64_t)count)];
            medians[i] = measure_median(copy, count);
        }
        memcpy(copy, values, (size_t)count * sizeof *copy);
        result.median = measure_median(copy, count);
        result.least = copy[0];
        qsort(medians, RESAMPLES, sizeof *medians, ascending);
        result.low = medians[TAIL];
        result.high = medians[RESAMPLES - 1 - TAIL];
    }
    free(copy);
    free(medians);
    return result;
}

struct measure_interval measure_ratio(const double *above, const double *below, int count)
{
    double *quotients = malloc((size_t)count * sizeof *quotients);
    const double first = above[0] / below[0];
    struct measure_interval result = {first, first, first, first};
    for (int k = 0; quotients && k < count; k++)
        quotients[k] = above[k] / below[k];
    if (quotients)
        result = measure_interval(quotients, count);
    free(quotients);
    return result;
}

bool measure_busy(const struct measure_interval *time)
{
    return time->median >= MEASURE_BUSY * time->least;
}

void measure_samples_add(struct measure_samples *samples, double value)
{
    if (samples->count < MEASURE_SAMPLES_MOST)
        samples->values[samples->count++] = value;
}

double measure_samples_median(struct measure_samples *samples)
{
    return samples->count > 0 ? measure_median(samples->values, samples->count) : 0;
}

double measure_samples_typical(struct measure_samples *samples)
{
    measure_samples_median(samples); /* sorts them */
    return samples->count > 0 ? samples->values[(samples->count - 1) / 4] : 0;
}

double measure_samples_least(const struct measure_samples *samples)
{
    double least = samples->count > 0 ? samples->values[0] : 0;
    for (int i = 1; i < samples->count; i++)
        least = samples->values[i] < least ? samples->values[i] : least;
    return least;
}

double measure_samples_spread(struct measure_samples *samples)
{
    const double median = measure_samples_median(samples);
    struct measure_samples distances = {0};
    for (int i = 0; i < samples->count; i++)
        measure_samples_add(&distances, fabs(samples->values[i] - median));
    return median > 0 ? measure_samples_median(&distances) / median : 0;
}

bool measure_samples_disturbed(struct measure_samples *samples)
{
    if (samples->count < MEASURE_VALUES_LEAST)
        return false;
    const double median = measure_samples_median(samples); /* they are sorted now */
    return measure_busy(&(struct measure_interval){.median = median, .least = samples->values[0]});
}

static double deviation(const struct measure_line *line, const struct measure_point *point)
{
    return fabs(line->start + line->slope * point->x - point->y) / point->y;
}

struct search {
    const struct measure_point *points;
    int count;
    struct measure_line best;
    double least; /* sum of deviations of the best */
};

static void try_line(struct search *search, double start, double slope)
{
    const struct measure_line line = {start, slope};
    double sum = 0;
    if (start < 0 || slope < 0)
        return;
    for (int i = 0; i < search->count; i++)
        sum += deviation(&line, &search->points[i]);
    if (sum < search->least) {
        search->least = sum;
        search->best = line;
    }
}

/*
 * The best line goes through two points, or through one and is flat or begins at 0: it is a vertex
 * of a linear programme. There are few points, so all of these are tried.
 */
struct measure_line measure_line_fit(const struct measure_point *points, int count)
{
    struct search search = {.points = points, .count = count, .least = DBL_MAX};
    for (int i = 0; i < count; i++) {
        const struct measure_point *a = &points[i];
        if (a->x > 0)
            try_line(&search, 0, a->y / a->x);
        for (int k = i + 1; k < count; k++) {
            const struct measure_point *b = &points[k];
            const double slope = b->x != a->x ? (b->y - a->y) / (b->x - a->x) : -1;
            try_line(&search, a->y - slope * a->x, slope);
        }
        try_line(&search, a->y, 0);
    }
    return search.best;
}

double measure_line_residual(const struct measure_line *line, const struct measure_point *points,
                             int count)
{
    struct measure_samples deviations = {0};
    for (int i = 0; i < count; i++)
        measure_samples_add(&deviations, deviation(line, &points[i]));
    return measure_samples_median(&deviations);
}
