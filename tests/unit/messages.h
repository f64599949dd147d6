/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h: a machine on which nothing costs but messages, for the tests of the cost model. */
#ifndef SHUNT_TESTS_MESSAGES_H
#define SHUNT_TESTS_MESSAGES_H

#include "costs.h"

/* Between nodes, and within them. */
static const double L = 5e-6, o = 1e-6, G = 1e-9, l = 1e-6, i = 0.5e-6;
static const double EXACT = 1e-12;

/* `ranks` on `nodes` of a machine on which nothing costs but messages. */
void begin_messages(struct costed *costed, int ranks, int nodes);

#endif
