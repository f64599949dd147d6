/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alike.h: settings under different names that come to the same messages and copies: radix P of one
 * algorithm and a direct exchange, radix 128 and 128x32 among 4,096 ranks. One of them is run, and
 * the others cost the same, but for their memory.
 */
#ifndef SHUNT_MODEL_ALIKE_H
#define SHUNT_MODEL_ALIKE_H

#include "model/candidates.h"
#include "model/cost.h"

/*
 * *first: array of the list's count, to be freed: the place of the first setting that does the same
 * in such a call, of which algorithm and params are not looked at; its own where there is none, or
 * where nobody looks (kinds that share memory, and rows without a schedule). Schedules are compared
 * as in events/family.h: of all ranks, or of some. Returns 0, or -1 when memory is
 * short.
 */
int shunt_alike_find(size_t **first, const struct shunt_candidates *list,
                     const struct shunt_event_call *call);

/* What a setting costs that does the same as the one of this cost. */
struct shunt_cost shunt_alike_cost(const struct shunt_cost *cost,
                                   const struct shunt_event_call *call);

#endif
