/* SPDX-License-Identifier: BSD-3-Clause */
/* carry_out.h: carries out a call that has been decided. What decides is equal on all ranks. */
#ifndef SHUNT_INTERCEPT_CARRY_OUT_H
#define SHUNT_INTERCEPT_CARRY_OUT_H

#include "intercept/record.h"

/* By the library. `reason`, a constant text, for the log; NULL: a rule says so. */
int shunt_carry_native(const struct shunt_exchange *x, struct shunt_outcome *outcome,
                       const char *reason);

/* Why a call without a rule is native, as `decision` has it. Constant texts: the summary counts by
 * them. */
const char *shunt_carry_reason(const struct shunt_exchange *x,
                               const struct shunt_decision *decision);

/*
 * By what the table decides, or, where that leaves something to be learnt, what a lesson says.
 * x->block is set; staging: blocks of some rank have to be staged. Returns what the MPI function
 * is to return; errors have been raised.
 */
int shunt_carry_out(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging,
                    struct shunt_outcome *outcome);

#endif
