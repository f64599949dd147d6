/* SPDX-License-Identifier: BSD-3-Clause */
/* open.h: opens the back end for an MPI library. */
#ifndef SHUNT_FRONT_OPEN_H
#define SHUNT_FRONT_OPEN_H

#include "pmpi/back_end.h"

/*
 * The back end of the library's ABI, begun; it stays for the life of the process. NULL: there is
 * none that can be used, and it was said, by the very process that lacks it: the other ranks may
 * have theirs, and will wait for this one.
 */
const struct shunt_back_end *shunt_open_back_end(const struct shunt_library *library);

#endif
