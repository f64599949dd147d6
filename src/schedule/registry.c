/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/registry.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/size.h"
#include "schedule/rows.h"

const char *shunt_op_name(enum shunt_op op)
{
    return op == SHUNT_OP_ALLTOALL ? "alltoall" : "alltoallv";
}

const char *shunt_param_name(enum shunt_param param)
{
    static const char *const names[SHUNT_PARAM_COUNT] = {[SHUNT_PARAM_RADIX] = "radix",
                                                         [SHUNT_PARAM_BATCH_SIZE] = "batch_size",
                                                         [SHUNT_PARAM_METADATA] = "metadata",
                                                         [SHUNT_PARAM_LEADERS] = "leaders",
                                                         [SHUNT_PARAM_FRAGMENT] = "fragment"};
    return names[param];
}

const char *const *shunt_param_words(enum shunt_param param, size_t *count)
{
    static const char *const metadata[] = {[SHUNT_METADATA_FUSED] = "fused", [SHUNT_METADATA_SEPARATE] = "separate"};
    *count = param == SHUNT_PARAM_METADATA ? sizeof metadata / sizeof metadata[0] : 0;
    return *count > 0 ? metadata : NULL;
}

const char *shunt_param_word(enum shunt_param param, int64_t value)
{
    size_t count;
    const char *const *words = shunt_param_words(param, &count);
    return value >= 0 && (uint64_t)value < count ? words[value] : NULL;
}

/* Square root of n >= 0, rounded up: as a radix it tells n ranks apart by two digits. */
static int64_t root(int64_t n)
{
    int64_t r = 0;
    while (r * r < n)
        r++;
    return r;
}

int64_t shunt_value_eval(struct shunt_value value, const struct shunt_layout *layout)
{
    const int64_t P = layout->ranks, N = layout->nodes, Q = layout->ppn_max;
    switch (value.formula) {
    case SHUNT_FORMULA_NUMBER:
        return value.number;
    case SHUNT_FORMULA_P:
        return P;
    case SHUNT_FORMULA_Q:
        return Q;
    case SHUNT_FORMULA_N:
        return N;
    case SHUNT_FORMULA_SQRT_P:
        return root(P);
    case SHUNT_FORMULA_SQRT_Q:
        return root(Q);
    case SHUNT_FORMULA_P_LESS_1:
        return P - 1;
    case SHUNT_FORMULA_N_LESS_1:
        return N - 1;
    case SHUNT_FORMULA_REMOTE:
        return (N - 1) * Q;
    case SHUNT_FORMULA_GIB:
        return INT64_C(1) << 30;
    }
    return 0;
}

bool shunt_kind_shares(enum shunt_kind kind)
{
    return kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_COLLECT || kind == SHUNT_KIND_READ;
}

bool shunt_kind_joins(enum shunt_kind kind)
{
    return kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_COLLECT;
}

bool shunt_kind_agrees(enum shunt_kind kind)
{
    return kind != SHUNT_KIND_NATIVE && kind != SHUNT_KIND_DIRECT;
}

bool shunt_registry_separate(const struct shunt_algorithm *algorithm, const struct shunt_params *params)
{
    return algorithm->in_slots || params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_SEPARATE;
}

int64_t shunt_registry_length(const struct shunt_algorithm *algorithm, int64_t block)
{
    const bool equal = algorithm->kind != SHUNT_KIND_FORWARD || algorithm->ops == 1u << SHUNT_OP_ALLTOALL;
    return equal ? 0 : shunt_length_bytes(block);
}

int64_t shunt_registry_kept(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout, const struct shunt_params *params,
                            int64_t memory)
{
    if (!algorithm->kept || shunt_registry_separate(algorithm, params))
        return -1;
    const int64_t blocks = algorithm->kept(layout, params);
    const int64_t block = blocks > 0 ? memory / blocks - SHUNT_LENGTH_FUSED : INT64_MAX;
    return block < -1 ? -1 : block;
}

const struct shunt_algorithm *shunt_registry_rows(size_t *count)
{
    *count = shunt_registry_table_count;
    return shunt_registry_table;
}

const struct shunt_algorithm *shunt_registry_find(const char *name)
{
    for (size_t i = 0; i < shunt_registry_table_count; i++)
        if (strcmp(shunt_registry_table[i].name, name) == 0 ||
            (shunt_registry_table[i].alias && strcmp(shunt_registry_table[i].alias, name) == 0))
            return &shunt_registry_table[i];
    return NULL;
}

int shunt_registry_index(const struct shunt_algorithm *algorithm)
{
    return (int)(algorithm - shunt_registry_table);
}

const struct shunt_algorithm *shunt_registry_row(int index)
{
    return index >= 0 && (size_t)index < shunt_registry_table_count ? &shunt_registry_table[index] : NULL;
}

struct shunt_radices shunt_params_radices(const struct shunt_params *params)
{
    struct shunt_radices radices = {.count = 0};
    while (radices.count < SHUNT_RADIX_MOST && params->value[shunt_radix_index(radices.count)] > 0) {
        radices.radix[radices.count] = params->value[shunt_radix_index(radices.count)];
        radices.count++;
    }
    return radices;
}

int shunt_param_print(const struct shunt_params *params, enum shunt_param param, char *text, size_t room)
{
    const char *word = shunt_param_word(param, params->value[param]);
    if (word)
        return snprintf(text, room, "%s", word);
    if (shunt_param_is_size(param))
        return shunt_size_print(params->value[param], text, room);
    int used = snprintf(text, room, "%" PRId64, params->value[param]);
    if (param != SHUNT_PARAM_RADIX)
        return used;
    const struct shunt_radices radices = shunt_params_radices(params);
    for (int i = 1; i < radices.count && used >= 0; i++) {
        const size_t at = (size_t)used < room ? (size_t)used : room;
        used += snprintf(text + at, room - at, "x%" PRId64, radices.radix[i]);
    }
    return used;
}

static int64_t clip(int64_t value, int64_t min, int64_t most)
{
    value = value > most ? most : value;
    return value < min ? min : value;
}

/* The radix of each digit. `most` ranks are to be told apart; `reach` of them are, by the digits so far. */
static void evaluate_list(struct shunt_params *params, int64_t min, int64_t most, unsigned present, const struct shunt_value *given,
                          const struct shunt_layout *layout)
{
    int used = 0;
    for (int64_t digit = 0, reach = 1; digit < SHUNT_RADIX_MOST && (reach < most || used == 0); digit++) {
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

struct shunt_params shunt_registry_params(const struct shunt_algorithm *algorithm, unsigned present, const struct shunt_value *given,
                                          const struct shunt_layout *layout)
{
    struct shunt_params params = {{0}};
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const struct shunt_param_spec *spec = &algorithm->params[i];
        if (!spec->used)
            continue;
        size_t words;
        shunt_param_words((enum shunt_param)i, &words);
        const int64_t most = words > 0 ? (int64_t)words - 1 : shunt_value_eval((struct shunt_value){spec->max, 0}, layout);
        if (spec->list && present >> SHUNT_PARAM_COUNT != 0)
            evaluate_list(&params, spec->min, most, present, given, layout);
        else
            params.value[i] = clip(shunt_value_eval(present & (1u << i) ? given[i] : spec->preset, layout), spec->min, most);
    }
    return params;
}

static int64_t fingerprint(void)
{
    size_t count;
    const struct shunt_algorithm *rows = shunt_registry_rows(&count);
    uint64_t hash = shunt_hash_value(SHUNT_HASH_EMPTY, count);
    for (size_t i = 0; i < count; i++) {
        hash = shunt_hash_text(hash, rows[i].name);
        hash = shunt_hash_value(shunt_hash_value(hash, (uint64_t)rows[i].kind), rows[i].ops);
        for (int p = 0; p < SHUNT_PARAM_COUNT; p++) {
            const struct shunt_param_spec *spec = &rows[i].params[p];
            hash = shunt_hash_value(shunt_hash_value(hash, spec->used), spec->list);
            hash = shunt_hash_value(shunt_hash_value(hash, (uint64_t)spec->min), (uint64_t)spec->max);
            hash = shunt_hash_value(shunt_hash_value(hash, (uint64_t)spec->preset.formula), (uint64_t)spec->preset.number);
        }
    }
    return (int64_t)(hash >> 2) + 1;
}

int64_t shunt_registry_fingerprint(void)
{
    static _Atomic int64_t known;
    if (atomic_load(&known) == 0)
        atomic_store(&known, fingerprint());
    return atomic_load(&known);
}
