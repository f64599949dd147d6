/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.h: what routing was worth, from the times of this very run: the one verdict, of the
 * summary of a rank. `shunt log` and `shunt report` add those of ranks up, and say it in the same
 * words.
 *
 * Calls are compared with like calls: of the same operation, of as many ranks, and with a largest
 * block of this rank within the same power of two (of this rank, because before set-up it knows no
 * other). The library's own times are those of native calls that the guard or learning made in turn
 * with routed ones. Calls before set-up are the first of their communicator, where the library
 * connects and pages are new: they say nothing of its speed, and nor do the first ones in turn
 * (SHUNT_LOG_SETTLED). Calls that a rule or a reason left native are others by nature. Medians, for
 * a rank that arrives late makes all others wait. Under SHUNT_VERIFY each call holds both
 * exchanges, and the second one meets ranks that the first has brought together: nothing follows
 * from that.
 *
 * What was saved is, for each kind of call, the number of routed calls times the difference of the
 * medians, less what no native run would have spent (shunt_record_cost). An agreement is part of
 * its call.
 *
 * The intervals hold the lowest and the highest that the medians allow: each lies with 95 %
 * confidence between two of its sorted times, and the worst of one side is held against the best of
 * the other. A call of which several ranks tell is one event. They know nothing of a program whose
 * first calls are unlike its later ones.
 */
#ifndef SHUNT_LOG_ESTIMATE_H
#define SHUNT_LOG_ESTIMATE_H

#include "log/sizes.h"

/* So many calls of either side it takes to compare them: as many as the guard makes natively where
 * a rule wins at once. Of three, the least and the most hold the median in three cases of four. */
enum { SHUNT_LOG_FEW = 3 };

/* Of one rank, or added up over `ranks`: what is said of it is a mean of these. */
struct shunt_log_estimate {
    double speedup;   /* of the routed calls that could be compared */
    double low, high; /* its interval */
    double saved;     /* seconds by all routed calls that could be compared, less the cost */
    double saved_low, saved_high;
    double cost;      /* seconds */
    double spent;     /* seconds of all calls; the caller's */
    uint64_t native;  /* calls of the library that it rests on */
    uint64_t routed;  /* that could be compared */
    uint64_t too_few; /* native calls that have their like among the routed ones, but not enough, or
                         too early; added up: the most of a rank */
    uint64_t ranks;   /* that have measured it; 0: all above is 0, but for too_few and the cost */
    uint64_t asked;   /* that have routed anything */
    bool verified;    /* SHUNT_VERIFY was on */
    bool crowded;     /* ranks share processors; the caller's */
};

/* cost: seconds. Sorts the cells. All 0 when memory is short. */
struct shunt_log_estimate shunt_log_estimate(struct shunt_log_sizes *sizes, double cost);
/* Adds what one rank, or several, have measured. */
void shunt_log_estimate_add(struct shunt_log_estimate *sum, const struct shunt_log_estimate *more);

/* verdict.c: how many times as fast: "0.0312", "0.93", "3.0", "28". */
void shunt_log_times_put(struct shunt_log_text *text, double times);
/* What was gained, for people: all that is said of it anywhere. A line or more, each with `first`
 * or `next` before it: how much and within what interval, or that it was not measured and what
 * measures it. More than was spent is not claimed. Nothing where nothing was routed. */
void shunt_log_verdict_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate,
                           const char *first, const char *next);

#endif
