/* SPDX-License-Identifier: BSD-3-Clause */
/* parse.c: from a decision file to a table. */
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#include "route/file.h"
#include "route/hosts.h"
#include "route/parse.h"
#include "route/root.h"
#include "route/scan.h"
#include "route/tree.h"

static struct shunt_table *assemble(const struct shunt_walk *walk, const char *name)
{
    const struct shunt_rule *rules[SHUNT_OP_COUNT];
    uint32_t counts[SHUNT_OP_COUNT];
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        rules[op] = walk->rules[op].rules;
        counts[op] = walk->rules[op].count;
    }
    struct shunt_table *table =
        shunt_table_make(&walk->policy, walk->machine, walk->modelled ? &walk->model : NULL, name,
                         rules, counts, (const char *const *)walk->strings, walk->string_count);
    if (!table)
        shunt_diagnostics_add(walk->diagnostics, "%s: out of memory", name);
    return table;
}

/* Whether the rules were measured on hosts of this kind with the library that is asked for. */
static bool is_measured(const struct shunt_walk *walk, const config_setting_t *root,
                        const struct shunt_parse_request *request)
{
    return request && request->library && request->host &&
           strcmp(walk->measured, request->library) == 0 && shunt_hosts_match(root, request->host);
}

static struct shunt_table *walk_tree(const config_t *config, const struct shunt_source *source,
                                     const char *name, const struct shunt_parse_request *request,
                                     size_t before, struct shunt_diagnostics *diagnostics)
{
    struct shunt_table *table = NULL;
    struct shunt_walk walk = {.source = source,
                              .diagnostics = diagnostics,
                              .findings = request ? request->findings : NULL};
    const config_setting_t *root = config_root_setting(config);
    shunt_root_read(&walk, root);
    const bool measured = is_measured(&walk, root, request);
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        for (uint32_t i = 0; i < walk.rules[op].count; i++)
            walk.rules[op].rules[i].measured = measured;
    if (diagnostics->count == before)
        table = assemble(&walk, name);
    shunt_walk_clear(&walk);
    return table;
}

struct shunt_table *shunt_parse_text(const char *text, const char *name,
                                     struct shunt_diagnostics *diagnostics)
{
    struct shunt_source source;
    struct shunt_table *table = NULL;
    config_t config;
    const size_t before = diagnostics->count;
    const bool began = shunt_diagnostics_begin(diagnostics, name);
    shunt_scan_text(&source, text, name, diagnostics);
    if (shunt_tree_read(&config, &source, name, before, diagnostics))
        table = walk_tree(&config, &source, name, NULL, before, diagnostics);
    shunt_diagnostics_end(diagnostics, began);
    config_destroy(&config);
    shunt_source_clear(&source);
    return table;
}

/* Whether a file that cannot be parsed seems to be meant for `host` all the same: by what was read
 * before the mistake, or by its text. */
static bool seems_ours(const struct shunt_source *source, const char *path, const char *host)
{
    struct shunt_diagnostics ignored = {0};
    if (source->text && shunt_hosts_named(source->text, host))
        return true;
    char *text = shunt_source_load(path, path, &ignored);
    const bool ours = text && shunt_hosts_named(text, host);
    free(text);
    shunt_diagnostics_clear(&ignored);
    return ours;
}

struct shunt_table *shunt_parse_one(const char *path, const char *host, struct shunt_parsed *parsed,
                                    const struct shunt_parse_request *request,
                                    struct shunt_diagnostics *diagnostics)
{
    struct shunt_source source;
    struct shunt_table *table = NULL;
    config_t config;
    const size_t before = diagnostics->count;
    parsed->hosts[0] = '\0';
    char *full = shunt_parse_name(path);
    const char *name = full ? full : path;
    const bool began = shunt_diagnostics_begin(diagnostics, name);
    shunt_scan_file(&source, path, name, diagnostics);
    if (shunt_tree_read(&config, &source, name, before, diagnostics)) {
        const config_setting_t *root = config_root_setting(&config);
        parsed->any_hosts = shunt_hosts_any(root);
        shunt_hosts_print(root, host, parsed->hosts, sizeof parsed->hosts);
        parsed->state =
            !host || shunt_hosts_match(root, host) ? SHUNT_PARSED_OURS : SHUNT_PARSED_OTHER;
        if (parsed->state == SHUNT_PARSED_OURS)
            table = walk_tree(&config, &source, name, request, before, diagnostics);
    } else {
        parsed->any_hosts = true; /* or not: nobody knows */
        parsed->state =
            host && seems_ours(&source, path, host) ? SHUNT_PARSED_OURS : SHUNT_PARSED_NOT;
    }
    shunt_diagnostics_end(diagnostics, began);
    parsed->unreadable = source.unreadable;
    config_destroy(&config);
    shunt_source_clear(&source);
    free(full);
    return table;
}

bool shunt_parse_hosts(const char *path, struct shunt_parse_hosts *hosts)
{
    struct shunt_diagnostics ignored = {0};
    struct shunt_source source;
    config_t config;
    *hosts = (struct shunt_parse_hosts){0};
    shunt_scan_file(&source, path, path, &ignored);
    const bool read = shunt_tree_read(&config, &source, path, 0, &ignored) &&
                      shunt_hosts_copy(config_root_setting(&config), hosts);
    config_destroy(&config);
    shunt_source_clear(&source);
    shunt_diagnostics_clear(&ignored);
    return read;
}

void shunt_parse_hosts_clear(struct shunt_parse_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        free(hosts->patterns[i]);
    free(hosts->patterns);
    *hosts = (struct shunt_parse_hosts){0};
}

struct shunt_table *shunt_parse_file(const char *path, struct shunt_diagnostics *diagnostics)
{
    struct shunt_parsed parsed;
    return shunt_parse_one(path, NULL, &parsed, NULL, diagnostics);
}
