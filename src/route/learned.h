/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learned.h: the decision file of what programs found out while they ran: where it is, what it adds
 * to a table, and what a run adds to it. Pure but for shunt_learned_path, which asks for this
 * host's name, and shunt_learned_trusted, which looks at files.
 *
 * It is an ordinary decision file whose rules have `calls`. Its rules fill the gaps of the table in
 * use: they come behind all of that, but before a last rule without conditions that says "native".
 */
#ifndef SHUNT_ROUTE_LEARNED_H
#define SHUNT_ROUTE_LEARNED_H

#include "route/route.h"

/* The most rules for an operation: older ones go first. */
enum { SHUNT_LEARNED_MOST = 512, SHUNT_LEARNED_ID = 224 };

/* What a run found out about a layout and a class of sizes: rule->ranks, nodes, ppn and block. */
struct shunt_learned {
    enum shunt_op op;
    struct shunt_rule rule; /* its id and file do not count */
    bool native;            /* nothing is faster: a rule there is left out from now on */
    char id[SHUNT_LEARNED_ID];
};

/*
 * Its name, $XDG_CACHE_HOME/shunt/MACHINE.cfg or ~/.cache/shunt/MACHINE.cfg: by the name of the
 * machine that `table` has, else by a guess from the name of `host` (NULL: this one). `hosts`
 * becomes the pattern of that guess, "" where there is none. False: no folder is known, or names
 * are too long. The capacity of `hosts` is SHUNT_LEARNED_HOSTS at least.
 */
enum { SHUNT_LEARNED_HOSTS = 260 };
bool shunt_learned_path(const struct shunt_table *table, const char *host, char *const *environment,
                        char *path, size_t capacity, char *hosts);

/* Whether nobody but this user and root may write that file and its folder. What is not there is
 * trusted. A group may: whoever gave it to one meant it. */
bool shunt_learned_trusted(const char *path);

/* `base` with what was learned: a malloc block, NULL when memory is short. Its source names both,
 * with this between them. */
#define SHUNT_LEARNED_AND ", "
struct shunt_table *shunt_learned_join(const struct shunt_table *base,
                                       const struct shunt_table *learned);

/* The next contents of the file: what it has (NULL: there is none) with what is in `list`, which
 * counts for the same conditions. A malloc block, NULL when memory is short. */
struct shunt_table *shunt_learned_add(const struct shunt_table *old,
                                      const struct shunt_learned *list, size_t count,
                                      const char *machine);

/* Whether it has rules that earlier versions only expected to gain: they route nothing, and the
 * next contents of the file are without them. */
bool shunt_learned_expects(const struct shunt_table *table);

/* Whether a rule that says "native" has no condition: it stands for what nobody thought of. */
bool shunt_learned_is_rest(const struct shunt_rule *rule);
/* Whether calls are native because nobody thought of them: no rule took them, or such a one of a
 * file. SHUNT_FORCE has no lines: what it says is meant. */
bool shunt_learned_is_gap(const struct shunt_decision *decision);
/* Whether two rules have the same conditions. */
bool shunt_learned_same(const struct shunt_rule *a, const struct shunt_rule *b);

#endif
