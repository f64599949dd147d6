/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.h: Open MPI's Fortran bindings call PMPI_Alltoall and PMPI_Alltoallv of C, with the
 * sentinels of Fortran translated already. So libshunt.so has these names as well: from the
 * bindings they are routed like the MPI_ names, from anybody else (tools, MPI-IO within a library)
 * they are the library's own.
 */
#ifndef SHUNT_FRONT_FORTRAN_H
#define SHUNT_FRONT_FORTRAN_H

#include "pmpi/library.h"

/* The library was found. */
void shunt_fortran_begin(const struct shunt_library *library);

#endif
