/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * set.h: calls counted by what was done and why. Finding an entry that exists allocates nothing.
 */
#ifndef SHUNT_LOG_SET_H
#define SHUNT_LOG_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shunt_log_field {
    SHUNT_LOG_OPERATION,
    SHUNT_LOG_ALGORITHM,
    SHUNT_LOG_PARAMS,
    SHUNT_LOG_FILE,
    SHUNT_LOG_ID,
    SHUNT_LOG_REASON,
    SHUNT_LOG_FIELDS
};

/* Any field may be NULL, which differs from "". */
struct shunt_log_key {
    const char *field[SHUNT_LOG_FIELDS];
    int line;
};

struct shunt_log_entry {
    uint64_t hash;
    struct shunt_log_key key; /* its strings lie behind the entry, in the same block */
    uint64_t calls, bytes, errors;
    double seconds, agreement; /* agreement: of those that have a time of their own */
    bool rest;                 /* as in struct shunt_record */
};

static inline const char *shunt_log_entry_field(const struct shunt_log_entry *entry,
                                                enum shunt_log_field field)
{
    return entry->key.field[field] ? entry->key.field[field] : "";
}

struct shunt_log_set {
    struct shunt_log_entry **slots; /* open addressing, a power of two */
    size_t capacity, count;
};

/* The entry of that key, made when missing; NULL when memory is short or the set has
 * SHUNT_LOG_SET_MAX entries. */
#define SHUNT_LOG_SET_MAX 1024
struct shunt_log_entry *shunt_log_set_get(struct shunt_log_set *set,
                                          const struct shunt_log_key *key);

/* NULL equals only NULL. */
bool shunt_log_key_equal(const struct shunt_log_key *a, const struct shunt_log_key *b);

void shunt_log_set_clear(struct shunt_log_set *set);

#endif
