/* SPDX-License-Identifier: BSD-3-Clause */
/* rule.c: one rule of a decision file. */
#include "route/rule.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "route/words.h"

/* A rule while it is read. */
struct reading {
    struct shunt_walk *walk;
    enum shunt_op op;
    const config_setting_t *setting;
    struct shunt_rule rule;
    char what[160]; /* `alltoallv rule "middle"` */
};

static const config_setting_t *member(const struct reading *reading, const char *name)
{
    return config_setting_get_member((config_setting_t *)(uintptr_t)reading->setting, name);
}

static void where(const struct reading *reading, const config_setting_t *setting, char *text,
                  size_t capacity)
{
    shunt_walk_where(reading->walk, setting, reading->what, text, capacity);
}

/* Remembers that the rule being read has this id, unless an earlier one has it: that one is the
 * answer, NULL otherwise. */
static const struct shunt_rule *note_id(const struct reading *reading, const char *id)
{
    const struct shunt_rules *rules = &reading->walk->rules[reading->op];
    size_t at = shunt_hash_text(SHUNT_HASH_EMPTY, id) & (rules->id_capacity - 1);
    for (; rules->by_id[at] != 0; at = (at + 1) & (rules->id_capacity - 1)) {
        const struct shunt_rule *rule = &rules->rules[rules->by_id[at] - 1];
        if (strcmp(reading->walk->strings[rule->id], id) == 0)
            return rule;
    }
    rules->by_id[at] = rules->count + 1;
    return NULL;
}

/* The id names the rule in every message and record, so it comes first, and it must not break a
 * line. */
static void read_id(struct reading *reading, uint32_t number)
{
    const config_setting_t *id = member(reading, "id");
    const char *op = shunt_op_name(reading->op);
    snprintf(reading->what, sizeof reading->what, "%s rule %" PRIu32, op, number);
    if (!id)
        return;
    if (config_setting_type(id) != CONFIG_TYPE_STRING) {
        shunt_walk_type(reading->walk, reading->what, id, "a string");
        return;
    }
    const char *text = config_setting_get_string(id);
    char at[SHUNT_WHERE_MAX];
    where(reading, id, at, sizeof at);
    for (const char *c = text; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            shunt_diagnostics_add(reading->walk->diagnostics, "%s: id holds a control character",
                                  at);
            return;
        }
    }
    if (text[0] == '\0')
        return;
    const struct shunt_rule *same = note_id(reading, text);
    if (same)
        shunt_diagnostics_add(reading->walk->diagnostics,
                              "%s: id \"%s\" is already used in line %d", at, text, same->line);
    reading->rule.id = shunt_walk_string(reading->walk, text);
    snprintf(reading->what, sizeof reading->what, "%s rule \"%s\"", op, text);
}

/* Rules of one file follow each other, so the last rule's string nearly always serves. */
static void read_origin(struct reading *reading)
{
    struct shunt_walk *walk = reading->walk;
    unsigned line = config_setting_source_line(reading->setting);
    const char *name = shunt_source_name(walk->source, line);
    const struct shunt_rules *rules = &walk->rules[reading->op];
    reading->rule.line = shunt_source_number(walk->source, line);
    if (rules->count > 0 && strcmp(walk->strings[rules->rules[rules->count - 1].file], name) == 0)
        reading->rule.file = rules->rules[rules->count - 1].file;
    else
        reading->rule.file = shunt_walk_string(walk, name);
}

static const char *range_form(bool sizes)
{
    return sizes ? "a size or a range such as \"513-8K\", \"8K-\" or \"-512\""
                 : "a number or a range such as \"8-64\", \"8-\" or \"-64\"";
}

static void report_range(const struct reading *reading, const char *at, const char *key,
                         const char *text, bool sizes)
{
    char hint[96];
    shunt_range_hint(text, sizes, hint, sizeof hint);
    shunt_diagnostics_add(reading->walk->diagnostics, "%s: %s: \"%s\" is not %s%s", at, key, text,
                          range_form(sizes), hint);
}

static void read_range(struct reading *reading, const char *key, bool sizes,
                       struct shunt_range *range)
{
    const config_setting_t *setting = member(reading, key);
    *range = (struct shunt_range){0, INT64_MAX};
    if (!setting)
        return;
    char at[SHUNT_WHERE_MAX];
    int type = config_setting_type(setting);
    where(reading, setting, at, sizeof at);
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        int64_t number = config_setting_get_int64(setting);
        if (number < 0)
            shunt_diagnostics_add(reading->walk->diagnostics,
                                  "%s: %s: %" PRId64 " is negative (\"up to %" PRId64
                                  "\" is \"%" PRId64
                                  "\" in quotes; large numbers need quotes or an L)",
                                  at, key, number, -(number + (number == INT64_MIN)), number);
        else
            *range = (struct shunt_range){number, number};
        return;
    }
    if (type != CONFIG_TYPE_STRING) {
        shunt_walk_type(reading->walk, reading->what, setting, range_form(sizes));
        return;
    }
    const char *text = config_setting_get_string(setting);
    struct shunt_range read;
    if (!shunt_range_parse(text, sizes, &read))
        report_range(reading, at, key, text, sizes);
    else if (read.low > read.high)
        shunt_diagnostics_add(reading->walk->diagnostics,
                              "%s: %s: \"%s\" is empty: its lower end is above its upper end", at,
                              key, text);
    else
        *range = read;
}

/* Of an MPI_Alltoall every block is as full as every other: a condition would say nothing. */
static void read_density(struct reading *reading)
{
    const config_setting_t *setting = member(reading, "density");
    char at[SHUNT_WHERE_MAX];
    read_range(reading, "density", false, &reading->rule.density);
    if (!setting)
        return;
    where(reading, setting, at, sizeof at);
    if (reading->op == SHUNT_OP_ALLTOALL)
        shunt_diagnostics_add(reading->walk->diagnostics,
                              "%s: density: only rules of alltoallv test it: all blocks of an "
                              "MPI_Alltoall have one size (take it out)",
                              at);
    else if (reading->rule.density.low > SHUNT_DENSITY_FULL ||
             (reading->rule.density.high > SHUNT_DENSITY_FULL &&
              reading->rule.density.high < INT64_MAX))
        shunt_diagnostics_add(reading->walk->diagnostics,
                              "%s: density: percent of the blocks that are not empty: 0 to %d", at,
                              SHUNT_DENSITY_FULL);
}

static void read_memory(struct reading *reading)
{
    const config_setting_t *setting = member(reading, "memory");
    reading->rule.memory = INT64_MAX;
    if (setting)
        shunt_walk_number(reading->walk, reading->what, setting, true, &reading->rule.memory);
}

static void read_calls(struct reading *reading)
{
    const config_setting_t *setting = member(reading, "calls");
    if (setting)
        shunt_walk_number(reading->walk, reading->what, setting, false, &reading->rule.calls);
}

/* A truth value. False: there is none, or another value, which is reported. */
static bool read_flag(const struct reading *reading, const char *key, bool *value)
{
    const config_setting_t *setting = member(reading, key);
    if (setting && config_setting_type(setting) != CONFIG_TYPE_BOOL) {
        shunt_walk_type(reading->walk, reading->what, setting, "true or false");
        return false;
    }
    *value = setting && config_setting_get_bool(setting) != 0;
    return setting != NULL;
}

static void read_oversubscribed(struct reading *reading)
{
    bool yes;
    if (read_flag(reading, "oversubscribed", &yes))
        reading->rule.oversubscribed = yes ? SHUNT_CROWD_YES : SHUNT_CROWD_NO;
}

/* What goes with the calls of a rule that a program wrote. */
static void read_evidence(struct reading *reading)
{
    const config_setting_t *native = member(reading, "native_us");
    int64_t number = 0;
    bool expected;
    if (native)
        shunt_walk_number(reading->walk, reading->what, native, false, &number);
    reading->rule.native_us = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    if (read_flag(reading, "expected", &expected))
        reading->rule.expected = expected;
}

static const struct shunt_algorithm *read_algorithm(struct reading *reading)
{
    const config_setting_t *setting = member(reading, "algorithm");
    char at[SHUNT_WHERE_MAX];
    if (!setting) {
        where(reading, reading->setting, at, sizeof at);
        shunt_diagnostics_add(reading->walk->diagnostics, "%s: no \"algorithm\"", at);
        return NULL;
    }
    if (config_setting_type(setting) != CONFIG_TYPE_STRING) {
        shunt_walk_type(reading->walk, reading->what, setting, "a string");
        return NULL;
    }
    where(reading, setting, at, sizeof at);
    const struct shunt_algorithm *algorithm = shunt_algorithm_check(
        at, reading->op, config_setting_get_string(setting), reading->walk->diagnostics);
    if (algorithm)
        reading->rule.algorithm = shunt_registry_index(algorithm);
    return algorithm;
}

/* The value of a parameter that is chosen from words; false with a problem added. */
static bool read_word(const struct reading *reading, const config_setting_t *setting,
                      enum shunt_param param, struct shunt_value *value)
{
    char at[SHUNT_WHERE_MAX], words[128];
    if (config_setting_type(setting) == CONFIG_TYPE_STRING) {
        where(reading, setting, at, sizeof at);
        return shunt_word_parse(at, param, config_setting_get_string(setting), value,
                                reading->walk->diagnostics);
    }
    shunt_words_print(param, words, sizeof words);
    shunt_walk_type(reading->walk, reading->what, setting, words);
    return false;
}

/* One value of a parameter that is a number. `what` names it, for an element of a list; false with
 * a problem added. */
static bool read_value(const struct reading *reading, const char *what,
                       const config_setting_t *setting, struct shunt_value *value)
{
    int type = config_setting_type(setting);
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        *value = (struct shunt_value){.formula = SHUNT_FORMULA_NUMBER};
        return shunt_walk_number(reading->walk, what, setting, false, &value->number);
    }
    if (type != CONFIG_TYPE_STRING) {
        shunt_walk_type(reading->walk, what, setting,
                        "a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\"");
        return false;
    }
    const char *text = config_setting_get_string(setting);
    if (shunt_value_parse(text, value))
        return true;
    char at[SHUNT_WHERE_MAX];
    const char *name = config_setting_name(setting);
    shunt_walk_where(reading->walk, setting, what, at, sizeof at);
    shunt_diagnostics_add(
        reading->walk->diagnostics,
        "%s%s%s: \"%s\" is not a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\"", at,
        name ? ": " : "", name ? name : "", text);
    return false;
}

/* An array or a list of values. Returns how many, 0 with a problem added. */
static int read_list(const struct reading *reading, const config_setting_t *setting,
                     struct shunt_value *values)
{
    char what[sizeof reading->what + 32], at[SHUNT_WHERE_MAX];
    const int count = config_setting_length(setting);
    snprintf(what, sizeof what, "%s: %s", reading->what, config_setting_name(setting));
    if (count < 1 || count > SHUNT_RADIX_MOST) {
        shunt_walk_where(reading->walk, setting, what, at, sizeof at);
        shunt_diagnostics_add(reading->walk->diagnostics,
                              "%s: a list has 1 to %d values, this one %d", at, SHUNT_RADIX_MOST,
                              count);
        return 0;
    }
    for (int i = 0; i < count; i++)
        if (!read_value(
                reading, what,
                config_setting_get_elem((config_setting_t *)(uintptr_t)setting, (unsigned)i),
                &values[i]))
            return 0;
    return count;
}

/* The values of a parameter: one, a list, or both as in SHUNT_FORCE. Returns how many, 0 with a
 * problem added. */
static int read_values(const struct reading *reading, const config_setting_t *setting,
                       enum shunt_param param, struct shunt_value *values)
{
    if (shunt_param_word(param, 0))
        return read_word(reading, setting, param, values);
    if (shunt_param_is_size(param)) {
        *values = (struct shunt_value){.formula = SHUNT_FORMULA_NUMBER};
        return shunt_walk_number(reading->walk, reading->what, setting, true, &values->number);
    }
    const int type = config_setting_type(setting);
    if (type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST)
        return read_list(reading, setting, values);
    const int count = type == CONFIG_TYPE_STRING
                          ? shunt_values_parse(config_setting_get_string(setting), values)
                          : 0;
    return count > 0 ? count : read_value(reading, reading->what, setting, values);
}

static void read_params(struct reading *reading, const struct shunt_algorithm *algorithm)
{
    char at[SHUNT_WHERE_MAX];
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        enum shunt_param param = (enum shunt_param)i;
        const config_setting_t *setting = member(reading, shunt_param_name(param));
        struct shunt_value values[SHUNT_RADIX_MOST];
        const int count = setting ? read_values(reading, setting, param, values) : 0;
        if (count == 0 || !algorithm)
            continue;
        where(reading, setting, at, sizeof at);
        shunt_param_give(at, &reading->rule, algorithm, param, values, count,
                         reading->walk->diagnostics);
    }
}

static void check_keys(struct reading *reading)
{
    static const char *const fixed[] = {"id",    "ranks",     "nodes",    "ppn",
                                        "block", "density",   "memory",   "algorithm",
                                        "calls", "native_us", "expected", "oversubscribed"};
    enum { FIXED = sizeof fixed / sizeof fixed[0] };
    const char *keys[FIXED + SHUNT_PARAM_COUNT];
    memcpy(keys, fixed, sizeof fixed);
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++)
        keys[FIXED + i] = shunt_param_name((enum shunt_param)i);
    for (int i = 0; i < config_setting_length(reading->setting); i++)
        shunt_walk_known(
            reading->walk, reading->what,
            config_setting_get_elem((config_setting_t *)(uintptr_t)reading->setting, (unsigned)i),
            keys, FIXED + SHUNT_PARAM_COUNT);
}

void shunt_walk_rule(struct shunt_walk *walk, enum shunt_op op, uint32_t number,
                     const config_setting_t *setting)
{
    struct reading reading = {.walk = walk, .op = op, .setting = setting};
    if (!config_setting_is_group(setting)) {
        snprintf(reading.what, sizeof reading.what, "%s rule %" PRIu32, shunt_op_name(op), number);
        shunt_walk_type(walk, reading.what, setting, "a group { }");
        return;
    }
    read_id(&reading, number);
    read_origin(&reading);
    check_keys(&reading);
    read_range(&reading, "ranks", false, &reading.rule.ranks);
    read_range(&reading, "nodes", false, &reading.rule.nodes);
    read_range(&reading, "ppn", false, &reading.rule.ppn);
    read_range(&reading, "block", true, &reading.rule.block);
    read_density(&reading);
    read_oversubscribed(&reading);
    read_memory(&reading);
    read_calls(&reading);
    read_evidence(&reading);
    read_params(&reading, read_algorithm(&reading));
    walk->rules[op].rules[walk->rules[op].count++] = reading.rule;
}
