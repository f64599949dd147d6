/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intercept.h: from an MPI entry point to a decision.
 */
#ifndef SHUNT_INTERCEPT_INTERCEPT_H
#define SHUNT_INTERCEPT_INTERCEPT_H

#include "execute/exchange.h"
#include "intercept/record.h"

/*
 * dispatch.c: a call on a communicator whose operation is not bypassed. x has buffers, counts and
 * types; comm->calls is not yet advanced. Returns what the MPI function is to return; errors have
 * been raised.
 */
int shunt_dispatch(struct shunt_exchange *x);

/* verify.c: runs the routed call and the library's own, compares every byte, keeps the library's
 * result and says where they differ. Tells in `outcome` what that took. */
int shunt_verify_run(struct shunt_exchange *x, struct shunt_plan *plan,
                     struct shunt_outcome *outcome);

#endif
