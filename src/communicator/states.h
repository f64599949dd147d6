/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h: memory of communicators' states, and which of them have ended. */
#ifndef SHUNT_COMMUNICATOR_STATES_H
#define SHUNT_COMMUNICATOR_STATES_H

#include <stdatomic.h>

#include "communicator/comm.h"

/* Zeroed, or one that has failed where memory is short; NULL: none is left. Owned by the caller,
 * until shunt_state_free. */
struct shunt_comm *shunt_state_new(void);
void shunt_state_free(struct shunt_comm *comm);

/* Handles are reused, so every release advances the epoch. comm: the state that is released; NULL
 * where none is, but whatever threads know is to be looked up anew. */
extern _Atomic unsigned long shunt_comm_epoch;
void shunt_states_advance(const struct shunt_comm *comm);

/*
 * Whether a communicator that was in use when the epoch was `epoch` still is there: an error
 * handler of the application may have freed it, or others. So many releases later it counts as
 * freed.
 */
enum { SHUNT_COMM_RELEASES = 64 };
bool shunt_comm_lives(const struct shunt_comm *comm, unsigned long epoch);

#endif
