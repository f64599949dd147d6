/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggestion.h: calls without a rule that took long: a part of the summary.
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

struct shunt_json;

/* Appends a line for people; an object of the summary for programs, under its key, null where
 * `gap` is NULL. */
void shunt_log_suggestion_human(struct shunt_log_text *text, const struct shunt_log_gap *gap);
void shunt_log_suggestion_json(struct shunt_json *json, const struct shunt_log_gap *gap);

#endif
