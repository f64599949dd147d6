/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c: see fit.h. */
#include "tools/machine/fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tools/bench/statistics.h"

bool machine_samples_add(struct machine_samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        const int capacity = samples->capacity > 0 ? 2 * samples->capacity : 64;
        double *grown = realloc(samples->values, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        samples->values = grown;
        samples->capacity = capacity;
    }
    samples->values[samples->count++] = value;
    return true;
}

void machine_samples_clear(struct machine_samples *samples)
{
    free(samples->values);
    *samples = (struct machine_samples){0};
}

double machine_median(struct machine_samples *samples)
{
    return samples->count > 0 ? bench_median(samples->values, samples->count) : 0;
}

double machine_typical(struct machine_samples *samples)
{
    machine_median(samples); /* sorts them */
    return samples->count > 0 ? samples->values[(samples->count - 1) / 4] : 0;
}

double machine_least(const struct machine_samples *samples)
{
    double least = samples->count > 0 ? samples->values[0] : 0;
    for (int i = 1; i < samples->count; i++)
        least = samples->values[i] < least ? samples->values[i] : least;
    return least;
}

double machine_spread(struct machine_samples *samples)
{
    const double median = machine_median(samples);
    struct machine_samples distances = {0};
    for (int i = 0; i < samples->count; i++)
        machine_samples_add(&distances, fabs(samples->values[i] - median));
    const double spread = median > 0 ? machine_median(&distances) / median : 0;
    machine_samples_clear(&distances);
    return spread;
}

bool machine_disturbed(struct machine_samples *samples)
{
    if (samples->count < BENCH_VALUES_LEAST)
        return false;
    const double median = machine_median(samples); /* they are sorted now */
    return bench_busy(&(struct bench_interval){.median = median, .least = samples->values[0]});
}

static double deviation(const struct machine_line *line, const struct machine_point *point)
{
    return fabs(line->start + line->slope * point->x - point->y) / point->y;
}

struct search {
    const struct machine_point *points;
    int count;
    struct machine_line best;
    double least; /* sum of deviations of the best */
};

static void try_line(struct search *search, double start, double slope)
{
    const struct machine_line line = {start, slope};
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
struct machine_line machine_line_fit(const struct machine_point *points, int count)
{
    struct search search = {.points = points, .count = count, .least = DBL_MAX};
    for (int i = 0; i < count; i++) {
        const struct machine_point *a = &points[i];
        if (a->x > 0)
            try_line(&search, 0, a->y / a->x);
        for (int k = i + 1; k < count; k++) {
            const struct machine_point *b = &points[k];
            const double slope = b->x != a->x ? (b->y - a->y) / (b->x - a->x) : -1;
            try_line(&search, a->y - slope * a->x, slope);
        }
        try_line(&search, a->y, 0);
    }
    return search.best;
}

double machine_line_residual(const struct machine_line *line, const struct machine_point *points,
                             int count)
{
    struct machine_samples deviations = {0};
    for (int i = 0; i < count; i++)
        machine_samples_add(&deviations, deviation(line, &points[i]));
    const double median = machine_median(&deviations);
    machine_samples_clear(&deviations);
    return median;
}
