/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h: from libconfig's settings to a table. Private to the parser. Functions report every problem and carry on.
 */
#ifndef SHUNT_ROUTE_WALK_H
#define SHUNT_ROUTE_WALK_H

#include <libconfig.h>

#include "route/source.h"
#include "route/table.h"

struct shunt_rules {
    struct shunt_rule *rules; /* id and file are indices into the strings of the walk */
    uint32_t count;
    uint32_t *by_id; /* hash table of id_room entries: index of a rule plus 1, or 0 */
    size_t id_room;  /* a power of two, at least twice the number of rules */
};

struct shunt_walk {
    const struct shunt_source *source;
    struct shunt_problems *problems;
    struct shunt_problems *findings; /* what is valid but cannot be meant; NULL: nobody asks */
    bool brief;                      /* name files by their base name in rules: where installed files lie is of no interest in a log */
    struct shunt_policy policy;
    const char *machine; /* owned by libconfig */
    struct shunt_rules rules[SHUNT_OP_COUNT];
    char **strings;
    uint32_t string_count;
};

/* parse.c: what became of one file. */
struct shunt_parsed {
    enum {
        SHUNT_PARSED_OURS,  /* meant for the host; or it cannot be parsed, but seems to be */
        SHUNT_PARSED_OTHER, /* parsed, and meant for others: it was not looked at any further */
        SHUNT_PARSED_NOT    /* cannot be parsed, and it does not seem to be meant for the host */
    } state;
    bool any_hosts;  /* true also where the file cannot be parsed */
    bool unreadable; /* the file, or one that it includes, cannot be read */
};

/*
 * Reads a file if it is meant for `host` (NULL: whatever it is meant for; then it is OURS, or NOT). Returns a malloc block, or NULL; then
 * every problem was added, also those that matter to nobody here. findings may be NULL.
 */
struct shunt_table *shunt_parse_one(const char *path, const char *host, struct shunt_parsed *parsed, struct shunt_problems *findings,
                                    struct shunt_problems *problems);

/* walk.c: everything but machine.hosts into `walk`. */
void shunt_walk_root(struct shunt_walk *walk, const config_setting_t *root);
void shunt_walk_clear(struct shunt_walk *walk);

/* hosts.c: whether machine.hosts has a pattern for `host` (its full or its short name). No problems are reported: the walk does that. */
bool shunt_hosts_match(const config_setting_t *root, const char *host);
/* hosts.c: whether machine.hosts has any pattern. */
bool shunt_hosts_any(const config_setting_t *root);
/* hosts.c: reports what is wrong with machine.hosts, and finds what matches no host. */
void shunt_hosts_check(struct shunt_walk *walk, const config_setting_t *hosts);
/*
 * hosts.c: whether a text that libconfig cannot parse seems to name `host`: in the first `machine = {`, in the first `hosts =` before a
 * closing brace, among the strings that follow with brackets and commas between.
 */
bool shunt_hosts_named(const char *text, const char *host);

/* rule.c: one rule of `op`, number `number` (from 1) in its list. */
void shunt_walk_rule(struct shunt_walk *walk, enum shunt_op op, uint32_t number, const config_setting_t *setting);

/* Index of a new string in walk->strings; 0 (the empty string) when memory is short, which adds a problem. */
uint32_t shunt_walk_string(struct shunt_walk *walk, const char *text);

/* Room for the beginning of a message. */
#define SHUNT_WHERE_MAX 512

/* Writes "site.cfg:9: " and `what` (may be empty, then the colon is left out as well). */
void shunt_walk_where(const struct shunt_walk *walk, const config_setting_t *setting, const char *what, char *where, size_t room);

/* Adds `where: unknown key "radx" (did you mean "radix"?)`, or nothing when the setting's name is among `names`. True when it is known. */
bool shunt_walk_known(struct shunt_walk *walk, const char *what, const config_setting_t *setting, const char *const *names, size_t count);

/* Adds `where: KEY: expected EXPECTED, found a list`. */
void shunt_walk_type(struct shunt_walk *walk, const char *what, const config_setting_t *setting, const char *expected);

/* A number that is not negative, or, where `sizes`, a string such as "64M". False with a problem added. */
bool shunt_walk_number(struct shunt_walk *walk, const char *what, const config_setting_t *setting, bool sizes, int64_t *number);

#endif
