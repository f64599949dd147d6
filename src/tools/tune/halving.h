/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halving.h: what follows from the samples of a batch: who goes on, and who wins. No MPI.
 *
 * Successive halving (Karnin et al. 2013; Jamieson and Talwalkar 2016): all candidates get a few
 * repetitions, the better half gets more, and so on. A candidate counts by its worst case: each
 * distribution counts, and each mode.
 */
#ifndef SHUNT_TUNE_HALVING_H
#define SHUNT_TUNE_HALVING_H

#include "tools/measure/statistics.h"
#include "tools/tune/lab.h"

/* What takes so many times native's time is given up at once. */
#define TUNE_HOPELESS 3.0
/* Of candidates that are no more than this slower than the best, the simpler is taken. */
#define TUNE_TIE 0.97

/* How many times as fast as native: the median of paired quotients, with its interval; of the cases
 * that with the least low end, and its mode. All 0: cannot run. */
struct tune_gain {
    struct measure_interval times;
    enum tune_mode mode;
};
struct tune_gain tune_gain(const struct tune_samples *samples, int candidate);

/* Whether a candidate is surely no faster than so many times native, in any one case. */
bool tune_loses(const struct tune_samples *samples, int candidate, double times);

/* Seconds of one sample in all cases, by the medians; INFINITY: cannot run. */
double tune_cost(const struct tune_samples *samples, int candidate);

/*
 * Who goes on: at most `keep` of the candidates 1 .. count - 1, the best first; those that are
 * hopeless never do. survivors: array of count. Returns how many.
 */
int tune_halve(const struct tune_samples *samples, int keep, int *survivors);

/*
 * The winner: 0, native, unless something is clearly faster, in all cases. Of those that
 * are no more than TUNE_TIE behind the best, or not clearly, `favourite` (a candidate, -1: none)
 * wins, else the one with the least of `simplicity` (array of count).
 */
int tune_pick(const struct tune_samples *samples, const int *simplicity, int favourite);

#endif
