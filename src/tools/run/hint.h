/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.h: what to say at the end of a command that never used libshunt.so. */
#ifndef SHUNT_TOOLS_HINT_H
#define SHUNT_TOOLS_HINT_H

#include <stdbool.h>

/*
 * command: array that ends with NULL; status: as from wait(2); loaded: a process of this host that
 * has MPI loaded the library; called: and it called. Says nothing where that may be as it should.
 */
void shunt_hint_say(char *const *command, int status, bool loaded, bool called);

#endif
