/* SPDX-License-Identifier: BSD-3-Clause */
/* front.h: what libshunt.so has found: the MPI library of the process, and the back end for it. */
#ifndef SHUNT_FRONT_FRONT_H
#define SHUNT_FRONT_FRONT_H

#include "pmpi/back_end.h"

/*
 * The back end, or NULL: nothing is routed. The library is looked for at the first call of this or
 * of any function that is routed or counted, and again as long as none could be found: as the code
 * at `caller` (a return address) sees it, which has called the function `name`.
 */
const struct shunt_back_end *shunt_front_back_end(const void *caller, const char *name);

/* The functions that are routed, by names that no other object can take the place of. */
#define SHUNT_FRONT_DECLARE(name, n) int shunt_front_##name SHUNT_TYPES##n;
SHUNT_ROUTED(SHUNT_FRONT_DECLARE)

#endif
