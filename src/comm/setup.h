/* SPDX-License-Identifier: BSD-3-Clause */
/* setup.h: setting a communicator up. */
#ifndef SHUNT_COMM_SETUP_H
#define SHUNT_COMM_SETUP_H

#include "comm/comm.h"

/* The collective set-up. Leaves state ROUTED or NATIVE. */
void shunt_setup_run(struct shunt_comm *comm);
/* What ranks turn out not to have, or not for blocks as large as these. */
enum shunt_lack {
    SHUNT_LACKS_NOTHING,
    SHUNT_LACKS_SHARED_MEMORY, /* as much of it as such blocks need */
    SHUNT_LACKS_READING        /* a way to read a neighbour's memory */
};

/*
 * Decides anew without that, where all ranks know that some rank lacks it. Collective. All plans
 * and decisions of before are gone. False: the communicator is native from now on.
 */
bool shunt_comm_decide_without(struct shunt_comm *comm, enum shunt_lack lack, int64_t block);
/* Nothing is learned any more, on all ranks alike: which calls need no look, and no agreement. */
void shunt_comm_settle_anew(struct shunt_comm *comm);

#endif
