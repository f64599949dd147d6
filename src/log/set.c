/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c: a set of counters by name, for the summary. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "log/set.h"

static uint64_t key_hash(const struct shunt_log_key *key)
{
    uint64_t hash = SHUNT_HASH_EMPTY ^ (unsigned)key->line;
    for (int i = 0; i < SHUNT_LOG_FIELDS; i++)
        hash = shunt_hash_text(hash, key->field[i]);
    return hash;
}

bool shunt_log_key_equal(const struct shunt_log_key *a, const struct shunt_log_key *b)
{
    for (int i = 0; i < SHUNT_LOG_FIELDS; i++) {
        const char *x = a->field[i], *y = b->field[i];
        if (x != y && (!x || !y || strcmp(x, y) != 0))
            return false;
    }
    return a->line == b->line;
}

/* The slot of that key: its entry, or free. There is always a free one. */
static struct shunt_log_entry **find(const struct shunt_log_set *set,
                                     const struct shunt_log_key *key, uint64_t hash)
{
    for (size_t i = (size_t)hash;; i++) {
        struct shunt_log_entry **slot = &set->slots[i & (set->capacity - 1)];
        if (!*slot || ((*slot)->hash == hash && shunt_log_key_equal(&(*slot)->key, key)))
            return slot;
    }
}

static bool grow(struct shunt_log_set *set)
{
    struct shunt_log_set larger = {.capacity = set->capacity > 0 ? 2 * set->capacity : 32,
                                   .count = set->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            *find(&larger, &set->slots[i]->key, set->slots[i]->hash) = set->slots[i];
    free(set->slots);
    *set = larger;
    return true;
}

static struct shunt_log_entry *make_entry(const struct shunt_log_key *key, uint64_t hash)
{
    size_t bytes = 0;
    for (int i = 0; i < SHUNT_LOG_FIELDS; i++)
        bytes += key->field[i] ? strlen(key->field[i]) + 1 : 0;
    struct shunt_log_entry *entry = calloc(1, sizeof *entry + bytes);
    if (!entry)
        return NULL;
    char *at = (char *)(entry + 1);
    for (int i = 0; i < SHUNT_LOG_FIELDS; i++) {
        if (!key->field[i])
            continue;
        entry->key.field[i] = at;
        at = stpcpy(at, key->field[i]) + 1;
    }
    entry->key.line = key->line;
    entry->hash = hash;
    return entry;
}

struct shunt_log_entry *shunt_log_set_get(struct shunt_log_set *set,
                                          const struct shunt_log_key *key)
{
    const uint64_t hash = key_hash(key);
    if (set->capacity > 0) {
        struct shunt_log_entry *entry = *find(set, key, hash);
        if (entry)
            return entry;
    }
    if (set->count >= SHUNT_LOG_SET_MAX || (2 * set->count >= set->capacity && !grow(set)))
        return NULL;
    struct shunt_log_entry *entry = make_entry(key, hash);
    if (!entry)
        return NULL;
    *find(set, key, hash) = entry;
    set->count++;
    return entry;
}

void shunt_log_set_clear(struct shunt_log_set *set)
{
    for (size_t i = 0; i < set->capacity; i++)
        free(set->slots[i]);
    free(set->slots);
    *set = (struct shunt_log_set){0};
}
