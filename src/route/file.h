/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h: one decision file. Private to the parser. */
#ifndef SHUNT_ROUTE_FILE_H
#define SHUNT_ROUTE_FILE_H

#include "route/parse.h"

/* What became of one file. */
struct shunt_parsed {
    enum {
        SHUNT_PARSED_OURS,  /* meant for the host; or it cannot be parsed, but seems to be */
        SHUNT_PARSED_OTHER, /* parsed, and meant for others: it was not looked at any further */
        SHUNT_PARSED_NOT    /* cannot be parsed, and it does not seem to be meant for the host */
    } state;
    bool any_hosts;  /* true also where the file cannot be parsed */
    bool unreadable; /* the file, or one that it includes, cannot be read */
    char hosts[256]; /* for people: the pattern that matches, or those that there are; "" */
};

/*
 * Reads a file if it is meant for `host` (NULL: whatever it is meant for; then it is OURS, or NOT).
 * Returns a malloc block, or NULL; then every problem was added, also those that matter to nobody
 * here. request: who asks, for where the rules were measured, and who gets findings; or NULL.
 */
struct shunt_table *shunt_parse_one(const char *path, const char *host, struct shunt_parsed *parsed,
                                    const struct shunt_parse_request *request,
                                    struct shunt_diagnostics *diagnostics);

#endif
