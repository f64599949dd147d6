/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.h: decision files, through libconfig. The only code that needs libconfig; it lives in the module shunt-table.so (dlopened by
 * libshunt.so where a table is really read) and in the command `shunt`.
 */
#ifndef SHUNT_ROUTE_PARSE_H
#define SHUNT_ROUTE_PARSE_H

#include "route/table.h"

/* Where to look. Strings may be NULL. */
struct shunt_parse_request {
    const char *config;     /* value of SHUNT_CONFIG: this file and nothing else */
    const char *host;       /* this host's name, matched against machine.hosts */
    const char *user_dir;   /* $XDG_CONFIG_HOME/shunt or ~/.config/shunt */
    const char *system_dir; /* sysconfdir/shunt */
};

/* A request and the memory behind it. */
struct shunt_parse_places {
    struct shunt_parse_request request;
    char host[256];
    char user_dir[4096];
};

/*
 * The request of a process that runs here: host name, XDG_CONFIG_HOME or HOME from `environment`, system folder as configured. config:
 * SHUNT_CONFIG or NULL, not copied. `places` must not move while the request is used. Part of libroute: no libconfig.
 */
void shunt_parse_here(struct shunt_parse_places *places, const char *config, char *const *environment);

/*
 * Finds and reads the table: config, else the first file *.cfg (by name, user_dir before system_dir) whose machine.hosts matches host, else
 * the built-in table (conf/default.cfg). Returns a malloc block, or NULL with every problem added. A file without machine.hosts is never
 * chosen by the search.
 */
struct shunt_table *shunt_parse_search(const struct shunt_parse_request *request, struct shunt_problems *problems);

/*
 * Reads one file, or a text that is named `name` in messages (and for fuzzing). Same returns. Includes are relative to the folder of the
 * including file; a text whose `name` has no folder cannot include.
 */
struct shunt_table *shunt_parse_file(const char *path, struct shunt_problems *problems);
struct shunt_table *shunt_parse_text(const char *text, const char *name, struct shunt_problems *problems);

/*
 * The symbol that libshunt.so looks up in the module: a constant of type shunt_parse_search_fn that points to shunt_parse_search, so dlsym
 * gives `const shunt_parse_search_fn *`. Bump the number when the types change.
 */
typedef struct shunt_table *(*shunt_parse_search_fn)(const struct shunt_parse_request *, struct shunt_problems *);
#define SHUNT_PARSE_SYMBOL "shunt_table_module_1"

#endif
