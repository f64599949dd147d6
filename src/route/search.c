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

/* One file of a folder. NOTHING: it is not for this host, or cannot be parsed and does not seem to
 * be; then problems are none of ours. */
static enum shunt_parse_outcome try_file(const struct shunt_parse_request *request,
                                         const char *path, struct shunt_table **table,
                                         struct shunt_diagnostics *diagnostics)
{
    struct shunt_parsed parsed;
    const size_t before = diagnostics->count;
    *table = shunt_parse_one(path, request->host, &parsed, request->findings, diagnostics);
    find_no_hosts(request, path, &parsed);
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

/* Tries the files of one folder in order, until one is found or is wrong. */
static enum shunt_parse_outcome search_folder(const struct shunt_parse_request *request,
                                              const char *folder, struct shunt_table **table,
                                              struct shunt_diagnostics *diagnostics)
{
    struct dirent **entries = NULL;
    enum shunt_parse_outcome outcome = SHUNT_PARSE_NOTHING;
    int count = folder ? scandir(folder, &entries, is_config, by_name) : 0;
    if (count < 0 && !shunt_parse_is_absent(errno)) {
        shunt_diagnostics_add(diagnostics, "%s: cannot be searched: %s", folder, strerror(errno));
        outcome = SHUNT_PARSE_UNREADABLE;
    }
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (outcome == SHUNT_PARSE_NOTHING &&
            asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0)
            outcome = try_file(request, path, table, diagnostics);
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
    *table = shunt_parse_one(request->config, NULL, &parsed, request->findings, diagnostics);
    if (!request->by_name && is_searched(request, request->config))
        find_no_hosts(request, request->config, &parsed);
    if (*table)
        return SHUNT_PARSE_FOUND;
    return parsed.unreadable ? SHUNT_PARSE_UNREADABLE : SHUNT_PARSE_INVALID;
}

enum shunt_parse_outcome shunt_parse_search(const struct shunt_parse_request *request,
                                            struct shunt_table **table,
                                            struct shunt_diagnostics *diagnostics)
{
    *table = NULL;
    if (request->config)
        return read_named(request, table, diagnostics);
    if (!request->host)
        return SHUNT_PARSE_NOTHING;
    const enum shunt_parse_outcome outcome =
        search_folder(request, request->user_dir, table, diagnostics);
    return outcome != SHUNT_PARSE_NOTHING
               ? outcome
               : search_folder(request, request->system_dir, table, diagnostics);
}
