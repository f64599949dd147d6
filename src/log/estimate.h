/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.h: what routing was worth, from the times of this very run: the one verdict, of the
 * summary, of `shunt log` and of `shunt report`.
 *
 * Calls are compared with like calls: of the same operation, of as many ranks, and with a largest
 * block of this rank within the same power of two (of this rank, because before set-up it knows no
 * other). The library's own times are those of native calls that the guard or learning made in turn
 * with routed ones, and of what SHUNT_VERIFY compared with. Calls before set-up are the first of
 * their communicators, where the library connects and pages are new: they say nothing of its speed.
 * Nor do the first ones in turn (SHUNT_LOG_SETTLED), but that it would not have been slower.
 * Calls that a rule or a reason left native are others by nature. Medians, for a rank that comes
 * late makes all others wait.
 *
 * What was saved is, for each kind of call, the number of routed calls times the difference of the
 * medians, less what no native run would have spent (shunt_record_cost). An agreement is part of
 * its call.
 *
 * The intervals hold the lowest and the highest that the medians allow: each lies with 95 %
 * confidence between two of its sorted times, and the worst of one side is held against the best of
 * the other. They know nothing of a program whose first calls are unlike its later ones.
 */
#ifndef SHUNT_LOG_ESTIMATE_H
#define SHUNT_LOG_ESTIMATE_H

#include "log/sizes.h"

/* So many calls of either side it takes to compare them: as many as the guard makes natively where
 * a rule wins at once. Of three, the least and the most hold the median in three cases of four. */
enum { SHUNT_LOG_FEW = 3 };

struct shunt_log_estimate {
    double speedup;   /* of the routed calls that could be compared; 0: none could */
    double low, high; /* its interval */
    double saved;     /* seconds by all routed calls that could be compared, less the cost */
    double saved_low, saved_high;
    double cost;      /* seconds */
    uint64_t native;  /* calls of the library that it rests on */
    uint64_t routed;  /* that could be compared */
    uint64_t too_few; /* native calls that have their like among the routed ones, but not enough, or
                         too early */
    double at_most;   /* seconds that may have been saved where all were too early; 0: not known */
};

/* cost: seconds. Sorts the cells. All 0 when memory is short. */
struct shunt_log_estimate shunt_log_estimate(struct shunt_log_sizes *sizes, double cost);

/* Whether it is known that something was gained, or lost: the whole interval says so. */
static inline bool shunt_log_estimate_sure(const struct shunt_log_estimate *estimate)
{
    return estimate->saved_low > 0 || estimate->saved_high < 0;
}

/* verdict.c: how many times as fast: "0.0312", "0.93", "3.0", "28". */
void shunt_log_times_put(struct shunt_log_text *text, double times);
/* "0.40 s saved, 0.35 to 0.45 s". */
void shunt_log_saved_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate);
/* The verdict for people, a line and perhaps more, each with `first` or `next` before
 * it; nothing where there is nothing to say. Of the summary and of `shunt report`. */
void shunt_log_verdict_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate,
                           bool oversubscribed, const char *first, const char *next);

#endif
