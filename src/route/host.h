/* SPDX-License-Identifier: BSD-3-Clause */
/* host.h: what the name of one host tells of its machine: a guess, for files that people change. */
#ifndef SHUNT_ROUTE_HOST_H
#define SHUNT_ROUTE_HOST_H

#include <stddef.h>

/*
 * A pattern for the hosts of the machine: the name up to its first dot without the number at its
 * end ("node*"); a name of numbers alone as a whole; "" when none can be guessed. `capacity` is at
 * least that of the name and 2.
 */
void shunt_host_pattern(const char *host, char *pattern, size_t capacity);

/* Letters and digits of the pattern with single dashes between, also a good name for a file; "site"
 * when there are none. `capacity` is at least that of the pattern, and 5. */
void shunt_host_machine(const char *pattern, char *name, size_t capacity);

#endif
