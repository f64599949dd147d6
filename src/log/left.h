/* SPDX-License-Identifier: BSD-3-Clause */
/* left.h: rules that were left because the library's own was faster (the guard): a part of the
 * summary. */
#ifndef SHUNT_LOG_LEFT_H
#define SHUNT_LOG_LEFT_H

#include <stdbool.h>
#include <stdint.h>

#include "log/text.h"

enum { SHUNT_LOG_LEFT_MOST = 16 };

/* Calls of one class of sizes. Strings are kept as pointers. */
struct shunt_log_left {
    const char *operation, *algorithm;
    const char *rule_file; /* NULL: it is the model's choice */
    const char *rule_id;
    int rule_line;
    int64_t from, to;                   /* bytes of the largest block; to: INT64_MAX for any */
    int ranks, nodes, ppn_min, ppn_max; /* of the communicator */
    int64_t native, rule;               /* nanoseconds of a call, medians; rule: 0 for it could not
                                           be carried out */
    uint64_t call;                      /* number of the last one before it was left */
};

struct shunt_log_lefts {
    struct shunt_log_left list[SHUNT_LOG_LEFT_MOST];
    int count;
    int more; /* that found no room */
};

/* It was left, or has proved itself after all. */
void shunt_log_lefts_set(struct shunt_log_lefts *lefts, const struct shunt_log_left *one,
                         bool left);

struct shunt_json;

/* A line each for people; a list for programs, under its key. */
void shunt_log_lefts_human(struct shunt_log_text *text, const struct shunt_log_lefts *lefts);
void shunt_log_lefts_json(struct shunt_json *json, const struct shunt_log_lefts *lefts);

#endif
