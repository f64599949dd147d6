/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * piggyback.h: the first call of MPI_COMM_WORLD carries what rank 0 announces with it.
 *
 * A collective of its own for that takes as long as a round of the call, and where many ranks share
 * a processor more than a millisecond. So the call is made by the library's own function, with a
 * header before each block that comes from rank 0 (MPI_Alltoall: before every block, for there is
 * one size). Only with libraries in which this was tried, whose name is the same on all ranks.
 */
#ifndef SHUNT_INTERCEPT_PIGGYBACK_H
#define SHUNT_INTERCEPT_PIGGYBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/exchange.h"

/* Whether the call can: by what is equal on all ranks. The library does not reject it. */
bool shunt_piggyback_fits(const struct shunt_exchange *x);

/*
 * Carries the call out. *word: what this rank has to say, 0 on all but rank 0; afterwards what rank
 * 0 says, 0 where that was not heard. Returns the library's code, which it has raised on the
 * communicator where x->raised is set then; MPI_SUCCESS on all ranks that have all their blocks.
 */
int shunt_piggyback_run(struct shunt_exchange *x, uint64_t *word);

#endif
