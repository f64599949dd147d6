/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_cache.c: plans by algorithm and parameters. A communicator has few, so a list will do. */
#include "execute/plan_cache.h"

#include <string.h>

struct shunt_plan_key shunt_plan_key(const struct shunt_decision *decision, int64_t cap)
{
    return (struct shunt_plan_key){.algorithm = decision->algorithm,
                                   .params = decision->params,
                                   .cap = decision->algorithm->kept ? cap : 0};
}

static bool equal(const struct shunt_plan_key *a, const struct shunt_plan_key *b)
{
    return a->algorithm == b->algorithm && a->cap == b->cap &&
           memcmp(&a->params, &b->params, sizeof a->params) == 0;
}

struct shunt_plan_entry *shunt_plan_cache_find(const struct shunt_plan_cache *cache,
                                               const struct shunt_plan_key *key)
{
    struct shunt_plan_entry *entry = cache->first;
    while (entry && !equal(&entry->key, key))
        entry = entry->next;
    return entry;
}

void shunt_plan_cache_add(struct shunt_plan_cache *cache, struct shunt_plan_entry *entry)
{
    entry->next = cache->first;
    cache->first = entry;
}

void shunt_plan_cache_note(struct shunt_plan_cache *cache, enum shunt_op op,
                           const struct shunt_decision *decision, struct shunt_plan_entry *entry)
{
    cache->last[op].decision = decision;
    cache->last[op].entry = entry;
}
