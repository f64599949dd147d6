/* SPDX-License-Identifier: BSD-3-Clause */
/* cards.h: what the network cards of a node do together. */
#ifndef SHUNT_TOOLS_MACHINE_CARDS_H
#define SHUNT_TOOLS_MACHINE_CARDS_H

#include "tools/machine/run.h"

/* Steps that machine_cards_measure takes: 0 on one node. */
int machine_cards_steps(const struct machine_run *run);

/* Collective: the first node's ranks send at once, each to one of the second node. The leader has
 * card_message and card_byte and their rows afterwards. */
void machine_cards_measure(struct machine_run *run);

#endif
