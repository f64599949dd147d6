/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidate_order.h: in which order the proposals of a lesson are tried: that of the model
 * (route/forecast.h), which one rank is asked for, and which all put into effect.
 */
#ifndef SHUNT_LEARN_CANDIDATE_ORDER_H
#define SHUNT_LEARN_CANDIDATE_ORDER_H

#include "learn/lessons.h"

/* The order of the proposals, of each its number and whether the model promises it to gain on every
 * machine, the first one lowest. Of rank 0. */
int64_t shunt_candidate_order_ask(const struct shunt_comm *comm, const struct shunt_lesson *lesson);

/* Of all ranks, before any of these candidates has been tried. */
void shunt_candidate_order_put(struct shunt_lesson *lesson, int64_t order);

#endif
