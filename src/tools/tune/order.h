/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h: what rank 0 of a team has all its ranks measure, and how it is measured: first calls,
 * which may tell that a candidate is hopeless, then repetitions in an order of their own each. */
#ifndef SHUNT_TUNE_ORDER_H
#define SHUNT_TUNE_ORDER_H

#include "tools/tune/team.h"

/* From rank 0 to all. */
struct tune_order {
    int end, op, stage, count, first, repetitions; /* first: those before it are known */
    double seconds;                                /* as in a batch */
    int64_t block;
    char texts[TUNE_BATCH_MOST][TUNE_TEXT_ROOM];
};

/* Under which its samples are in the store. */
struct tune_key tune_order_key(const struct tune_team *team, const struct tune_order *order);

/* Collective. batch, samples: rank 0's. */
void tune_order_carry_out(struct tune_team *team, const struct tune_order *order,
                          const struct tune_batch *batch, struct tune_samples *samples);

#endif
