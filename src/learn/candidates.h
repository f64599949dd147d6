/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.h: the algorithms that a lesson holds against each other: the library's own, then what
 * an earlier run or the table has chosen, then proposals (route/proposals.h). From agreed things
 * alone.
 */
#ifndef SHUNT_LEARN_CANDIDATES_H
#define SHUNT_LEARN_CANDIDATES_H

#include "learn/lessons.h"

/* Whether a decision of the map leaves anything to be learnt; whether it is a table's, or the
 * model's, and not of earlier runs that learn on. */
bool shunt_candidates_wanted(const struct shunt_decision *decision);
bool shunt_candidates_routed(const struct shunt_comm *comm, const struct shunt_decision *decision);
bool shunt_candidates_same(const struct shunt_decision *a, const struct shunt_decision *b);

/* Begins a lesson, whose operation and block sizes are set, about calls for which the map has
 * `decision`. */
void shunt_candidates_begin(struct shunt_comm *comm, struct shunt_lesson *lesson,
                            const struct shunt_decision *decision);

/* What the candidates are, as a number of 62 bits: memory that was short, or another library, may
 * have made them others on some rank. */
int64_t shunt_candidates_hash(const struct shunt_lesson *lesson);

#endif
