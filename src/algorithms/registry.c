/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.c: finds the rows that list.h names, by name and by number. */
#include "algorithms/registry.h"

#include <stdatomic.h>
#include <string.h>

#include "algorithms/rows.h"
#include "base/hash.h"

static const struct shunt_algorithm *const rows[] = {
#define ALGORITHM(name) &shunt_algorithm_##name,
#include "algorithms/list.h"
#undef ALGORITHM
};
enum { COUNT = sizeof rows / sizeof rows[0] };

const struct shunt_algorithm *const *shunt_registry_rows(size_t *count)
{
    *count = COUNT;
    return rows;
}

const struct shunt_algorithm *shunt_registry_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(rows[i]->name, name) == 0 ||
            (rows[i]->alias && strcmp(rows[i]->alias, name) == 0))
            return rows[i];
    return NULL;
}

int shunt_registry_index(const struct shunt_algorithm *algorithm)
{
    int index = 0;
    while (rows[index] != algorithm)
        index++;
    return index;
}

const struct shunt_algorithm *shunt_registry_row(int index)
{
    return index >= 0 && index < (int)COUNT ? rows[index] : NULL;
}

static int64_t fingerprint(void)
{
    uint64_t hash = shunt_hash_value(SHUNT_HASH_EMPTY, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        hash = shunt_hash_text(hash, rows[i]->name);
        hash = shunt_hash_value(shunt_hash_value(hash, (uint64_t)rows[i]->kind), rows[i]->ops);
        for (int p = 0; p < SHUNT_PARAM_COUNT; p++) {
            const struct shunt_param_spec *spec = &rows[i]->params[p];
            hash = shunt_hash_value(shunt_hash_value(hash, spec->used), spec->list);
            hash =
                shunt_hash_value(shunt_hash_value(hash, (uint64_t)spec->min), (uint64_t)spec->max);
            hash = shunt_hash_value(shunt_hash_value(hash, (uint64_t)spec->preset.formula),
                                    (uint64_t)spec->preset.number);
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
