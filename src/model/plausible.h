/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plausible.h: machines as they may be, for predictions where nobody has described the one at hand.
 *
 * They span what clusters of today are like, from cards that match messages by themselves to TCP
 * between virtual machines. What holds on all of them most likely holds here; what a call takes in
 * seconds none of them tells.
 */
#ifndef SHUNT_MODEL_PLAUSIBLE_H
#define SHUNT_MODEL_PLAUSIBLE_H

#include "model/machine.h"

enum { SHUNT_PLAUSIBLE_COUNT = 3 };

/* Machine number `which`, from 0 on, the fastest first. processors: of a node, that ranks may use;
 * 0: one for each rank. */
void shunt_plausible(struct shunt_machine *machine, int which, int processors);

#endif
