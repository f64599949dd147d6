/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h: what `shunt log` is asked for, and whether an event is among it.
 *
 * An event has to satisfy every filter; one that does not have what a filter looks at does not
 * satisfy it.
 */
#ifndef SHUNT_TOOLS_LOG_OPTIONS_H
#define SHUNT_TOOLS_LOG_OPTIONS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "route/table.h"
#include "tools/common/options.h"
#include "tools/log/event.h"

struct shunt_logs_filter {
    struct shunt_range *ranks; /* array of rank_count, owned; NULL: all */
    size_t rank_count;
    const char *communicator; /* pattern of its name, or beginning of its identifier */
    const char *operation;
    const struct shunt_algorithm **algorithms; /* array of algorithm_count, owned; NULL: all */
    size_t algorithm_count;
    const char *rule; /* its id, or FILE:LINE */
    bool sized;
    struct shunt_range size; /* of the largest block, bytes */
    double from, to;         /* seconds since the start */
    double slower;           /* seconds, -1: all */
    bool native, routed;
    const char *reason; /* part of it */
};

/* No filter. */
#define SHUNT_LOGS_ALL                                                                             \
    {                                                                                              \
        .to = INFINITY, .slower = -1                                                               \
    }

enum shunt_logs_form { SHUNT_LOGS_PEOPLE, SHUNT_LOGS_JSON, SHUNT_LOGS_CSV };

struct shunt_logs_options {
    struct shunt_logs_filter filter;
    enum shunt_logs_form form;
    bool json, csv, summary, follow, wide;
    size_t memory; /* bytes for what is being sorted */
    char **files;  /* array of file_count */
    int file_count;
};

/* Bytes for what is being sorted, if nothing else is said, and the least. */
enum { SHUNT_LOGS_MEMORY = 64 * 1024 * 1024, SHUNT_LOGS_MEMORY_LEAST = 64 * 1024 };
#define SHUNT_OPTION_SORTING_MEMORY(type, field)                                                   \
    SHUNT_VALUE("memory", "SIZE", type, field, shunt_read_sorting_memory,                          \
                "for putting lines in order (default 64M); the rest goes to a file in TMPDIR")
bool shunt_read_sorting_memory(struct shunt_option_value *value);

/* Does what the options say; returns the exit code. */
int shunt_logs_run(const struct shunt_logs_options *options);

/* All filters but those of time, for which the start has to be known. */
bool shunt_logs_matches(const struct shunt_logs_filter *filter,
                        const struct shunt_logs_event *event);
bool shunt_logs_matches_time(const struct shunt_logs_filter *filter, double since_start);
/* Whether there is a filter that only calls can satisfy, or that of time: sums over a whole run
 * then do not tell what is asked for. */
bool shunt_logs_narrows(const struct shunt_logs_filter *filter);

#endif
