/* SPDX-License-Identifier: BSD-3-Clause */
/* root.c: the top level of a decision file. */
#include "route/root.h"

#include <stdlib.h>
#include <string.h>

#include "route/hosts.h"
#include "route/machine.h"
#include "route/machine_group.h"
#include "route/policy.h"
#include "route/rule.h"
#include "route/settings.h"
#include "route/tree.h"
#include "route/words.h"

/* The description in the file `name` stands for; names are sought beside the file that has them. */
static void walk_model_named(struct shunt_walk *walk, const config_setting_t *setting)
{
    const unsigned line = config_setting_source_line(setting);
    const char *file = shunt_source_name(walk->source, line), *slash = strrchr(file, '/');
    char where[SHUNT_WHERE_MAX], *path = NULL;
    shunt_walk_where(walk, setting, "machine.model", where, sizeof where);
    char *folder = slash ? strndup(file, slash > file ? (size_t)(slash - file) : 1) : NULL;
    if (!slash)
        shunt_diagnostics_add(walk->diagnostics,
                              "%s: a text without a folder cannot name a machine description",
                              where);
    else if (folder)
        path = shunt_machine_path(config_setting_get_string(setting), folder, where,
                                  walk->diagnostics);
    else
        shunt_diagnostics_add(walk->diagnostics, "%s: out of memory", where);
    walk->modelled = path && shunt_machine_read(&walk->model, path, walk->diagnostics);
    free(folder);
    free(path);
}

/* What a short message takes from its sender to its receiver. */
static double short_message(const struct shunt_link *link)
{
    return link->latency + 2 * link->overhead;
}

/* What is valid but cannot be meant: with groups swapped every prediction is of another machine.
 * Where `shunt machine` fitted the numbers, ranks that wait for a processor are in them. */
static void find_swapped(const struct shunt_walk *walk, const config_setting_t *setting)
{
    const struct shunt_link *inside = &walk->model.link[SHUNT_LEVEL_INSIDE],
                            *between = &walk->model.link[SHUNT_LEVEL_BETWEEN];
    char where[SHUNT_WHERE_MAX];
    if (!walk->modelled || !walk->findings || walk->model.fitted ||
        short_message(inside) <= short_message(between))
        return;
    shunt_walk_where(walk, setting, "machine.model", where, sizeof where);
    shunt_diagnostics_add(walk->findings,
                          "%s: messages take longer inside a node than between nodes: are "
                          "\"inside\" and \"between\" swapped?",
                          where);
}

static void walk_model(struct shunt_walk *walk, const config_setting_t *setting)
{
    if (config_setting_type(setting) == CONFIG_TYPE_STRING)
        walk_model_named(walk, setting);
    else if (config_setting_is_group(setting))
        walk->modelled = shunt_machine_group_read(
            walk, setting, "machine.model", walk->machine[0] != '\0' ? walk->machine : "unnamed",
            &walk->model);
    else
        shunt_walk_type(walk, "machine", setting,
                        "a group { }, or the name of a machine description");
    find_swapped(walk, setting);
}

static void walk_machine(struct shunt_walk *walk, const config_setting_t *machine)
{
    static const char *const keys[] = {"name", "hosts", "measured", "model"};
    const config_setting_t *model = NULL;
    if (!config_setting_is_group(machine)) {
        shunt_walk_type(walk, "", machine, "a group { }");
        return;
    }
    for (int i = 0; i < config_setting_length(machine); i++) {
        const config_setting_t *setting = shunt_tree_element(machine, i);
        if (!shunt_walk_known(walk, "machine", setting, keys, sizeof keys / sizeof keys[0]))
            continue;
        if (strcmp(config_setting_name(setting), "hosts") == 0)
            shunt_hosts_check(walk, setting);
        else if (strcmp(config_setting_name(setting), "model") == 0)
            model = setting;
        else if (config_setting_type(setting) != CONFIG_TYPE_STRING)
            shunt_walk_type(walk, "machine", setting, "a string");
        else if (strcmp(config_setting_name(setting), "measured") == 0)
            walk->measured = config_setting_get_string(setting);
        else
            walk->machine = config_setting_get_string(setting);
    }
    walk->described = model != NULL;
    if (model) /* last: it may take its name from the machine */
        walk_model(walk, model);
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
    for (rules->id_capacity = 2; rules->id_capacity < 2 * (size_t)count;)
        rules->id_capacity *= 2;
    rules->by_id = calloc(rules->id_capacity, sizeof *rules->by_id);
    if (!rules->rules || !rules->by_id) {
        shunt_diagnostics_add(walk->diagnostics, "%s: out of memory",
                              shunt_source_name(walk->source, 1));
        return;
    }
    for (int i = 0; i < count; i++)
        shunt_walk_rule(walk, op, (uint32_t)i + 1, shunt_tree_element(list, i));
}

/* What is valid but cannot be meant: a model that chooses without knowing the machine. */
static void find_unmodelled(const struct shunt_walk *walk)
{
    char where[SHUNT_WHERE_MAX];
    if (!walk->no_match || walk->described || !walk->findings ||
        walk->policy.no_match != SHUNT_NO_MATCH_MODEL)
        return;
    shunt_walk_where(walk, walk->no_match, "policy", where, sizeof where);
    shunt_diagnostics_add(
        walk->findings,
        "%s: no_match is \"model\", but nothing describes the machine, so what no "
        "rule takes is native: add machine.model (\"shunt machine\" measures one)",
        where);
}

void shunt_root_read(struct shunt_walk *walk, const config_setting_t *root)
{
    static const char *const keys[] = {"schema", "machine", "policy", "alltoall", "alltoallv"};
    walk->policy = shunt_policy_default();
    walk->machine = walk->measured = "";
    shunt_walk_string(walk, "");
    shunt_walk_schema(walk, root);
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *setting = shunt_tree_element(root, i);
        enum shunt_op op;
        if (!shunt_walk_known(walk, "", setting, keys, sizeof keys / sizeof keys[0]))
            continue;
        if (strcmp(config_setting_name(setting), "machine") == 0)
            walk_machine(walk, setting);
        else if (strcmp(config_setting_name(setting), "policy") == 0)
            shunt_policy_read(walk, setting);
        else if (shunt_op_parse(config_setting_name(setting), &op))
            walk_rules(walk, op, setting);
    }
    find_unmodelled(walk);
}
