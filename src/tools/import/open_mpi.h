/* SPDX-License-Identifier: BSD-3-Clause */
/* open_mpi.h: what both forms of Open MPI's dynamic rules share: the numbers and names of
 * algorithms. */
#ifndef SHUNT_IMPORT_OPEN_MPI_H
#define SHUNT_IMPORT_OPEN_MPI_H

#include <stdint.h>

#include "algorithms/operation.h"

/* The name of an algorithm by its number; "ignore" is 0; NULL: there is none. */
const char *shunt_open_mpi_name(enum shunt_op op, int64_t number);
/* The names of all, ended by NULL. */
const char *const *shunt_open_mpi_names(enum shunt_op op);

#endif
