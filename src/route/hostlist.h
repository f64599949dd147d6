/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostlist.h: one string of machine.hosts, as shunt.cfg(5) describes it: names and patterns with
 * commas between, in which brackets that hold nothing but numbers and ranges of them are lists as
 * Slurm writes them, "node[001-064,100]", and all else is as in the shell. Private to the parser.
 */
#ifndef SHUNT_ROUTE_HOSTLIST_H
#define SHUNT_ROUTE_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it names the host. */
bool shunt_hostlist_names(const char *text, const char *host);

/* False when some part of it can name no host at all; `reason` gets why, and what to write instead.
 */
bool shunt_hostlist_possible(const char *text, char *reason, size_t capacity);

#endif
