/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: a decision table as one piece of memory. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "route/machine_keys.h"
#include "route/table.h"

struct shunt_policy shunt_policy_default(void)
{
    return (struct shunt_policy){.warmup = -1,
                                 .max_communicators = 16,
                                 .memory = INT64_C(256) << 20,
                                 .no_match = SHUNT_NO_MATCH_NATIVE,
                                 .learn = SHUNT_LEARNING_SUGGEST,
                                 .guard = 1,
                                 .adapt = 1,
                                 .margin = 3,
                                 .objective = {[SHUNT_OBJECTIVE_TIME] = 1}};
}

const char *shunt_learning_name(enum shunt_learning learning)
{
    static const char *const names[SHUNT_LEARNING_COUNT] = {"off", "suggest", "on"};
    return names[learning];
}

/* FNV-1a over everything after the field itself, with a final mix, because neighbouring tables
 * differ in a digit or two. */
static uint64_t fingerprint_of(const struct shunt_table *table)
{
    size_t first = offsetof(struct shunt_table, fingerprint) + sizeof table->fingerprint;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = first; i < table->bytes; i++) {
        hash ^= ((const unsigned char *)table)[i];
        hash *= UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

static size_t strings_begin(uint32_t rules)
{
    return offsetof(struct shunt_table, rules) + (size_t)rules * sizeof(struct shunt_rule);
}

/* Field by field: the bytes between fields must stay 0, or equal tables would differ in their
 * fingerprints. */
static void copy_rule(struct shunt_rule *to, const struct shunt_rule *from, const uint32_t *offsets)
{
    to->id = offsets[from->id];
    to->file = offsets[from->file];
    to->line = from->line;
    to->algorithm = from->algorithm;
    to->ranks = from->ranks;
    to->nodes = from->nodes;
    to->ppn = from->ppn;
    to->block = from->block;
    to->density = from->density;
    to->memory = from->memory;
    to->calls = from->calls;
    to->native_us = from->native_us;
    to->expected = from->expected;
    to->measured = from->measured;
    to->oversubscribed = from->oversubscribed;
    to->present = from->present;
    for (int i = 0; i < SHUNT_VALUE_COUNT; i++) {
        if ((from->present & (1U << i)) != 0) {
            to->given[i].formula = from->given[i].formula;
            to->given[i].number = from->given[i].number;
        }
    }
}

/* Appends a string and returns its offset. */
static uint32_t put_string(struct shunt_table *table, size_t *used, const char *text)
{
    size_t at = *used, length = strlen(text) + 1;
    memcpy((char *)table + at, text, length);
    *used += length;
    return (uint32_t)at;
}

struct shunt_table *shunt_table_make(const struct shunt_policy *policy, const char *machine,
                                     const struct shunt_machine *model, const char *source,
                                     const struct shunt_rule *const rules[SHUNT_OP_COUNT],
                                     const uint32_t rule_count[SHUNT_OP_COUNT],
                                     const char *const *strings, uint32_t string_count)
{
    uint32_t total = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        total += rule_count[op];
    size_t bytes = strings_begin(total) + strlen(machine) + 1 + strlen(source) + 1;
    for (uint32_t i = 0; i < string_count; i++)
        bytes += strlen(strings[i]) + 1;
    if (bytes > UINT32_MAX)
        return NULL;
    uint32_t *offsets = malloc(((size_t)string_count + 1) * sizeof *offsets);
    struct shunt_table *table = calloc(1, bytes);
    if (!offsets || !table) {
        free(offsets);
        free(table);
        return NULL;
    }
    size_t used = strings_begin(total);
    for (uint32_t i = 0; i < string_count; i++)
        offsets[i] = put_string(table, &used, strings[i]);
    table->bytes = bytes;
    table->format = SHUNT_TABLE_FORMAT;
    table->machine = put_string(table, &used, machine);
    table->source = put_string(table, &used, source);
    table->policy = *policy;
    table->modelled = model != NULL;
    if (model)
        shunt_machine_copy(&table->model, model);
    uint32_t next = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        table->rule_first[op] = next;
        table->rule_count[op] = rule_count[op];
        for (uint32_t i = 0; i < rule_count[op]; i++)
            copy_rule(&table->rules[next++], &rules[op][i], offsets);
    }
    free(offsets);
    table->fingerprint = fingerprint_of(table);
    return table;
}

static bool range_valid(struct shunt_range range)
{
    return range.low >= 0 && range.low <= range.high;
}

static bool rule_valid(const struct shunt_rule *rule, size_t strings, size_t bytes)
{
    if (rule->id < strings || rule->id >= bytes || rule->file < strings || rule->file >= bytes ||
        rule->line < 0)
        return false;
    if (!shunt_registry_row(rule->algorithm) || rule->memory < 0 || rule->calls < 0 ||
        rule->present >> SHUNT_VALUE_COUNT != 0 || rule->expected > 1 || rule->measured > 1 ||
        rule->oversubscribed >= SHUNT_CROWD_COUNT)
        return false;
    for (int i = 0; i < SHUNT_VALUE_COUNT; i++) {
        if ((unsigned)rule->given[i].formula > SHUNT_FORMULA_SQRT_Q || rule->given[i].number < 0)
            return false;
    }
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const enum shunt_param param = (enum shunt_param)i;
        if (shunt_param_word(param, 0) && (rule->given[i].formula != SHUNT_FORMULA_NUMBER ||
                                           !shunt_param_word(param, rule->given[i].number)))
            return false;
    }
    return range_valid(rule->ranks) && range_valid(rule->nodes) && range_valid(rule->ppn) &&
           range_valid(rule->block) && range_valid(rule->density);
}

/* Without one the bytes are those of calloc, which equal tables have in common. */
static bool model_valid(const struct shunt_table *table)
{
    const struct shunt_machine *model = &table->model;
    const char *key;
    if (table->modelled == 0)
        return true;
    return table->modelled == 1 && model->name[sizeof model->name - 1] == '\0' &&
           model->library[sizeof model->library - 1] == '\0' && shunt_machine_words_known(model) &&
           !shunt_machine_wrong(model, &key);
}

/* A number that is none, or not finite, is refused as well. */
static bool policy_valid(const struct shunt_policy *policy)
{
    double sum = 0;
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++) {
        if (!(policy->objective[i] >= 0 && policy->objective[i] <= DBL_MAX))
            return false;
        sum += policy->objective[i];
    }
    return policy->warmup >= -1 && policy->max_communicators >= 0 && policy->memory >= 0 &&
           (policy->no_match == SHUNT_NO_MATCH_NATIVE ||
            policy->no_match == SHUNT_NO_MATCH_MODEL) &&
           policy->learn >= 0 && policy->learn < SHUNT_LEARNING_COUNT && policy->margin >= 1 &&
           policy->margin <= DBL_MAX && sum > 0 && sum <= DBL_MAX;
}

bool shunt_table_chooses(const struct shunt_table *table, enum shunt_op op)
{
    return table->policy.no_match == SHUNT_NO_MATCH_MODEL && table->modelled &&
           op == SHUNT_OP_ALLTOALL;
}

bool shunt_table_valid(const struct shunt_table *table, size_t bytes)
{
    if (bytes < sizeof *table + 1 || table->bytes != bytes || bytes > UINT32_MAX ||
        table->format != SHUNT_TABLE_FORMAT)
        return false;
    uint64_t total = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (table->rule_first[op] != total)
            return false;
        total += table->rule_count[op];
    }
    if (total > bytes / sizeof(struct shunt_rule))
        return false;
    size_t strings = strings_begin((uint32_t)total);
    /* The last byte ends the last string, so every offset into the strings is the start of a
     * terminated one. */
    if (strings >= bytes || ((const char *)table)[bytes - 1] != '\0')
        return false;
    if (table->machine < strings || table->machine >= bytes || table->source < strings ||
        table->source >= bytes)
        return false;
    if (!policy_valid(&table->policy) || !model_valid(table))
        return false;
    for (uint32_t i = 0; i < total; i++)
        if (!rule_valid(&table->rules[i], strings, bytes))
            return false;
    return table->fingerprint == fingerprint_of(table);
}
