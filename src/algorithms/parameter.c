/* SPDX-License-Identifier: BSD-3-Clause */
/* parameter.c: names, words and text of parameters, and their values for a layout. */
#include "algorithms/parameter.h"

#include <inttypes.h>
#include <stdio.h>

#include "algorithms/algorithm.h"
#include "base/size.h"

const char *shunt_param_name(enum shunt_param param)
{
    static const char *const names[SHUNT_PARAM_COUNT] = {
        [SHUNT_PARAM_RADIX] = "radix",       [SHUNT_PARAM_BATCH_SIZE] = "batch_size",
        [SHUNT_PARAM_METADATA] = "metadata", [SHUNT_PARAM_LEADERS] = "leaders",
        [SHUNT_PARAM_FRAGMENT] = "fragment", [SHUNT_PARAM_PARTS] = "parts"};
    return names[param];
}

const char *const *shunt_param_words(enum shunt_param param, size_t *count)
{
    static const char *const metadata[] = {
        [SHUNT_METADATA_FUSED] = "fused", [SHUNT_METADATA_SEPARATE] = "separate"};
    *count = param == SHUNT_PARAM_METADATA ? sizeof metadata / sizeof metadata[0] : 0;
    return *count > 0 ? metadata : NULL;
}

const char *shunt_param_word(enum shunt_param param, int64_t value)
{
    size_t count;
    const char *const *words = shunt_param_words(param, &count);
    return value >= 0 && (uint64_t)value < count ? words[value] : NULL;
}

struct shunt_radices shunt_params_radices(const struct shunt_params *params)
{
    struct shunt_radices radices = {.count = 0};
    while (radices.count < SHUNT_RADIX_MOST &&
           params->value[shunt_radix_index(radices.count)] > 0) {
        radices.radix[radices.count] = params->value[shunt_radix_index(radices.count)];
        radices.count++;
    }
    return radices;
}

int shunt_param_print(const struct shunt_params *params, enum shunt_param param, char *text,
                      size_t capacity)
{
    const char *word = shunt_param_word(param, params->value[param]);
    if (word)
        return snprintf(text, capacity, "%s", word);
    if (shunt_param_is_size(param))
        return shunt_size_print(params->value[param], text, capacity);
    int used = snprintf(text, capacity, "%" PRId64, params->value[param]);
    if (param != SHUNT_PARAM_RADIX)
        return used;
    const struct shunt_radices radices = shunt_params_radices(params);
    for (int i = 1; i < radices.count && used >= 0; i++) {
        const size_t at = (size_t)used < capacity ? (size_t)used : capacity;
        used += snprintf(text + at, capacity - at, "x%" PRId64, radices.radix[i]);
    }
    return used;
}

static int64_t clip(int64_t value, int64_t min, int64_t most)
{
    value = value > most ? most : value;
    return value < min ? min : value;
}

/* The radix of each digit. `most` ranks are to be told apart; `reach` of them are, by the digits so
 * far. */
static void evaluate_list(struct shunt_params *params, int64_t min, int64_t most, unsigned present,
                          const struct shunt_value *given, const struct shunt_layout *layout)
{
    int used = 0;
    for (int64_t digit = 0, reach = 1; digit < SHUNT_RADIX_MOST && (reach < most || used == 0);
         digit++) {
        const int index = shunt_radix_index((int)digit);
        const int64_t value = present & (1u << index) ? shunt_value_eval(given[index], layout) : 0;
        if (value < 2)
            continue;
        const int64_t radix = clip(value, min, (most + reach - 1) / reach);
        params->value[shunt_radix_index(used++)] = radix;
        reach *= radix;
    }
    if (used == 0)
        params->value[SHUNT_PARAM_RADIX] = min;
}

struct shunt_params shunt_params_evaluate(const struct shunt_algorithm *algorithm, unsigned present,
                                          const struct shunt_value *given,
                                          const struct shunt_layout *layout)
{
    struct shunt_params params = {{0}};
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const struct shunt_param_spec *spec = &algorithm->params[i];
        if (!spec->used)
            continue;
        size_t words;
        shunt_param_words((enum shunt_param)i, &words);
        const int64_t most = words > 0
                                 ? (int64_t)words - 1
                                 : shunt_value_eval((struct shunt_value){spec->max, 0}, layout);
        if (spec->list && present >> SHUNT_PARAM_COUNT != 0)
            evaluate_list(&params, spec->min, most, present, given, layout);
        else
            params.value[i] =
                clip(shunt_value_eval(present & (1u << i) ? given[i] : spec->preset, layout),
                     spec->min, most);
    }
    return params;
}
