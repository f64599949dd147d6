/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.h: messages of one user block each. */
#ifndef SHUNT_EXECUTE_DIRECT_H
#define SHUNT_EXECUTE_DIRECT_H

#include "execute/plan.h"

/* The messages alone, without staging and without the own block; for those who have done both.
 * broken: there are no data. Returns as shunt_executor's run. */
int shunt_direct_messages(struct shunt_exchange *x, struct shunt_plan *plan, bool broken);

#endif
