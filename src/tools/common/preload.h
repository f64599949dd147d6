/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.h: finds libshunt.so and puts it into LD_PRELOAD. */
#ifndef SHUNT_TOOLS_PRELOAD_H
#define SHUNT_TOOLS_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts libshunt.so before what LD_PRELOAD already holds: it sees the program's calls first. What it
 * routes goes on to PMPI, so a profiler later in the list does not see those calls; one that must
 * see them has to stand before libshunt.so, set by hand. Returns SHUNT_EXIT_OK, or SHUNT_EXIT_IO
 * after saying why.
 */
int shunt_preload_set(void);

/* The full path of libshunt.so, to be freed; NULL when it is nowhere. */
char *shunt_preload_library(void);
/* Where that library looks for the module which reads decision files; false: not there. */
bool shunt_preload_module(const char *library, char *path, size_t capacity);
/* Says where it was looked for. Returns SHUNT_EXIT_IO. */
int shunt_preload_missing(void);

#endif
