/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h: memory of communicators' states, and which of them have ended. */
#ifndef SHUNT_COMM_STATES_H
#define SHUNT_COMM_STATES_H

#include <stdatomic.h>

#include "comm/comm.h"

/* Zeroed, or one that has failed where memory is short; NULL: none is left. Owned by the caller,
 * until shunt_state_free. */
struct shunt_comm *shunt_state_new(void);
void shunt_state_free(struct shunt_comm *comm);

/* Handles are reused, so every release advances the epoch, and so does whatever else threads are to
 * look up anew. */
extern _Atomic unsigned long shunt_comm_epoch;
void shunt_states_advance(void);

/*
 * Whether the communicator whose turn was `turn` when a call began still is there: an error handler
 * of the application may have freed it, or tried to, and it begins anew. Memory of states is never
 * given back, so that one that has ended may be looked at.
 */
static inline bool shunt_comm_lives(const struct shunt_comm *comm, uint32_t turn)
{
    return comm->turn == turn;
}

#endif
