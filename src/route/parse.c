/* SPDX-License-Identifier: BSD-3-Clause */
/* parse.c: from a decision file to a table, and which file is read. */
#include <dirent.h>
#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/builtin.h"
#include "route/parse.h"
#include "route/source.h"
#include "route/walk.h"

/* libconfig says neither token nor text: show the line. */
static void report_syntax(const struct shunt_source *source, const config_t *config, struct shunt_problems *problems)
{
    unsigned line = config_error_line(config) > 0 ? (unsigned)config_error_line(config) : 1;
    const char *at = source->text;
    for (unsigned i = 1; i < line && at != NULL; i++) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    at += at != NULL ? strspn(at, " ") : 0;
    int length = at != NULL ? (int)strcspn(at, "\n") : 0;
    const char *text = config_error_text(config);
    shunt_problems_add(problems, "%s:%d: %s%s%.*s%s", shunt_source_name(source, line), shunt_source_number(source, line),
                       text != NULL ? text : "syntax error", length > 0 ? " in or before: " : "", length < 60 ? length : 60,
                       length > 0 ? at : "", length > 60 ? "..." : "");
}

static struct shunt_table *assemble(const struct shunt_walk *walk, const char *name)
{
    const struct shunt_rule *rules[SHUNT_OP_COUNT];
    uint32_t counts[SHUNT_OP_COUNT];
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        rules[op] = walk->rules[op].rules;
        counts[op] = walk->rules[op].count;
    }
    struct shunt_table *table =
        shunt_table_make(&walk->policy, walk->machine, name, rules, counts, (const char *const *)walk->strings, walk->string_count);
    if (table == NULL)
        shunt_problems_add(walk->problems, "%s: out of memory", name);
    return table;
}

/*
 * From scanned text to a table. With `host`, only a file meant for it: otherwise the answer is NULL without a problem, and *other is true.
 */
static struct shunt_table *parse(const struct shunt_source *source, const char *name, const char *host, bool *other, size_t before,
                                 struct shunt_problems *problems)
{
    struct shunt_table *table = NULL;
    config_t config;
    if (source->broken || source->text == NULL) {
        if (problems->count == before)
            shunt_problems_add(problems, "%s: is too large, or memory is short", name);
        return NULL;
    }
    config_init(&config);
    if (config_read_string(&config, source->text) != CONFIG_TRUE) {
        report_syntax(source, &config, problems);
    } else if (host != NULL && !shunt_hosts_match(config_root_setting(&config), host)) {
        *other = true;
    } else {
        struct shunt_walk walk = {.source = source, .problems = problems, .brief = host != NULL};
        shunt_walk_root(&walk, config_root_setting(&config));
        if (problems->count == before)
            table = assemble(&walk, name);
        shunt_walk_clear(&walk);
    }
    config_destroy(&config);
    return table;
}

struct shunt_table *shunt_parse_text(const char *text, const char *name, struct shunt_problems *problems)
{
    struct shunt_source source;
    size_t before = problems->count;
    bool other = false;
    shunt_source_text(&source, text, name, problems);
    struct shunt_table *table = parse(&source, name, NULL, &other, before, problems);
    shunt_source_clear(&source);
    return table;
}

/* Problems of a file that is meant for another machine are that machine's. */
static void forget(struct shunt_problems *problems, size_t count)
{
    while (problems->count > count)
        free(problems->text[--problems->count]);
}

static struct shunt_table *parse_file(const char *path, const char *host, bool *other, struct shunt_problems *problems)
{
    struct shunt_source source;
    size_t before = problems->count;
    shunt_source_file(&source, path, problems);
    struct shunt_table *table = source.broken && source.file_count == 0 ? NULL : parse(&source, path, host, other, before, problems);
    if (*other)
        forget(problems, before);
    shunt_source_clear(&source);
    return table;
}

struct shunt_table *shunt_parse_file(const char *path, struct shunt_problems *problems)
{
    bool other = false;
    return parse_file(path, NULL, &other, problems);
}

static int is_config(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".cfg") == 0;
}

/* strcmp, not the locale's order: every host must choose the same file. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Tries the files of one folder in order. True when the search ends here: with a table, or with a file that cannot be read. */
static bool search_folder(const char *folder, const char *host, struct shunt_table **table, struct shunt_problems *problems)
{
    struct dirent **entries = NULL;
    size_t before = problems->count;
    int count = folder != NULL ? scandir(folder, &entries, is_config, by_name) : 0;
    if (count < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
        shunt_problems_add(problems, "%s: cannot be searched: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        bool other = false;
        if (*table == NULL && problems->count == before && asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0)
            *table = parse_file(path, host, &other, problems);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return *table != NULL || problems->count > before;
}

struct shunt_table *shunt_parse_search(const struct shunt_parse_request *request, struct shunt_problems *problems)
{
    struct shunt_table *table = NULL;
    if (request->config != NULL)
        return shunt_parse_file(request->config, problems);
    if (request->host != NULL && (search_folder(request->user_dir, request->host, &table, problems) ||
                                  search_folder(request->system_dir, request->host, &table, problems)))
        return table;
    return shunt_parse_text(shunt_builtin_text, "built-in", problems);
}
