/* SPDX-License-Identifier: BSD-3-Clause */
/* force.c: SHUNT_FORCE as a table of one rule per operation named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/settings.h"
#include "route/words.h"

#define FORCE_FORM "OPERATION=ALGORITHM[:PARAMETER=VALUE]..."

struct force {
    struct shunt_diagnostics *diagnostics;
    struct shunt_rule rules[SHUNT_OP_COUNT];
    bool named[SHUNT_OP_COUNT];
};

static bool find_param(const char *where, const char *name, enum shunt_param *param,
                       struct shunt_diagnostics *diagnostics)
{
    const char *names[SHUNT_PARAM_COUNT];
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        names[i] = shunt_param_name((enum shunt_param)i);
        if (strcmp(names[i], name) == 0) {
            *param = (enum shunt_param)i;
            return true;
        }
    }
    char hint[128];
    shunt_hint_print(name, names, SHUNT_PARAM_COUNT, hint, sizeof hint);
    shunt_diagnostics_add(diagnostics, "%s: unknown parameter \"%s\"%s", where, name, hint);
    return false;
}

/* One "radix=4" or "radix=4x2". Modifies `text`. */
static void read_param(struct force *force, const char *where,
                       const struct shunt_algorithm *algorithm, struct shunt_rule *rule, char *text)
{
    char *equals = strchr(text, '=');
    enum shunt_param param;
    struct shunt_value values[SHUNT_RADIX_MOST];
    if (!equals) {
        shunt_diagnostics_add(force->diagnostics, "%s: \"%s\" is not PARAMETER=VALUE", where, text);
        return;
    }
    *equals = '\0';
    if (!find_param(where, text, &param, force->diagnostics))
        return;
    int count = 1;
    if (shunt_param_word(param, 0)) {
        if (!shunt_word_parse(where, param, equals + 1, values, force->diagnostics))
            return;
    } else if (shunt_param_is_size(param)) {
        *values = (struct shunt_value){.formula = SHUNT_FORMULA_NUMBER};
        if (!shunt_size_parse(equals + 1, &values->number)) {
            char hint[96];
            shunt_size_hint(equals + 1, hint, sizeof hint);
            shunt_diagnostics_add(force->diagnostics,
                                  "%s: %s: \"%s\" is not a size such as 4096 or 4K%s", where, text,
                                  equals + 1, hint);
            return;
        }
    } else if ((count = shunt_values_parse(equals + 1, values)) == 0) {
        shunt_diagnostics_add(force->diagnostics,
                              "%s: %s: \"%s\" is not a number, P, Q, N, sqrt(P) or sqrt(Q)", where,
                              text, equals + 1);
        return;
    }
    if ((rule->present & (1U << param)) != 0) {
        shunt_diagnostics_add(force->diagnostics, "%s: %s is given twice", where, text);
        return;
    }
    shunt_param_give(where, rule, algorithm, param, values, count, force->diagnostics);
}

static bool find_op(const char *name, enum shunt_op *op, struct shunt_diagnostics *diagnostics)
{
    if (shunt_op_parse(name, op))
        return true;
    const char *names[SHUNT_OP_COUNT];
    char hint[128];
    for (int i = 0; i < SHUNT_OP_COUNT; i++)
        names[i] = shunt_op_name((enum shunt_op)i);
    shunt_hint_print(name, names, SHUNT_OP_COUNT, hint, sizeof hint);
    shunt_diagnostics_add(diagnostics, "SHUNT_FORCE: unknown operation \"%s\"%s", name, hint);
    return false;
}

/* Whether an entry begins with an algorithm; says what to write. */
static bool lacks_operation(const struct force *force, const char *text)
{
    char name[64], operations[96] = "";
    const size_t length = strcspn(text, ":=");
    if (length >= sizeof name || text[length] == '=')
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const struct shunt_algorithm *algorithm = shunt_registry_find(name);
    if (!algorithm)
        return false;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const size_t end = strlen(operations);
        if (algorithm->ops & (1U << op))
            snprintf(operations + end, sizeof operations - end, "%s%s=", end ? " or " : "",
                     shunt_op_name((enum shunt_op)op));
    }
    shunt_diagnostics_add(force->diagnostics,
                          "SHUNT_FORCE: \"%s\" does not say for which operation: put %s before it",
                          text, operations);
    return true;
}

/* One "alltoall=bruck:radix=4". Modifies `text`. */
static void read_entry(struct force *force, char *text)
{
    if (lacks_operation(force, text))
        return;
    char *equals = strchr(text, '=');
    enum shunt_op op;
    if (!equals || equals == text || equals[1] == '\0') {
        shunt_diagnostics_add(force->diagnostics, "SHUNT_FORCE: \"%s\" is not " FORCE_FORM, text);
        return;
    }
    *equals = '\0';
    if (!find_op(text, &op, force->diagnostics))
        return;
    if (force->named[op]) {
        shunt_diagnostics_add(force->diagnostics, "SHUNT_FORCE: %s is named twice", text);
        return;
    }
    force->named[op] = true;
    char *save = NULL;
    char *name = strtok_r(equals + 1, ":", &save);
    char where[64];
    snprintf(where, sizeof where, "SHUNT_FORCE: %s", shunt_op_name(op));
    const struct shunt_algorithm *algorithm =
        shunt_algorithm_check(where, op, name ? name : "", force->diagnostics);
    if (!algorithm)
        return;
    const struct shunt_range any = {0, INT64_MAX};
    struct shunt_rule *rule = &force->rules[op];
    *rule = (struct shunt_rule){.id = 1,
                                .ranks = any,
                                .nodes = any,
                                .ppn = any,
                                .block = any,
                                .density = any,
                                .memory = INT64_MAX};
    rule->algorithm = shunt_registry_index(algorithm);
    for (char *param = strtok_r(NULL, ":", &save); param; param = strtok_r(NULL, ":", &save))
        read_param(force, where, algorithm, rule, param);
}

struct shunt_table *shunt_table_from_force(const char *text, struct shunt_diagnostics *diagnostics)
{
    static const char *const strings[] = {"", "SHUNT_FORCE"};
    struct force force = {.diagnostics = diagnostics};
    size_t before = diagnostics->count;
    char *copy = strdup(text);
    if (!copy) {
        shunt_diagnostics_add(diagnostics, "SHUNT_FORCE: out of memory");
        return NULL;
    }
    char *save = NULL;
    for (char *entry = strtok_r(copy, ",", &save); entry; entry = strtok_r(NULL, ",", &save))
        read_entry(&force, entry);
    free(copy);
    const struct shunt_rule *rules[SHUNT_OP_COUNT];
    uint32_t counts[SHUNT_OP_COUNT], total = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        rules[op] = &force.rules[op];
        counts[op] = force.named[op] ? 1 : 0;
        total += counts[op];
    }
    if (total == 0 && diagnostics->count == before)
        shunt_diagnostics_add(diagnostics, "SHUNT_FORCE: \"%s\" is not " FORCE_FORM, text);
    if (diagnostics->count != before)
        return NULL;
    struct shunt_policy policy = shunt_policy_default();
    struct shunt_table *table =
        shunt_table_make(&policy, "", NULL, "SHUNT_FORCE", rules, counts, strings, 2);
    if (!table)
        shunt_diagnostics_add(diagnostics, "SHUNT_FORCE: out of memory");
    return table;
}
