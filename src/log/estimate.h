/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.h: what routing was worth, from the times of this very run.
 *
 * Calls are compared with like calls: of the same operation, of as many ranks, and with a largest
 * block of this rank within the same power of two (of this rank, because before set-up it knows no
 * other). The library's own times are those of the warm-up and of what SHUNT_VERIFY compared with;
 * calls that a rule or a reason left native are others by nature. Medians, for a rank that comes
 * late makes all others wait.
 *
 * The interval holds the lowest and the highest speedup that the medians allow: each lies with 95 %
 * confidence between two of its sorted times, and the worst of one side is held against the best of
 * the other. It knows nothing of a program whose first calls are unlike its later ones.
 */
#ifndef SHUNT_LOG_ESTIMATE_H
#define SHUNT_LOG_ESTIMATE_H

#include "log/sizes.h"

/* So many calls of either side it takes to compare them: fewer say nothing of their median. */
enum { SHUNT_LOG_FEW = 5 };

struct shunt_log_estimate {
    double speedup;   /* of the routed calls that could be compared; 0: none could */
    double low, high; /* its interval */
    uint64_t native;  /* calls of the library that it rests on */
    uint64_t routed;  /* that could be compared */
    uint64_t too_few; /* native calls that have their like among the routed ones, but not enough */
};

/* Sorts the cells. All 0 when memory is short. */
struct shunt_log_estimate shunt_log_estimate(struct shunt_log_sizes *sizes);

#endif
