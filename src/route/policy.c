/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.c: the group `policy` of a decision file. */
#include "route/policy.h"

#include <string.h>

#include "route/decimal.h"
#include "route/settings.h"
#include "route/tree.h"
#include "route/words.h"

/* More says nothing more: no prediction is as high. */
#define MARGIN_MOST 1e12

static void report(struct shunt_walk *walk, const config_setting_t *setting, const char *what,
                   const char *problem)
{
    char where[SHUNT_WHERE_MAX];
    shunt_walk_where(walk, setting, what, where, sizeof where);
    shunt_diagnostics_add(walk->diagnostics, "%s: %s: %s", where, config_setting_name(setting),
                          problem);
}

/* A number with or without a fraction, within bounds; in 15 digits, so that it reads back as it is
 * written. */
static void read_fraction(struct shunt_walk *walk, const char *what,
                          const config_setting_t *setting, double least, double *number)
{
    const int type = config_setting_type(setting);
    char text[64], problem[128];
    double value = 0;
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        value = (double)config_setting_get_int64(setting);
    } else if (type == CONFIG_TYPE_FLOAT) {
        value = config_setting_get_float(setting);
    } else {
        shunt_walk_type(walk, what, setting, "a number such as 3 or 2.5");
        return;
    }
    if (value >= least && value <= MARGIN_MOST) {
        *number = shunt_decimal_scale(value, 0);
        return;
    }
    shunt_decimal_print(least, 0, text, sizeof text);
    snprintf(problem, sizeof problem, "must be %s at least, and at most 1e12", text);
    report(walk, setting, what, problem);
}

/* The place of a word among `words`; -1 with a problem added. */
static int read_choice(struct shunt_walk *walk, const config_setting_t *setting, const char *form,
                       const char *const *words, size_t count)
{
    char where[SHUNT_WHERE_MAX], hint[128];
    if (config_setting_type(setting) != CONFIG_TYPE_STRING) {
        shunt_walk_type(walk, "policy", setting, form);
        return -1;
    }
    const char *text = config_setting_get_string(setting);
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return (int)i;
    shunt_walk_where(walk, setting, "policy", where, sizeof where);
    shunt_hint_print(text, words, count, hint, sizeof hint);
    shunt_diagnostics_add(walk->diagnostics, "%s: %s: \"%s\" is not %s%s", where,
                          config_setting_name(setting), text, form, hint);
    return -1;
}

static void read_no_match(struct shunt_walk *walk, const config_setting_t *setting)
{
    static const char *const words[] = {"native", "model"};
    const int choice = read_choice(walk, setting, "\"native\" or \"model\"", words, 2);
    if (choice >= 0)
        walk->policy.no_match = choice;
    walk->no_match = setting;
}

static void read_learn(struct shunt_walk *walk, const config_setting_t *setting)
{
    const char *words[SHUNT_LEARNING_COUNT];
    for (int i = 0; i < SHUNT_LEARNING_COUNT; i++)
        words[i] = shunt_learning_name((enum shunt_learning)i);
    const int choice =
        read_choice(walk, setting, "\"off\", \"suggest\" or \"on\"", words, SHUNT_LEARNING_COUNT);
    if (choice >= 0)
        walk->policy.learn = choice;
}

static void read_weights(struct shunt_walk *walk, const config_setting_t *group,
                         const char *const *names)
{
    double *objective = walk->policy.objective, sum = 0;
    const size_t problems = walk->diagnostics->count;
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        objective[i] = 0;
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *setting = shunt_tree_element(group, i);
        if (!shunt_walk_known(walk, "policy.objective", setting, names, SHUNT_OBJECTIVE_COUNT))
            continue;
        for (int o = 0; o < SHUNT_OBJECTIVE_COUNT; o++)
            if (strcmp(config_setting_name(setting), names[o]) == 0)
                read_fraction(walk, "policy.objective", setting, 0, &objective[o]);
    }
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        sum += objective[i];
    /* A weight that could not be read counts as 0 here, which was told already. */
    if (!(sum > 0) && walk->diagnostics->count == problems)
        report(walk, group, "policy", "all weights are 0: give one of them a number above");
}

static void read_objective(struct shunt_walk *walk, const config_setting_t *setting)
{
    const char *names[SHUNT_OBJECTIVE_COUNT];
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++)
        names[i] = shunt_objective_name((enum shunt_objective)i);
    if (config_setting_is_group(setting)) {
        read_weights(walk, setting, names);
        return;
    }
    const int choice = read_choice(walk, setting,
                                   "\"time\", \"energy\", \"memory\" or a group of weights such as "
                                   "{ time = 1; memory = 0.5; }",
                                   names, SHUNT_OBJECTIVE_COUNT);
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT && choice >= 0; i++)
        walk->policy.objective[i] = i == choice;
}

static void read_flag(struct shunt_walk *walk, const config_setting_t *setting, int64_t *flag)
{
    if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
        *flag = config_setting_get_bool(setting) != 0;
    else
        shunt_walk_type(walk, "policy", setting, "true or false");
}

static void read_setting(struct shunt_walk *walk, const config_setting_t *setting)
{
    struct shunt_policy *policy = &walk->policy;
    const char *name = config_setting_name(setting);
    if (strcmp(name, "warmup") == 0)
        shunt_walk_number(walk, "policy", setting, false, &policy->warmup);
    else if (strcmp(name, "max_communicators") == 0)
        shunt_walk_number(walk, "policy", setting, false, &policy->max_communicators);
    else if (strcmp(name, "memory") == 0)
        shunt_walk_number(walk, "policy", setting, true, &policy->memory);
    else if (strcmp(name, "no_match") == 0)
        read_no_match(walk, setting);
    else if (strcmp(name, "learn") == 0)
        read_learn(walk, setting);
    else if (strcmp(name, "guard") == 0)
        read_flag(walk, setting, &policy->guard);
    else if (strcmp(name, "adapt") == 0)
        read_flag(walk, setting, &policy->adapt);
    else if (strcmp(name, "margin") == 0)
        read_fraction(walk, "policy", setting, 1, &policy->margin);
    else
        read_objective(walk, setting);
}

void shunt_policy_read(struct shunt_walk *walk, const config_setting_t *policy)
{
    static const char *const keys[] = {"warmup", "max_communicators", "memory", "no_match",
                                       "margin", "objective",         "learn",  "guard",
                                       "adapt"};
    if (!config_setting_is_group(policy)) {
        shunt_walk_type(walk, "", policy, "a group { }");
        return;
    }
    for (int i = 0; i < config_setting_length(policy); i++) {
        const config_setting_t *setting = shunt_tree_element(policy, i);
        if (shunt_walk_known(walk, "policy", setting, keys, sizeof keys / sizeof keys[0]))
            read_setting(walk, setting);
    }
}
