/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.h: decision files, through libconfig. The only code that needs libconfig; it lives in the
 * module shunt-table.so (dlopened by libshunt.so where there may be a file to read: see
 * shunt_parse_needed) and in the command `shunt`.
 */
#ifndef SHUNT_ROUTE_PARSE_H
#define SHUNT_ROUTE_PARSE_H

#include "route/table.h"

/* By this name in place of that of a file the built-in table is meant; a file of this name is
 * "./built-in". */
#define SHUNT_BUILTIN_NAME "built-in"

/* Where to look. Everything may be NULL. */
struct shunt_parse_request {
    const char *config;     /* value of SHUNT_CONFIG: this file and nothing else */
    bool builtin;           /* it was SHUNT_BUILTIN_NAME: no file at all */
    const char *host;       /* this host's name, matched against machine.hosts */
    const char *user_dir;   /* $XDG_CONFIG_HOME/shunt or ~/.config/shunt */
    const char *system_dir; /* sysconfdir/shunt */
    const char *library;    /* the MPI library's name and version, NULL: it does not matter */
    bool by_name; /* config is really used by its name, so it needs no machine.hosts, wherever it
                     lies */
    /* gets a line for each file that was skipped because it cannot be parsed */
    struct shunt_diagnostics *notes;
    struct shunt_diagnostics *findings; /* gets what is valid but cannot be meant: hosts that cannot
                                           be, files that no host chooses */
};

/* A request and the memory behind it. */
struct shunt_parse_path {
    struct shunt_parse_request request;
    char host[256];
    char user_dir[4096];
};

/* path.c, in libroute: no libconfig. */
/*
 * The request of a process that runs here: host name (NULL when the system does not tell),
 * XDG_CONFIG_HOME or else HOME from `environment` (NULL: an empty one), where they are absolute,
 * system folder as configured. config: SHUNT_CONFIG or NULL, not copied. `path` must not move while
 * the request is used.
 */
void shunt_parse_here(struct shunt_parse_path *path, const char *config, char *const *environment);

/* Whether there is anything to read: a file was named, or a folder holds one that may be a decision
 * file, or cannot be read. */
bool shunt_parse_needed(const struct shunt_parse_request *request);

/* Whether a file of that name in a searched folder is a decision file. */
bool shunt_parse_is_config(const char *name);

/* Whether a folder that cannot be opened for this reason counts as empty. */
bool shunt_parse_is_absent(int error);

/*
 * The full name of a file, without symbolic links, by which messages, tables and records name it
 * however it was found; of one that is not there, behind the working directory. A malloc block,
 * NULL when memory is short.
 */
char *shunt_parse_name(const char *path);

enum shunt_parse_outcome {
    SHUNT_PARSE_FOUND,
    SHUNT_PARSE_NOTHING,   /* no file is for this host: the built-in table counts */
    SHUNT_PARSE_INVALID,   /* problems were added */
    SHUNT_PARSE_UNREADABLE /* problems were added; the reason is that a file cannot be read */
};

/*
 * Finds and reads the table: config, else the first file *.cfg (by name, user_dir before
 * system_dir) whose machine.hosts matches host. A file without machine.hosts is never chosen by the
 * search. One that cannot be parsed ends it only if its text seems to name the host, and is noted
 * and skipped otherwise. *table gets a malloc block where one was found, NULL otherwise.
 */
enum shunt_parse_outcome shunt_parse_search(const struct shunt_parse_request *request,
                                            struct shunt_table **table,
                                            struct shunt_diagnostics *diagnostics);

/* The patterns of machine.hosts in a file. */
struct shunt_parse_hosts {
    size_t count;
    char **patterns;
};
/* False: the file cannot be parsed, or memory is short; nobody is told. Clear in any case. */
bool shunt_parse_hosts(const char *path, struct shunt_parse_hosts *hosts);
void shunt_parse_hosts_clear(struct shunt_parse_hosts *hosts);
/* Whether such a pattern matches a host, by its full name or up to the first dot. */
bool shunt_parse_host_matches(const char *pattern, const char *host);

/* What became of a folder, or of a file in one. */
enum shunt_seen {
    SHUNT_SEEN_FOLDER,   /* it is searched: its files follow */
    SHUNT_SEEN_ABSENT,   /* the folder is not there, or nobody may look into it */
    SHUNT_SEEN_CLOSED,   /* the folder cannot be searched: that ends the search */
    SHUNT_SEEN_USED,     /* this file is the table */
    SHUNT_SEEN_OTHER,    /* for other hosts */
    SHUNT_SEEN_NO_HOSTS, /* for no host */
    SHUNT_SEEN_SKIPPED,  /* cannot be parsed, and does not seem to be meant for this host */
    SHUNT_SEEN_WRONG,    /* for this host, and wrong: that ends the search */
    SHUNT_SEEN_LATER,    /* not looked at: the search had ended */
    SHUNT_SEEN_COUNT
};

/* For people. */
struct shunt_parse_seen {
    enum shunt_seen state;
    const char *name;  /* path of the folder; or name of the file in it */
    const char *hosts; /* see struct shunt_parsed; "" */
};
typedef void (*shunt_parse_visit)(void *context, const struct shunt_parse_seen *seen);

/* The same, and tells `visit` of everything in the order of the search. Where a file is named
 * nothing is searched. */
enum shunt_parse_outcome shunt_parse_search_seen(const struct shunt_parse_request *request,
                                                 shunt_parse_visit visit, void *context,
                                                 struct shunt_table **table,
                                                 struct shunt_diagnostics *diagnostics);

/*
 * Reads one file, or a text that is named `name` in messages (and for fuzzing). Returns a malloc
 * block, or NULL with every problem added. Includes are relative to the folder of the including
 * file; a text whose `name` has no folder cannot include.
 */
struct shunt_table *shunt_parse_file(const char *path, struct shunt_diagnostics *diagnostics);
struct shunt_table *shunt_parse_text(const char *text, const char *name,
                                     struct shunt_diagnostics *diagnostics);

/*
 * The symbol that libshunt.so looks up in the module: a constant of type shunt_parse_search_fn that
 * points to shunt_parse_search, so dlsym gives `const shunt_parse_search_fn *`. Bump the number
 * when the types change.
 */
typedef enum shunt_parse_outcome (*shunt_parse_search_fn)(const struct shunt_parse_request *,
                                                          struct shunt_table **,
                                                          struct shunt_diagnostics *);
#define SHUNT_PARSE_SYMBOL "shunt_table_module_4"

#endif
