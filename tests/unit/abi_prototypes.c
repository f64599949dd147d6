/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abi_prototypes.c: each function and callback once more behind a library's own header. Where the
 * two say something else, this does not compile. What an older library lacks is just declared.
 */
#ifndef HEADER
#define HEADER <mpi.h>
#endif
#include HEADER

#include "pmpi/functions.h"
