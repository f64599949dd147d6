/* SPDX-License-Identifier: BSD-3-Clause */
/* search.c: which decision file is read. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "route/file.h"
#include "route/parse.h"

/* One search, and who wants to hear of it. */
struct search {
    const struct shunt_parse_request *request;
    shunt_parse_visit visit; /* NULL: nobody */
    void *context;
};

static void tell(const struct search *search, enum shunt_seen state, const char *name,
                 const char *hosts)
{
    const struct shunt_parse_seen seen = {state, name, hosts};
    if (search->visit)
        search->visit(search->context, &seen);
}

static int is_config(const struct dirent *entry)
{
    return shunt_parse_is_config(entry->d_name);
}

/* strcmp, not the locale's order: every host must choose the same file. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void forget(struct shunt_diagnostics *diagnostics, size_t count)
{
    while (diagnostics->count > count)
        free(diagnostics->text[--diagnostics->count]);
}

static void find_no_hosts(const struct shunt_parse_request *request, const char *path,
                          const struct shunt_parsed *parsed)
{
    if (!request->findings || parsed->any_hosts)
        return;
    char *name = shunt_parse_name(path);
    shunt_diagnostics_add(request->findings,
                          "%s: no host will ever choose this file: it has no machine.hosts; "
                          "add them, or name the file in SHUNT_CONFIG",
                          name ? name : path);
    free(name);
}

static enum shunt_seen state_of(const struct shunt_parsed *parsed, const struct shunt_table *table)
{
    if (table)
        return SHUNT_SEEN_USED;
    if (parsed->state == SHUNT_PARSED_OTHER)
        return parsed->any_hosts ? SHUNT_SEEN_OTHER : SHUNT_SEEN_NO_HOSTS;
    return parsed->state == SHUNT_PARSED_NOT ? SHUNT_SEEN_SKIPPED : SHUNT_SEEN_WRONG;
}

/* One file of a folder. NOTHING: it is not for this host, or cannot be parsed and does not seem to
 * be; then problems are none of ours. */
static enum shunt_parse_outcome try_file(const struct search *search, const char *path,
                                         struct shunt_table **table,
                                         struct shunt_diagnostics *diagnostics)
{
    const struct shunt_parse_request *request = search->request;
    struct shunt_parsed parsed;
    const size_t before = diagnostics->count;
    *table = shunt_parse_one(path, request->host, &parsed, request, diagnostics);
    find_no_hosts(request, path, &parsed);
    tell(search, state_of(&parsed, *table), strrchr(path, '/') + 1, parsed.hosts);
    if (*table)
        return SHUNT_PARSE_FOUND;
    if (parsed.state == SHUNT_PARSED_OURS)
        return parsed.unreadable ? SHUNT_PARSE_UNREADABLE : SHUNT_PARSE_INVALID;
    if (parsed.state == SHUNT_PARSED_NOT && request->notes && diagnostics->count > before)
        shunt_diagnostics_add(request->notes,
                              "%s (skipped: it does not seem to be meant for host %s)",
                              diagnostics->text[before], request->host);
    forget(diagnostics, before);
    return SHUNT_PARSE_NOTHING;
}

/* The decision files of a folder in their order. -1: it cannot be searched, and the search ends. */
static int list_folder(const struct search *search, const char *folder, struct dirent ***entries,
                       struct shunt_diagnostics *diagnostics)
{
    *entries = NULL;
    const int count = folder ? scandir(folder, entries, is_config, by_name) : 0;
    if (!folder || count >= 0) {
        if (folder)
            tell(search, SHUNT_SEEN_FOLDER, folder, "");
        return count;
    }
    const int error = errno;
    const bool absent = shunt_parse_is_absent(error);
    if (!absent)
        shunt_diagnostics_add(diagnostics, "%s: cannot be searched: %s", folder, strerror(error));
    tell(search, error == ENOENT ? SHUNT_SEEN_ABSENT : SHUNT_SEEN_CLOSED, folder, "");
    return absent ? 0 : -1;
}

/* Tries the files of one folder in order, until one is found or is wrong. outcome: so far. */
static enum shunt_parse_outcome search_folder(const struct search *search, const char *folder,
                                              enum shunt_parse_outcome outcome,
                                              struct shunt_table **table,
                                              struct shunt_diagnostics *diagnostics)
{
    struct dirent **entries;
    const int count = list_folder(search, folder, &entries, diagnostics);
    if (count < 0)
        outcome = outcome == SHUNT_PARSE_NOTHING ? SHUNT_PARSE_UNREADABLE : outcome;
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (outcome != SHUNT_PARSE_NOTHING)
            tell(search, SHUNT_SEEN_LATER, entries[i]->d_name, "");
        else if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0)
            outcome = try_file(search, path, table, diagnostics);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return outcome;
}

/* Whether the file lies in a folder that is searched. */
static bool is_searched(const struct shunt_parse_request *request, const char *path)
{
    const char *const folders[] = {request->user_dir, request->system_dir},
                      *slash = strrchr(path, '/');
    char own[4096] = ".";
    struct stat here, there;
    if (slash && (size_t)(slash - path) + 2 <= sizeof own)
        snprintf(own, sizeof own, "%.*s", (int)(slash - path) + 1, path);
    if (stat(own, &here) != 0)
        return false;
    for (size_t i = 0; i < 2; i++)
        if (folders[i] && stat(folders[i], &there) == 0 && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return true;
    return false;
}

/* The file that was named: it counts whatever hosts it is for. */
static enum shunt_parse_outcome read_named(const struct shunt_parse_request *request,
                                           struct shunt_table **table,
                                           struct shunt_diagnostics *diagnostics)
{
    struct shunt_parsed parsed;
    *table = shunt_parse_one(request->config, NULL, &parsed, request, diagnostics);
    if (!request->by_name && is_searched(request, request->config))
        find_no_hosts(request, request->config, &parsed);
    if (*table)
        return SHUNT_PARSE_FOUND;
    return parsed.unreadable ? SHUNT_PARSE_UNREADABLE : SHUNT_PARSE_INVALID;
}

enum shunt_parse_outcome shunt_parse_search_seen(const struct shunt_parse_request *request,
                                                 shunt_parse_visit visit, void *context,
                                                 struct shunt_table **table,
                                                 struct shunt_diagnostics *diagnostics)
{
    const struct search search = {request, visit, context};
    *table = NULL;
    if (request->config)
        return read_named(request, table, diagnostics);
    if (request->builtin || !request->host)
        return SHUNT_PARSE_NOTHING;
    enum shunt_parse_outcome outcome =
        search_folder(&search, request->user_dir, SHUNT_PARSE_NOTHING, table, diagnostics);
    if (outcome == SHUNT_PARSE_NOTHING || visit) /* to tell of the rest */
        outcome = search_folder(&search, request->system_dir, outcome, table, diagnostics);
    return outcome;
}

enum shunt_parse_outcome shunt_parse_search(const struct shunt_parse_request *request,
                                            struct shunt_table **table,
                                            struct shunt_diagnostics *diagnostics)
{
    return shunt_parse_search_seen(request, NULL, NULL, table, diagnostics);
}
