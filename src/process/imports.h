/* SPDX-License-Identifier: BSD-3-Clause */
/* imports.h: what the program and its libraries use of MPI. */
#ifndef SHUNT_PROCESS_IMPORTS_H
#define SHUNT_PROCESS_IMPORTS_H

#include <stdbool.h>

/* Whether anything in the process, but for MPI libraries and tools and for us, names nonblocking
 * collective functions of MPI, or persistent ones. Takes a look at all names that objects import:
 * for what happens rarely. */
bool shunt_imports_nonblocking(void);

#endif
