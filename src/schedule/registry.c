/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/registry.h"

#include <string.h>

#include "schedule/rows.h"

const char *shunt_op_name(enum shunt_op op)
{
    return op == SHUNT_OP_ALLTOALL ? "alltoall" : "alltoallv";
}

const char *shunt_param_name(enum shunt_param param)
{
    static const char *const names[SHUNT_PARAM_COUNT] = {
        [SHUNT_PARAM_RADIX] = "radix", [SHUNT_PARAM_BATCH_SIZE] = "batch_size", [SHUNT_PARAM_LEADERS] = "leaders"};
    return names[param];
}

/* Nearest integer to the square root of n >= 0. */
static int64_t root(int64_t n)
{
    int64_t r = 0;
    while (r * r + r < n) /* (r + 1/2)^2 = r^2 + r + 1/4 */
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
    }
    return 0;
}

bool shunt_kind_shares(enum shunt_kind kind)
{
    return kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_READ;
}

bool shunt_kind_agrees(enum shunt_kind kind)
{
    return kind != SHUNT_KIND_NATIVE && kind != SHUNT_KIND_DIRECT;
}

const struct shunt_algorithm *shunt_registry_rows(size_t *count)
{
    *count = shunt_registry_table_count;
    return shunt_registry_table;
}

const struct shunt_algorithm *shunt_registry_find(const char *name)
{
    for (size_t i = 0; i < shunt_registry_table_count; i++)
        if (strcmp(shunt_registry_table[i].name, name) == 0)
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

struct shunt_params shunt_registry_params(const struct shunt_algorithm *algorithm, unsigned present, const struct shunt_value *given,
                                          const struct shunt_layout *layout)
{
    struct shunt_params params = {{0}};
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        const struct shunt_param_spec *spec = &algorithm->params[i];
        if (!spec->used)
            continue;
        const int64_t most = shunt_value_eval((struct shunt_value){spec->max, 0}, layout);
        int64_t value = shunt_value_eval(present & (1u << i) ? given[i] : spec->preset, layout);
        value = value > most ? most : value;
        params.value[i] = value < spec->min ? spec->min : value;
    }
    return params;
}
