/* SPDX-License-Identifier: BSD-3-Clause */
/* halving.c: see halving.h. */
#include "tools/tune/halving.h"

#include <math.h>

/* Whether a candidate has times in all cases. */
static bool ran(const struct tune_samples *samples, int candidate)
{
    for (int c = 0; c < samples->cases; c++)
        for (int i = 0; i < samples->repetitions; i++)
            if (!isfinite(tune_samples_of(samples, candidate, c)[i]))
                return false;
    return samples->repetitions > 0;
}

/* How many times as fast as another candidate, in one case. */
static struct measure_interval quotient(const struct tune_samples *samples, int slower, int faster,
                                        int c)
{
    return measure_ratio(tune_samples_of(samples, slower, c), tune_samples_of(samples, faster, c),
                         samples->repetitions);
}

struct tune_gain tune_gain(const struct tune_samples *samples, int candidate)
{
    struct tune_gain worst = {0};
    if (!ran(samples, candidate))
        return worst;
    for (int c = 0; c < samples->cases; c++) {
        const struct measure_interval times = quotient(samples, 0, candidate, c);
        if (c == 0 || times.low < worst.times.low)
            worst = (struct tune_gain){times, tune_case_mode(c)};
    }
    return worst;
}

bool tune_loses(const struct tune_samples *samples, int candidate, double times)
{
    bool loses = false;
    for (int c = 0; ran(samples, candidate) && c < samples->cases; c++)
        loses |= quotient(samples, 0, candidate, c).high < times;
    return loses;
}

double tune_cost(const struct tune_samples *samples, int candidate)
{
    double sum = 0;
    if (!ran(samples, candidate))
        return INFINITY;
    for (int c = 0; c < samples->cases; c++)
        sum +=
            samples->calls[tune_case_mode(c)] *
            measure_interval(tune_samples_of(samples, candidate, c), samples->repetitions).median;
    return sum;
}

/* The least gain in any case, by medians. */
static double score_of(const struct tune_samples *samples, int candidate)
{
    double least = INFINITY;
    if (!ran(samples, candidate))
        return 0;
    for (int c = 0; c < samples->cases; c++)
        least = fmin(least, quotient(samples, 0, candidate, c).median);
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
        const struct measure_interval times = quotient(samples, best, candidate, c);
        if (times.high < 1 || times.median < TUNE_TIE)
            return false;
    }
    return true;
}

int tune_pick(const struct tune_samples *samples, const int *simplicity, int favourite)
{
    double most = 0;
    int best = 0;
    bool clear[TUNE_BATCH_MOST] = {false};
    if (samples->repetitions < MEASURE_VALUES_LEAST)
        return 0;
    for (int k = 1; k < samples->count; k++) {
        const double score = score_of(samples, k);
        clear[k] = tune_gain(samples, k).times.low > 1;
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
