/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.c: what all levels of a decision file have in common: where something is, what it is, and
 * what is wrong with it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/tree.h"
#include "route/walk.h"
#include "route/words.h"

#define SCHEMA 1

void shunt_walk_where(const struct shunt_walk *walk, const config_setting_t *setting,
                      const char *what, char *where, size_t capacity)
{
    unsigned line = config_setting_source_line(setting);
    snprintf(where, capacity, "%s:%d%s%s", shunt_source_name(walk->source, line),
             shunt_source_number(walk->source, line), what[0] != '\0' ? ": " : "", what);
}

uint32_t shunt_walk_string(struct shunt_walk *walk, const char *text)
{
    char **grown = realloc(walk->strings, ((size_t)walk->string_count + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        walk->strings = grown;
    if (!grown || !copy) {
        free(copy);
        shunt_diagnostics_add(walk->diagnostics, "%s: out of memory",
                              shunt_source_name(walk->source, 1));
        return 0;
    }
    walk->strings[walk->string_count] = copy;
    return walk->string_count++;
}

void shunt_walk_clear(struct shunt_walk *walk)
{
    for (uint32_t i = 0; i < walk->string_count; i++)
        free(walk->strings[i]);
    free(walk->strings);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        free(walk->rules[op].rules);
        free(walk->rules[op].by_id);
    }
}

bool shunt_walk_known(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                      const char *const *names, size_t count)
{
    const char *name = config_setting_name(setting);
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    char where[SHUNT_WHERE_MAX], hint[128];
    shunt_walk_where(walk, setting, what, where, sizeof where);
    shunt_hint_print(name, names, count, hint, sizeof hint);
    shunt_diagnostics_add(walk->diagnostics, "%s: unknown key \"%s\"%s", where, name, hint);
    return false;
}

static const char *type_name(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return "a group { }";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return "a number";
    case CONFIG_TYPE_FLOAT:
        return "a floating-point number";
    case CONFIG_TYPE_STRING:
        return "a string";
    case CONFIG_TYPE_BOOL:
        return "a truth value";
    case CONFIG_TYPE_ARRAY:
        return "an array [ ]";
    case CONFIG_TYPE_LIST:
        return "a list ( )";
    default:
        return "nothing";
    }
}

void shunt_walk_type(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                     const char *expected)
{
    char where[SHUNT_WHERE_MAX];
    const char *name = config_setting_name(setting);
    shunt_walk_where(walk, setting, what, where, sizeof where);
    shunt_diagnostics_add(walk->diagnostics, "%s: %s%sexpected %s, found %s", where,
                          name ? name : "", name ? ": " : "", expected, type_name(setting));
}

bool shunt_walk_number(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                       bool sizes, int64_t *number)
{
    char where[SHUNT_WHERE_MAX];
    const char *name = config_setting_name(setting);
    int type = config_setting_type(setting);
    shunt_walk_where(walk, setting, what, where, sizeof where);
    const char *colon = name ? ": " : "";
    if (!name) /* an element of a list: `what` names the list */
        name = "";
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        *number = config_setting_get_int64(setting);
        if (*number >= 0)
            return true;
        shunt_diagnostics_add(walk->diagnostics,
                              "%s%s%s: %" PRId64 " is negative (large numbers need quotes or an L)",
                              where, colon, name, *number);
        return false;
    }
    if (type != CONFIG_TYPE_STRING || !sizes) {
        shunt_walk_type(walk, what, setting, sizes ? "a size such as 4096 or \"4K\"" : "a number");
        return false;
    }
    const char *text = config_setting_get_string(setting);
    if (shunt_size_parse(text, number))
        return true;
    char hint[96];
    shunt_size_hint(text, hint, sizeof hint);
    shunt_diagnostics_add(walk->diagnostics,
                          "%s%s%s: \"%s\" is not a size such as 4096 or \"4K\"%s", where, colon,
                          name, text, hint);
    return false;
}

void shunt_walk_schema(struct shunt_walk *walk, const config_setting_t *root)
{
    const config_setting_t *schema = shunt_tree_member(root, "schema");
    char where[SHUNT_WHERE_MAX];
    int64_t number;
    if (!schema) {
        shunt_diagnostics_add(walk->diagnostics,
                              "%s:1: no \"schema\": add the line \"schema = %d;\"",
                              shunt_source_name(walk->source, 1), SCHEMA);
        return;
    }
    if (!shunt_walk_number(walk, "", schema, false, &number) || number == SCHEMA)
        return;
    shunt_walk_where(walk, schema, "", where, sizeof where);
    if (number > SCHEMA)
        shunt_diagnostics_add(
            walk->diagnostics,
            "%s: schema %" PRId64
            " is newer than this version of Shunt, which reads %d: use a newer Shunt",
            where, number, SCHEMA);
    else
        shunt_diagnostics_add(walk->diagnostics, "%s: schema %" PRId64 " does not exist: write %d",
                              where, number, SCHEMA);
}
