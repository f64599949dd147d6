/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h: from libconfig's settings to a table. Private to the parser. Functions report every
 * problem and carry on.
 */
#ifndef SHUNT_ROUTE_WALK_H
#define SHUNT_ROUTE_WALK_H

#include <libconfig.h>

#include "route/source.h"
#include "route/table.h"

struct shunt_rules {
    struct shunt_rule *rules; /* id and file are indices into the strings of the walk */
    uint32_t count;
    uint32_t *by_id;    /* hash table of id_capacity entries: index of a rule plus 1, or 0 */
    size_t id_capacity; /* a power of two, at least twice the number of rules */
};

struct shunt_walk {
    const struct shunt_source *source;
    struct shunt_diagnostics *diagnostics;
    struct shunt_diagnostics *findings; /* what is valid but cannot be meant; NULL: nobody asks */
    struct shunt_policy policy;
    const config_setting_t *no_match; /* policy.no_match; NULL: not given */
    const char *machine;              /* owned by libconfig */
    const char *measured;             /* machine.measured, likewise; "": not given */
    struct shunt_machine model;
    bool described; /* machine.model is given, good or not */
    bool modelled;  /* there is a model, and it is good */
    struct shunt_rules rules[SHUNT_OP_COUNT];
    char **strings;
    uint32_t string_count;
};

void shunt_walk_clear(struct shunt_walk *walk);

/* Index of a new string in walk->strings; 0 (the empty string) when memory is short, which adds a
 * problem. */
uint32_t shunt_walk_string(struct shunt_walk *walk, const char *text);

/* Writes "site.cfg:9: " and `what` (may be empty, then the colon is left out as well). */
void shunt_walk_where(const struct shunt_walk *walk, const config_setting_t *setting,
                      const char *what, char *where, size_t capacity);

/* Adds `where: unknown key "radx" (did you mean "radix"?)`, or nothing when the setting's name is
 * among `names`. True when it is known. */
bool shunt_walk_known(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                      const char *const *names, size_t count);

/* Adds `where: KEY: expected EXPECTED, found a list`. */
void shunt_walk_type(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                     const char *expected);

/* A number that is not negative, or, where `sizes`, a string such as "64M". False with a problem
 * added. */
bool shunt_walk_number(struct shunt_walk *walk, const char *what, const config_setting_t *setting,
                       bool sizes, int64_t *number);

/* Reports a file without `schema`, or with one that this version does not read. root: the tree's.
 */
void shunt_walk_schema(struct shunt_walk *walk, const config_setting_t *root);

#endif
