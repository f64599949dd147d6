/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.h: for which hosts a decision file is meant. Private to the parser. */
#ifndef SHUNT_ROUTE_HOSTS_H
#define SHUNT_ROUTE_HOSTS_H

#include "route/parse.h"
#include "route/walk.h"

/* Whether machine.hosts has a pattern for `host` (its full or its short name). No problems are
 * reported: the walk does that. */
bool shunt_hosts_match(const config_setting_t *root, const char *host);
/* All patterns; false when memory is short. */
bool shunt_hosts_copy(const config_setting_t *root, struct shunt_parse_hosts *copy);
/* The patterns of machine.hosts, "node*", "login1", as far as there is room; only the first that
 * matches `host` if one does. */
void shunt_hosts_print(const config_setting_t *root, const char *host, char *text, size_t capacity);
/* Whether machine.hosts has any pattern. */
bool shunt_hosts_any(const config_setting_t *root);
/* Reports what is wrong with machine.hosts, and finds what matches no host. */
void shunt_hosts_check(struct shunt_walk *walk, const config_setting_t *hosts);
/*
 * Whether a text that libconfig cannot parse seems to name `host`: in the first `machine = {`, in
 * the first `hosts =` before a closing brace, among the strings that follow with brackets and
 * commas between.
 */
bool shunt_hosts_named(const char *text, const char *host);

#endif
