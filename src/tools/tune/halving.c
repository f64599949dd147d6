/* SPDX-License-Identifier: BSD-3-Clause */
/* halving.c: see halving.h. */
#include "tools/tune/halving.h"

#include <math.h>
#include <stdlib.h>

bool tune_samples_make(struct tune_samples *samples, int count, int cases, int repetitions)
{
    *samples = (struct tune_samples){.count = count, .cases = cases, .repetitions = repetitions};
    samples->seconds =
        calloc((size_t)count * (size_t)cases * (size_t)repetitions + 1, sizeof *samples->seconds);
    return samples->seconds;
}

void tune_samples_clear(struct tune_samples *samples)
{
    free(samples->seconds);
    *samples = (struct tune_samples){0};
}

/* Whether a candidate has times in all distributions. */
static bool ran(const struct tune_samples *samples, int candidate)
{
    for (int c = 0; c < samples->cases; c++)
        for (int i = 0; i < samples->repetitions; i++)
            if (!isfinite(tune_samples_of(samples, candidate, c)[i]))
                return false;
    return samples->repetitions > 0;
}

struct bench_interval tune_gain(const struct tune_samples *samples, int candidate)
{
    struct bench_interval worst = {0};
    if (!ran(samples, candidate))
        return worst;
    for (int c = 0; c < samples->cases; c++) {
        const struct bench_interval gain =
            bench_ratio(tune_samples_of(samples, 0, c), tune_samples_of(samples, candidate, c),
                        samples->repetitions);
        if (c == 0 || gain.low < worst.low)
            worst = gain;
    }
    return worst;
}

double tune_time(const struct tune_samples *samples, int candidate)
{
    double sum = 0;
    if (!ran(samples, candidate))
        return INFINITY;
    for (int c = 0; c < samples->cases; c++)
        sum += bench_interval(tune_samples_of(samples, candidate, c), samples->repetitions).median;
    return sum;
}

/* The least gain of any distribution, by medians. */
static double score_of(const struct tune_samples *samples, int candidate)
{
    double least = INFINITY;
    if (!ran(samples, candidate))
        return 0;
    for (int c = 0; c < samples->cases; c++)
        least =
            fmin(least, bench_ratio(tune_samples_of(samples, 0, c),
                                    tune_samples_of(samples, candidate, c), samples->repetitions)
                            .median);
    return least;
}

int tune_halve(const struct tune_samples *samples, int keep, int *survivors)
{
    double scores[TUNE_BATCH_MOST];
    int count = 0;
    for (int k = 1; k < samples->count; k++) {
        const double score = score_of(samples, k);
        int at = count;
        if (score * TUNE_HOPELESS < 1)
            continue;
        /* Equal ones stay in their order, which is the model's. */
        for (; at > 0 && scores[at - 1] < score; at--) {
            scores[at] = scores[at - 1];
            survivors[at] = survivors[at - 1];
        }
        scores[at] = score;
        survivors[at] = k;
        count++;
    }
    return count < keep ? count : keep;
}

/* Whether a candidate is as good as the best one, for all that can be told. */
static bool ties(const struct tune_samples *samples, int best, int candidate)
{
    for (int c = 0; c < samples->cases; c++) {
        const struct bench_interval quotient =
            bench_ratio(tune_samples_of(samples, best, c), tune_samples_of(samples, candidate, c),
                        samples->repetitions);
        if (quotient.high < 1 || quotient.median < TUNE_TIE)
            return false;
    }
    return true;
}

int tune_pick(const struct tune_samples *samples, const int *simplicity, int favourite)
{
    double most = 0;
    int best = 0;
    bool clear[TUNE_BATCH_MOST] = {false};
    if (samples->repetitions < BENCH_VALUES_LEAST)
        return 0;
    for (int k = 1; k < samples->count; k++) {
        const double score = score_of(samples, k);
        clear[k] = tune_gain(samples, k).low > 1;
        if (!clear[k] || score <= most)
            continue;
        most = score;
        best = k;
    }
    int winner = best;
    for (int k = 1; best > 0 && k < samples->count; k++) {
        if (!clear[k] || !ties(samples, best, k))
            continue;
        if (k == favourite)
            return k;
        if (simplicity[k] < simplicity[winner])
            winner = k;
    }
    return winner;
}
