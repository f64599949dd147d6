/* SPDX-License-Identifier: BSD-3-Clause */
/* setup.h: setting a communicator up. */
#ifndef SHUNT_COMM_SETUP_H
#define SHUNT_COMM_SETUP_H

#include "comm/comm.h"

/* The collective set-up. Leaves state ROUTED or NATIVE. */
void shunt_setup_run(struct shunt_comm *comm);
/*
 * Decides anew, after something in comm->layout was found not to work, by all ranks alike.
 * Collective. All plans and decisions of before are gone. False: the communicator is native from
 * now on.
 */
bool shunt_comm_decide_anew(struct shunt_comm *comm);
/* Nothing is learned any more, on all ranks alike: which calls need no look, and no agreement. */
void shunt_comm_settle_anew(struct shunt_comm *comm);

#endif
