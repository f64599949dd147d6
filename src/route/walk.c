/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.c: the top level of a decision file, and what all levels share. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/walk.h"
#include "route/words.h"

#define SCHEMA 1

void shunt_walk_where(const struct shunt_walk *walk, const config_setting_t *setting, const char *what, char *where, size_t room)
{
    unsigned line = config_setting_source_line(setting);
    snprintf(where, room, "%s:%d%s%s", shunt_source_name(walk->source, line), shunt_source_number(walk->source, line),
             what[0] != '\0' ? ": " : "", what);
}

uint32_t shunt_walk_string(struct shunt_walk *walk, const char *text)
{
    char **grown = realloc(walk->strings, ((size_t)walk->string_count + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown != NULL)
        walk->strings = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        shunt_problems_add(walk->problems, "%s: out of memory", shunt_source_name(walk->source, 1));
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

bool shunt_walk_known(struct shunt_walk *walk, const char *what, const config_setting_t *setting, const char *const *names, size_t count)
{
    const char *name = config_setting_name(setting);
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    char where[SHUNT_WHERE_MAX], hint[128];
    shunt_walk_where(walk, setting, what, where, sizeof where);
    shunt_hint_print(name, names, count, hint, sizeof hint);
    shunt_problems_add(walk->problems, "%s: unknown key \"%s\"%s", where, name, hint);
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

void shunt_walk_type(struct shunt_walk *walk, const char *what, const config_setting_t *setting, const char *expected)
{
    char where[SHUNT_WHERE_MAX];
    const char *name = config_setting_name(setting);
    shunt_walk_where(walk, setting, what, where, sizeof where);
    shunt_problems_add(walk->problems, "%s: %s%sexpected %s, found %s", where, name != NULL ? name : "", name != NULL ? ": " : "", expected,
                       type_name(setting));
}

bool shunt_walk_number(struct shunt_walk *walk, const char *what, const config_setting_t *setting, bool sizes, int64_t *number)
{
    char where[SHUNT_WHERE_MAX];
    const char *name = config_setting_name(setting);
    int type = config_setting_type(setting);
    shunt_walk_where(walk, setting, what, where, sizeof where);
    const char *colon = name != NULL ? ": " : "";
    if (name == NULL) /* an element of a list: `what` names the list */
        name = "";
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        *number = config_setting_get_int64(setting);
        if (*number >= 0)
            return true;
        shunt_problems_add(walk->problems, "%s%s%s: %" PRId64 " is negative (large numbers need quotes or an L)", where, colon, name,
                           *number);
        return false;
    }
    if (type != CONFIG_TYPE_STRING || !sizes) {
        shunt_walk_type(walk, what, setting, sizes ? "a size such as 4096 or \"4K\"" : "a number");
        return false;
    }
    const char *text = config_setting_get_string(setting);
    if (shunt_size_parse(text, number))
        return true;
    shunt_problems_add(walk->problems, "%s%s%s: \"%s\" is not a size such as 4096 or \"4K\"", where, colon, name, text);
    return false;
}

static const config_setting_t *member(const config_setting_t *group, const char *name)
{
    /* libconfig 1.5 takes no const here and changes nothing. */
    return config_setting_get_member((config_setting_t *)(uintptr_t)group, name);
}

static const config_setting_t *element(const config_setting_t *group, int index)
{
    return config_setting_get_elem((config_setting_t *)(uintptr_t)group, (unsigned)index);
}

static void walk_schema(struct shunt_walk *walk, const config_setting_t *root)
{
    const config_setting_t *schema = member(root, "schema");
    char where[SHUNT_WHERE_MAX];
    int64_t number;
    if (schema == NULL) {
        shunt_problems_add(walk->problems, "%s:1: no \"schema\": add the line \"schema = %d;\"", shunt_source_name(walk->source, 1),
                           SCHEMA);
        return;
    }
    if (!shunt_walk_number(walk, "", schema, false, &number) || number == SCHEMA)
        return;
    shunt_walk_where(walk, schema, "", where, sizeof where);
    if (number > SCHEMA)
        shunt_problems_add(walk->problems, "%s: schema %" PRId64 " is newer than this version of Shunt, which reads %d: use a newer Shunt",
                           where, number, SCHEMA);
    else
        shunt_problems_add(walk->problems, "%s: schema %" PRId64 " does not exist: write %d", where, number, SCHEMA);
}

static void walk_machine(struct shunt_walk *walk, const config_setting_t *machine)
{
    static const char *const keys[] = {"name", "hosts"};
    if (!config_setting_is_group(machine)) {
        shunt_walk_type(walk, "", machine, "a group { }");
        return;
    }
    for (int i = 0; i < config_setting_length(machine); i++) {
        const config_setting_t *setting = element(machine, i);
        if (!shunt_walk_known(walk, "machine", setting, keys, sizeof keys / sizeof keys[0]))
            continue;
        if (strcmp(config_setting_name(setting), "hosts") == 0)
            shunt_hosts_check(walk, setting);
        else if (config_setting_type(setting) == CONFIG_TYPE_STRING)
            walk->machine = config_setting_get_string(setting);
        else
            shunt_walk_type(walk, "machine", setting, "a string");
    }
}

static void walk_policy(struct shunt_walk *walk, const config_setting_t *policy)
{
    static const char *const keys[] = {"warmup", "max_communicators", "memory"};
    int64_t *const values[] = {&walk->policy.warmup, &walk->policy.max_communicators, &walk->policy.memory};
    if (!config_setting_is_group(policy)) {
        shunt_walk_type(walk, "", policy, "a group { }");
        return;
    }
    for (int i = 0; i < config_setting_length(policy); i++) {
        const config_setting_t *setting = element(policy, i);
        if (!shunt_walk_known(walk, "policy", setting, keys, sizeof keys / sizeof keys[0]))
            continue;
        for (size_t key = 0; key < sizeof keys / sizeof keys[0]; key++)
            if (strcmp(config_setting_name(setting), keys[key]) == 0)
                shunt_walk_number(walk, "policy", setting, key == 2, values[key]);
    }
}

static void walk_rules(struct shunt_walk *walk, enum shunt_op op, const config_setting_t *list)
{
    if (!config_setting_is_list(list)) {
        shunt_walk_type(walk, "", list, "a list ( ) of rules");
        return;
    }
    int count = config_setting_length(list);
    struct shunt_rules *rules = &walk->rules[op];
    rules->rules = calloc((size_t)count + 1, sizeof *rules->rules);
    for (rules->id_room = 2; rules->id_room < 2 * (size_t)count;)
        rules->id_room *= 2;
    rules->by_id = calloc(rules->id_room, sizeof *rules->by_id);
    if (rules->rules == NULL || rules->by_id == NULL) {
        shunt_problems_add(walk->problems, "%s: out of memory", shunt_source_name(walk->source, 1));
        return;
    }
    for (int i = 0; i < count; i++)
        shunt_walk_rule(walk, op, (uint32_t)i + 1, element(list, i));
}

void shunt_walk_root(struct shunt_walk *walk, const config_setting_t *root)
{
    static const char *const keys[] = {"schema", "machine", "policy", "alltoall", "alltoallv"};
    walk->policy = shunt_policy_default();
    walk->machine = "";
    shunt_walk_string(walk, "");
    walk_schema(walk, root);
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *setting = element(root, i);
        enum shunt_op op;
        if (!shunt_walk_known(walk, "", setting, keys, sizeof keys / sizeof keys[0]))
            continue;
        if (strcmp(config_setting_name(setting), "machine") == 0)
            walk_machine(walk, setting);
        else if (strcmp(config_setting_name(setting), "policy") == 0)
            walk_policy(walk, setting);
        else if (shunt_op_parse(config_setting_name(setting), &op))
            walk_rules(walk, op, setting);
    }
}
