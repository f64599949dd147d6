/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h: starts a command and waits for it, as if this process were the command. */
#ifndef SHUNT_TOOLS_START_H
#define SHUNT_TOOLS_START_H

#include <stdbool.h>

/*
 * Starts the command (array that ends with NULL) and waits until it ends. It is in this process's
 * group: what the terminal sends reaches both, and what somebody sends to this process alone is
 * passed on; *ended: one of those asked it to end. Returns 0 with *status as from wait(2), or why
 * it was not started, as in errno.
 */
int shunt_start_command(char **command, int *status, bool *ended);

/* The exit status for that: the command's. Where a signal ended it, it ends this process too. */
int shunt_start_status(int status);

#endif
