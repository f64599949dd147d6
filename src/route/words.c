/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c: spellings of sizes, ranges, values and names. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "route/settings.h"
#include "route/words.h"

static const char *number_read(const char *text, bool sizes, int64_t *number)
{
    return sizes ? shunt_size_read(text, number) : shunt_number_read(text, number);
}

bool shunt_size_parse(const char *text, int64_t *bytes)
{
    int64_t number;
    const char *end = shunt_size_read(shunt_blank_skip(text), &number);
    if (!end || *shunt_blank_skip(end) != '\0')
        return false;
    *bytes = number;
    return true;
}

bool shunt_range_parse(const char *text, bool sizes, struct shunt_range *range)
{
    struct shunt_range read = {0, INT64_MAX};
    const char *at = shunt_blank_skip(text);
    const bool low = *at != '-';
    if (low) {
        at = number_read(at, sizes, &read.low);
        if (!at)
            return false;
        at = shunt_blank_skip(at);
        if (*at == '\0') {
            *range = (struct shunt_range){read.low, read.low};
            return true;
        }
    }
    if (*at != '-')
        return false;
    at = shunt_blank_skip(at + 1);
    if (*at != '\0') {
        at = number_read(at, sizes, &read.high);
        if (!at || *shunt_blank_skip(at) != '\0')
            return false;
    } else if (!low) {
        return false;
    }
    *range = read;
    return true;
}

void shunt_range_print(struct shunt_range range, char *text, size_t capacity)
{
    if (range.low == 0 && range.high == INT64_MAX)
        snprintf(text, capacity, "any");
    else if (range.high == INT64_MAX)
        snprintf(text, capacity, "%" PRId64 "-", range.low);
    else if (range.low == range.high)
        snprintf(text, capacity, "%" PRId64, range.low);
    else
        snprintf(text, capacity, "%" PRId64 "-%" PRId64, range.low, range.high);
}

void shunt_range_spell(struct shunt_range range, char *text, size_t capacity)
{
    char low[32] = "", high[32] = "";
    if (range.low > 0 || range.high < INT64_MAX)
        shunt_size_print(range.low, low, sizeof low);
    if (range.high < INT64_MAX && range.high != range.low)
        shunt_size_print(range.high, high, sizeof high);
    snprintf(text, capacity, "%s%s%s", low[0] != '\0' ? low : "any",
             low[0] != '\0' && range.high != range.low ? "-" : "", high);
}

/* In the order of enum shunt_formula; a bound is not a value that users write. */
static const struct {
    const char *text;
    bool bound;
} formulas[] = {
    [SHUNT_FORMULA_NUMBER] = {"", true},
    [SHUNT_FORMULA_P] = {"P", false},
    [SHUNT_FORMULA_Q] = {"Q", false},
    [SHUNT_FORMULA_N] = {"N", false},
    [SHUNT_FORMULA_SQRT_P] = {"sqrt(P)", false},
    [SHUNT_FORMULA_SQRT_Q] = {"sqrt(Q)", false},
    [SHUNT_FORMULA_P_LESS_1] = {"P-1", true},
    [SHUNT_FORMULA_N_LESS_1] = {"N-1", true},
    [SHUNT_FORMULA_REMOTE] = {"(N-1)*Q", true},
    [SHUNT_FORMULA_GIB] = {"1G", true},
};
#define FORMULA_COUNT (sizeof formulas / sizeof formulas[0])

bool shunt_value_parse(const char *text, struct shunt_value *value)
{
    int64_t number;
    const char *end = shunt_number_read(text, &number);
    if (end && *end == '\0') {
        *value = (struct shunt_value){.formula = SHUNT_FORMULA_NUMBER, .number = number};
        return true;
    }
    for (size_t i = 0; i < FORMULA_COUNT; i++) {
        if (!formulas[i].bound && strcmp(text, formulas[i].text) == 0) {
            *value = (struct shunt_value){.formula = (enum shunt_formula)i};
            return true;
        }
    }
    return false;
}

int shunt_values_parse(const char *text, struct shunt_value *values)
{
    int count = 0;
    for (const char *at = text; count < SHUNT_RADIX_MOST; count++) {
        char one[32];
        const size_t length = strcspn(at, "x");
        if (length >= sizeof one)
            return 0;
        memcpy(one, at, length);
        one[length] = '\0';
        if (!shunt_value_parse(one, &values[count]))
            return 0;
        if (at[length] == '\0')
            return count + 1;
        at += length + 1;
    }
    return 0;
}

void shunt_value_print(struct shunt_value value, char *text, size_t capacity)
{
    if (value.formula == SHUNT_FORMULA_NUMBER || (size_t)value.formula >= FORMULA_COUNT)
        snprintf(text, capacity, "%" PRId64, value.number);
    else
        snprintf(text, capacity, "%s", formulas[value.formula].text);
}

void shunt_words_print(enum shunt_param param, char *text, size_t capacity)
{
    size_t count, used = 0;
    const char *const *words = shunt_param_words(param, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s\"%s\"",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 words[i]);
}

bool shunt_word_parse(const char *where, enum shunt_param param, const char *text,
                      struct shunt_value *value, struct shunt_diagnostics *diagnostics)
{
    size_t count;
    char valid[128], hint[128];
    const char *const *words = shunt_param_words(param, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = (struct shunt_value){.formula = SHUNT_FORMULA_NUMBER, .number = (int64_t)i};
            return true;
        }
    }
    shunt_words_print(param, valid, sizeof valid);
    shunt_hint_print(text, words, count, hint, sizeof hint);
    shunt_diagnostics_add(diagnostics, "%s: %s: \"%s\" is not %s%s", where, shunt_param_name(param),
                          text, valid, hint);
    return false;
}

void shunt_params_print(const struct shunt_algorithm *algorithm, const struct shunt_params *params,
                        char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        if (!algorithm->params[i].used || used >= capacity)
            continue;
        char value[128];
        shunt_param_print(params, (enum shunt_param)i, value, sizeof value);
        int wrote = snprintf(text + used, capacity - used, "%s%s=%s", used > 0 ? " " : "",
                             shunt_param_name((enum shunt_param)i), value);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

void shunt_hint_print(const char *word, const char *const *names, size_t count, char *text,
                      size_t capacity)
{
    const char *near = shunt_nearest(word, names, count);
    text[0] = '\0';
    if (near)
        snprintf(text, capacity, " (did you mean \"%s\"?)", near);
}

bool shunt_op_parse(const char *name, enum shunt_op *op)
{
    for (int i = 0; i < SHUNT_OP_COUNT; i++) {
        if (strcmp(name, shunt_op_name((enum shunt_op)i)) == 0) {
            *op = (enum shunt_op)i;
            return true;
        }
    }
    return false;
}

/* Only names that serve the operation are worth suggesting. */
static void hint_algorithm(const char *name, enum shunt_op op, char *text, size_t capacity)
{
    size_t count, used = 0;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    const char **names = malloc(count * sizeof *names);
    text[0] = '\0';
    if (!names)
        return;
    for (size_t i = 0; i < count; i++)
        if ((rows[i]->ops & (1U << op)) != 0)
            names[used++] = rows[i]->name;
    shunt_hint_print(name, names, used, text, capacity);
    free(names);
}

const struct shunt_algorithm *shunt_algorithm_check(const char *where, enum shunt_op op,
                                                    const char *name,
                                                    struct shunt_diagnostics *diagnostics)
{
    const struct shunt_algorithm *algorithm = shunt_registry_find(name);
    if (!algorithm) {
        char hint[128];
        hint_algorithm(name, op, hint, sizeof hint);
        shunt_diagnostics_add(diagnostics, "%s: unknown algorithm \"%s\"%s", where, name,
                              hint[0] != '\0' ? hint : " (\"shunt algorithms\" lists them)");
        return NULL;
    }
    if ((algorithm->ops & (1U << op)) == 0) {
        shunt_diagnostics_add(diagnostics, "%s: algorithm \"%s\" does not serve %s", where, name,
                              shunt_op_name(op));
        return NULL;
    }
    return algorithm;
}

static bool takes(const char *where, const struct shunt_algorithm *algorithm,
                  enum shunt_param param, const struct shunt_value *values, int count,
                  struct shunt_diagnostics *diagnostics)
{
    const struct shunt_param_spec *spec = &algorithm->params[param];
    if (!spec->used) {
        shunt_diagnostics_add(diagnostics, "%s: algorithm \"%s\" takes no %s", where,
                              algorithm->name, shunt_param_name(param));
        return false;
    }
    if (count > 1 && !spec->list) {
        shunt_diagnostics_add(diagnostics, "%s: %s takes one value, not %d", where,
                              shunt_param_name(param), count);
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (values[i].formula == SHUNT_FORMULA_NUMBER && values[i].number < spec->min) {
            shunt_diagnostics_add(diagnostics,
                                  "%s: %s %" PRId64 " is too small, the least is %" PRId64, where,
                                  shunt_param_name(param), values[i].number, spec->min);
            return false;
        }
    }
    return true;
}

void shunt_param_give(const char *where, struct shunt_rule *rule,
                      const struct shunt_algorithm *algorithm, enum shunt_param param,
                      const struct shunt_value *values, int count,
                      struct shunt_diagnostics *diagnostics)
{
    if (!takes(where, algorithm, param, values, count, diagnostics))
        return;
    for (int i = 0; i < count; i++) {
        const int index = i == 0 ? (int)param : shunt_radix_index(i);
        rule->present |= 1U << index;
        rule->given[index] = values[i];
    }
}
