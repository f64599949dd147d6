/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_cache.h: finds the plan of a decision, by algorithm and parameters. No MPI here.
 *
 * A plan belongs to an algorithm with its parameters and, where the memory cap chooses between two
 * ways to run it, to the cap. Decisions of both operations and of several rules may share one. The
 * last decision of an operation is remembered with its plan.
 */
#ifndef SHUNT_EXECUTE_PLAN_CACHE_H
#define SHUNT_EXECUTE_PLAN_CACHE_H

#include "route/route.h"

struct shunt_plan_key {
    const struct shunt_algorithm *algorithm;
    struct shunt_params params;
    int64_t cap; /* bytes; 0 where the cap makes no difference */
};

/* The beginning of every plan. */
struct shunt_plan_entry {
    struct shunt_plan_entry *next;
    struct shunt_plan_key key;
};

struct shunt_plan_cache {
    struct shunt_plan_entry *first; /* the list; entries are their makers' to free */
    struct {
        const struct shunt_decision *decision; /* NULL: none yet */
        struct shunt_plan_entry *entry;
    } last[SHUNT_OP_COUNT];
};

/* The entry noted last for the operation, if it was for this decision; NULL: look it up. */
static inline struct shunt_plan_entry *shunt_plan_cache_last(const struct shunt_plan_cache *cache,
                                                             enum shunt_op op,
                                                             const struct shunt_decision *decision)
{
    return cache->last[op].decision == decision ? cache->last[op].entry : NULL;
}

/* The key of a decision whose calls may use `cap` bytes per rank. */
struct shunt_plan_key shunt_plan_key(const struct shunt_decision *decision, int64_t cap);

/* The entry with this key, or NULL. */
struct shunt_plan_entry *shunt_plan_cache_find(const struct shunt_plan_cache *cache,
                                               const struct shunt_plan_key *key);

/* Adds an entry whose key is filled in, and that is not there yet. */
void shunt_plan_cache_add(struct shunt_plan_cache *cache, struct shunt_plan_entry *entry);

/* From now on this is the decision's entry. */
void shunt_plan_cache_note(struct shunt_plan_cache *cache, enum shunt_op op,
                           const struct shunt_decision *decision, struct shunt_plan_entry *entry);

#endif
