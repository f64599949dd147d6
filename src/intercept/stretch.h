/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stretch.h: calls of MPI_Alltoallv that are native without an agreement, as communicator/adapt.h
 * decides. Most are passed on by the entry point, which counts them in comm->skips.
 */
#ifndef SHUNT_INTERCEPT_STRETCH_H
#define SHUNT_INTERCEPT_STRETCH_H

#include "execute/exchange.h"
#include "intercept/record.h"

/* One call of a stretch that the library does not refuse. Returns what the MPI function is to
 * return. */
int shunt_stretch_pass(struct shunt_exchange *x, struct shunt_outcome *outcome);

/* Lets the entry point pass on what is left of a stretch; not where each call is recorded. */
void shunt_stretch_grant(struct shunt_comm *comm);
/* Counts what it has passed on. */
void shunt_stretch_add(struct shunt_comm *comm);
static inline void shunt_stretch_count(struct shunt_comm *comm)
{
    if (comm->skips_granted != comm->skips)
        shunt_stretch_add(comm);
}

#endif
