/* SPDX-License-Identifier: BSD-3-Clause */
/* version.h: the MPI library's name and version, as short as people say them. */
#ifndef SHUNT_PMPI_VERSION_H
#define SHUNT_PMPI_VERSION_H

#include <stddef.h>

/* Big enough for every text below. */
enum { SHUNT_PMPI_VERSION_MAX = 128 };

/*
 * "MPICH 4.0.2" from what MPI_Get_library_version tells ("MPICH Version:\t4.0.2\nMPICH Release
 * date: ..."); the first line as it is where that has another form.
 */
void shunt_pmpi_version_print(const char *told, char *text, size_t capacity);

/* That of the library found by shunt_pmpi_resolve; "" when it does not tell. */
void shunt_pmpi_version(char *text, size_t capacity);

#endif
