/* SPDX-License-Identifier: BSD-3-Clause */
/* statistics.c: see statistics.h. */
#include "tools/bench/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "tools/bench/random.h"

/* Resamples of the bootstrap, and how many of them lie below and above a 95 % interval. */
enum { RESAMPLES = 1000, TAIL = 25 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct bench_interval bench_interval(const double *values, int count)
{
    struct bench_random random = bench_random_begin(1, 0);
    struct bench_interval result = {values[0], values[0], values[0], values[0]};
    double *copy = malloc((size_t)count * sizeof *copy),
           *medians = malloc(RESAMPLES * sizeof *medians);
    if (copy && medians) {
        for (int i = 0; i < RESAMPLES; i++) {
            for (int k = 0; k < count; k++)
                copy[k] = values[bench_random_below(&random, (uint64_t)count)];
            medians[i] = bench_median(copy, count);
        }
        memcpy(copy, values, (size_t)count * sizeof *copy);
        result.median = bench_median(copy, count);
        result.least = copy[0];
        qsort(medians, RESAMPLES, sizeof *medians, ascending);
        result.low = medians[TAIL];
        result.high = medians[RESAMPLES - 1 - TAIL];
    }
    free(copy);
    free(medians);
    return result;
}

struct bench_interval bench_ratio(const double *above, const double *below, int count)
{
    double *quotients = malloc((size_t)count * sizeof *quotients);
    const double first = above[0] / below[0];
    struct bench_interval result = {first, first, first, first};
    for (int k = 0; quotients && k < count; k++)
        quotients[k] = above[k] / below[k];
    if (quotients)
        result = bench_interval(quotients, count);
    free(quotients);
    return result;
}

bool bench_busy(const struct bench_interval *time)
{
    return time->median >= BENCH_BUSY * time->least;
}
