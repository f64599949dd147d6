/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_keys.h: the keys of a machine description: how files spell what struct shunt_machine
 * holds. One list, for reading, for writing, and for showing.
 */
#ifndef SHUNT_ROUTE_MACHINE_KEYS_H
#define SHUNT_ROUTE_MACHINE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/machine.h"

enum shunt_machine_kind {
    SHUNT_MACHINE_REAL,  /* double */
    SHUNT_MACHINE_COUNT, /* int32_t */
    SHUNT_MACHINE_SIZE,  /* int64_t, a size */
    SHUNT_MACHINE_FLAG,  /* bool */
    SHUNT_MACHINE_WORD   /* an enum, by one of its words */
};

struct shunt_machine_key {
    const char *name; /* "inside.latency_us", "processors" */
    enum shunt_machine_kind kind;
    int power;           /* REAL: a file's number times 10^power is that of struct shunt_machine */
    size_t offset;       /* in struct shunt_machine */
    int required;        /* else there is a default (shunt_machine_preset) */
    const char *of;      /* where the key is left out its value is that of this one; or NULL */
    const char *meaning; /* in a few words, for people */
    const char *const *words; /* WORD: by the numbers of the enum, NULL behind the last one */
};

/* Groups within `model`, in the order of the manual. */
struct shunt_machine_group {
    const char *name, *meaning;
};

/* Those that there are, in the order of the manual; NULL behind the last one. */
const struct shunt_machine_key *shunt_machine_key(size_t index);
const struct shunt_machine_group *shunt_machine_group(size_t index);
#define SHUNT_MACHINE_KEY_MOST 56 /* keys there are at most */

/* The key's name within its group: "latency_us", "processors". */
const char *shunt_machine_key_word(const struct shunt_machine_key *key);
/* Whether the key stands in that group; "" for those in none. */
int shunt_machine_key_within(const struct shunt_machine_key *key, const char *group);

/* The words of a key of kind WORD, by the numbers of its enum: "job", "card". NULL: no more. */
const char *shunt_machine_word(const struct shunt_machine_key *key, size_t value);
/* That of the description. NULL: its number is none of the enum's. */
const char *shunt_machine_word_of(const struct shunt_machine *machine,
                                  const struct shunt_machine_key *key);
/* Whether every key of that kind has one. */
bool shunt_machine_words_known(const struct shunt_machine *machine);

/* A description in which every key has the default that it has where it is left out, 0 where it has
 * none; every byte is set. */
void shunt_machine_preset(struct shunt_machine *machine);

/* The same description, every byte of which is set: also those between its members. */
void shunt_machine_copy(struct shunt_machine *to, const struct shunt_machine *from);

/* The value of a key, in struct shunt_machine. */
static inline void *shunt_machine_value(struct shunt_machine *machine,
                                        const struct shunt_machine_key *key)
{
    return (char *)machine + key->offset;
}

#endif
