/* SPDX-License-Identifier: BSD-3-Clause */
/* speak.h: what a rank has to say before a call. Local. */
#ifndef SHUNT_INTERCEPT_SPEAK_H
#define SHUNT_INTERCEPT_SPEAK_H

#include "execute/exchange.h"

/* Whether a buffer of the call is in the memory of a device. */
bool shunt_on_device(const struct shunt_exchange *x);

/* What this rank says in the agreement of an Alltoallv, whatever its arguments: every rank gets
 * this far. Fills the types of x. */
struct shunt_agreement shunt_speak(struct shunt_exchange *x);

/* What this rank sent in an MPI_Alltoallv that was carried out. */
uint64_t shunt_listed_bytes(const struct shunt_exchange *x);

#endif
