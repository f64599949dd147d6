/* SPDX-License-Identifier: BSD-3-Clause */
/* members.h: the candidates that a team has open, and the buffers that they are called with.
 * Collective over the team. */
#ifndef SHUNT_TUNE_MEMBERS_H
#define SHUNT_TUNE_MEMBERS_H

#include "tools/tune/order.h"

/* Those of the order, and no others: what is given up gives its memory back. What is held out is
 * set up anew, for some of its speed is the luck of where its memory lies. */
void tune_members_set(struct tune_team *team, const struct tune_order *order);
void tune_members_close(struct tune_team *team);

/* Bytes of the real largest block of all cases. */
int64_t tune_members_largest(const struct tune_team *team);

#endif
