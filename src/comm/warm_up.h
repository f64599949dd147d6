/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * warm_up.h: calls of a communicator before it is set up, which are native and counted, and when
 * set-up comes.
 *
 * Set-up must pay before it is paid for, and all ranks must begin it with the same call. So rank 0
 * decides, by whatever it knows, and tells the others by a broadcast of some bytes, before calls
 * whose numbers all know: set up now, again before call n, or never.
 */
#ifndef SHUNT_COMM_WARM_UP_H
#define SHUNT_COMM_WARM_UP_H

#include "comm/comm.h"

/* Before each call in state COUNTING that the library does not refuse; comm->calls is its number.
 * Collective at calls that all ranks know. Afterwards the state tells: trouble makes the
 * communicator native, on all ranks alike. */
void shunt_warm_up(struct shunt_comm *comm);
/* The library has refused a call of this rank alone: it leaves, as in comm/agree.h. Local. */
void shunt_warm_up_leave(struct shunt_comm *comm);

/* Whether something begins with the call. */
bool shunt_warm_up_due(const struct shunt_comm *comm);

/* Sets comm->look: to the next call before which rank 0 speaks, or which this rank times. To be
 * used where nothing else wants to see each call. */
void shunt_warm_up_rest(struct shunt_comm *comm);

/* Whether this rank takes the time of the native call that follows; it took so long. */
bool shunt_warm_up_times(const struct shunt_comm *comm);
void shunt_warm_up_took(struct shunt_comm *comm, int64_t nanoseconds);

#endif
