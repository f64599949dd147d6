/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_guard.h: a rule proves itself where it is used (learn.h, SHUNT_LEARN_PROVE).
 *
 * Two candidates: the library's own and the rule, which is current. The first window holds three
 * runs, rule, native, rule; that decides where one takes under a third of the other's time.
 * Otherwise there are more, as far as they can be paid, until one is ahead beyond doubt; a rule
 * that is not ahead after SHUNT_GUARD_PROOF native runs is left. What was decided is looked at
 * again rarely, by the same windows; of a rule that is followed with longer runs, until the library
 * has made some dozens of calls.
 */
#ifndef SHUNT_LEARN_LEARN_GUARD_H
#define SHUNT_LEARN_LEARN_GUARD_H

#include "learn/learn.h"

enum { SHUNT_GUARD_PROOF = 16 };

void shunt_guard_plan(struct shunt_learn *learn);
/* The times of a window are there. */
void shunt_guard_conclude(struct shunt_learn *learn);

#endif
