/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h: what `shunt log` is asked for, and whether an event is among it.
 *
 * An event has to satisfy every filter; one that does not have what a filter looks at does not
 * satisfy it.
 */
#ifndef SHUNT_TOOLS_LOG_OPTIONS_H
#define SHUNT_TOOLS_LOG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "route/table.h"
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

enum shunt_logs_form { SHUNT_LOGS_PEOPLE, SHUNT_LOGS_JSON, SHUNT_LOGS_CSV };

struct shunt_logs_options {
    enum shunt_logs_form form;
    bool summary, follow, wide, help;
    struct shunt_logs_filter filter;
    size_t memory; /* bytes for what is being sorted */
    char **files;  /* array of file_count */
    int file_count;
};

/* Returns SHUNT_EXIT_OK, or another exit code after saying what is wrong. Release with
 * shunt_logs_options_clear in any case. */
int shunt_logs_options_read(struct shunt_logs_options *options, int argc, char **argv);
void shunt_logs_options_clear(struct shunt_logs_options *options);

/* All filters but those of time, for which the start has to be known. */
bool shunt_logs_matches(const struct shunt_logs_filter *filter,
                        const struct shunt_logs_event *event);
bool shunt_logs_matches_time(const struct shunt_logs_filter *filter, double since_start);
/* Whether there is a filter that only calls can satisfy, or that of time: sums over a whole run
 * then do not tell what is asked for. */
bool shunt_logs_narrows(const struct shunt_logs_filter *filter);

#endif
