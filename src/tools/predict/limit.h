/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limit.h: with very many ranks, what is not even begun. To find out whether nodes do the same
 * takes the schedules of some ranks, which have a step or a block for each of all ranks: with a
 * million of them that takes minutes for all settings together, and nobody waits for it.
 */
#ifndef SHUNT_PREDICT_LIMIT_H
#define SHUNT_PREDICT_LIMIT_H

#include "model/candidates.h"
#include "tools/predict/asked.h"
#include "tools/predict/case.h"

/* With more ranks all settings together may take some seconds of work. */
enum { SHUNT_LIMIT_RANKS = 65536 };

static inline bool shunt_limit_applies(const struct shunt_case *c)
{
    return c->layout.ranks > SHUNT_LIMIT_RANKS;
}

/* Marks in `beyond`, an array of the list's count, what is more work than is left for it: native is
 * the first that gets some, and the first of the list, then comes what takes least. False: memory
 * is short. */
bool shunt_limit_find(bool *beyond, const struct shunt_predict *predict, const struct shunt_case *c,
                      const struct shunt_candidates *list);

#endif
