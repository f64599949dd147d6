/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: a file with a machine description. */
#include "route/machine.h"

#include <libconfig.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/machine_group.h"
#include "route/parse.h"
#include "route/scan.h"
#include "route/tree.h"

/* "polaris-like" of "/usr/share/shunt/machines/polaris-like.cfg". */
static void stem(const char *name, char *text, size_t capacity)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const size_t length = strlen(base);
    const bool config = length > 4 && strcmp(base + length - 4, ".cfg") == 0;
    snprintf(text, capacity, "%.*s", (int)(config ? length - 4 : length), base);
}

static void read_root(struct shunt_walk *walk, const config_setting_t *root, const char *name,
                      struct shunt_machine *machine)
{
    static const char *const keys[] = {"schema", "model"};
    const config_setting_t *model = shunt_tree_member(root, "model");
    char preset[sizeof machine->name];
    shunt_walk_schema(walk, root);
    for (int i = 0; i < config_setting_length(root); i++)
        shunt_walk_known(walk, "", shunt_tree_element(root, i), keys, sizeof keys / sizeof keys[0]);
    stem(name, preset, sizeof preset);
    if (model)
        shunt_machine_group_read(walk, model, "model", preset, machine);
    else
        shunt_diagnostics_add(walk->diagnostics,
                              "%s:1: no \"model\": this is no machine description (\"shunt "
                              "machine\" makes one)",
                              shunt_source_name(walk->source, 1));
}

/* Takes the source over. */
static bool read_source(struct shunt_machine *machine, struct shunt_source *source,
                        const char *name, size_t before, struct shunt_diagnostics *diagnostics)
{
    struct shunt_walk walk = {.source = source, .diagnostics = diagnostics};
    config_t config;
    memset(machine, 0, sizeof *machine);
    if (shunt_tree_read(&config, source, name, before, diagnostics))
        read_root(&walk, config_root_setting(&config), name, machine);
    config_destroy(&config);
    shunt_source_clear(source);
    shunt_walk_clear(&walk);
    return diagnostics->count == before;
}

bool shunt_machine_read_text(struct shunt_machine *machine, const char *text, const char *name,
                             struct shunt_diagnostics *diagnostics)
{
    const size_t before = diagnostics->count;
    struct shunt_source source;
    const bool began = shunt_diagnostics_begin(diagnostics, name);
    shunt_scan_text(&source, text, name, diagnostics);
    const bool read = read_source(machine, &source, name, before, diagnostics);
    shunt_diagnostics_end(diagnostics, began);
    return read;
}

bool shunt_machine_read(struct shunt_machine *machine, const char *path,
                        struct shunt_diagnostics *diagnostics)
{
    const size_t before = diagnostics->count;
    char *full = shunt_parse_name(path);
    const char *name = full ? full : path;
    struct shunt_source source;
    const bool began = shunt_diagnostics_begin(diagnostics, name);
    shunt_scan_file(&source, path, name, diagnostics);
    const bool read = read_source(machine, &source, name, before, diagnostics);
    shunt_diagnostics_end(diagnostics, began);
    free(full);
    return read;
}

bool shunt_machine_find(struct shunt_machine *machine, const char *name,
                        struct shunt_diagnostics *diagnostics)
{
    char *path = shunt_machine_path(name, NULL, NULL, diagnostics);
    const bool found = path && shunt_machine_read(machine, path, diagnostics);
    free(path);
    return found;
}

bool shunt_machine_readable(const char *name)
{
    struct shunt_diagnostics ignored = {0};
    char *path = shunt_machine_path(name, NULL, NULL, &ignored);
    const bool readable = path && access(path, R_OK) == 0;
    shunt_diagnostics_clear(&ignored);
    free(path);
    return readable;
}
