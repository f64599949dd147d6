/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggestion.h: calls without a rule that took long, and what others say might be gained there: a
 * part of the summary.
 */
#ifndef SHUNT_LOG_SUGGESTION_H
#define SHUNT_LOG_SUGGESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "log/text.h"

/* Of the calls that stayed native for want of a rule, the kind that took longest. */
struct shunt_log_gap {
    const char *operation; /* "alltoall", "alltoallv": the log's, as long as it is open */
    int ranks;             /* of the communicator */
    int size;              /* class of the largest block, see sizes.h */
    int64_t from, to;      /* bytes of that class, both inclusive */
    uint64_t calls;
    double seconds;
};

/* What is expected of the best algorithm there: how many times as long native takes. Strings are
 * kept as pointers. */
struct shunt_log_expectation {
    int nodes, ppn_min, ppn_max; /* where these ranks are; 0: not known */
    double low, high;            /* 0: not known */
    const char *algorithm;       /* the most promising one, NULL: not known */
    /* What that rests on, a description of the machine with this name; NULL: `machines` of which
     * any may be like it. */
    const char *machine;
    int machines;
};

struct shunt_json;

/* Appends a line for people; an object of the summary for programs, under its key, null where
 * `gap` is NULL. */
void shunt_log_suggestion_human(struct shunt_log_text *text, const struct shunt_log_gap *gap,
                                const struct shunt_log_expectation *expected);
void shunt_log_suggestion_json(struct shunt_json *json, const struct shunt_log_gap *gap,
                               const struct shunt_log_expectation *expected);

#endif
