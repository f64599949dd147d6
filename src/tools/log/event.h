/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h: one line of a log of schema 1, read. What the line does not tell is NULL, -1 or 0;
 * members that are not known here are ignored.
 */
#ifndef SHUNT_TOOLS_LOG_EVENT_H
#define SHUNT_TOOLS_LOG_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/estimate.h"
#include "log/log.h"

#define SHUNT_LOGS_SCHEMA 1

enum shunt_logs_kind {
    SHUNT_LOGS_HEADER,
    SHUNT_LOGS_COMMUNICATOR,
    SHUNT_LOGS_CLOCK,
    SHUNT_LOGS_CALL,
    SHUNT_LOGS_CAP,
    SHUNT_LOGS_SUMMARY,
    SHUNT_LOGS_OTHER /* of a later version */
};

/* What a summary, or a part of it, adds up. */
struct shunt_logs_sums {
    uint64_t calls, bytes, errors;
    double seconds, agreement;
};

/* A rule, and the operation whose calls it is for. */
struct shunt_logs_rule {
    const char *operation, *file, *id;
    int line;
};

struct shunt_logs_event {
    enum shunt_logs_kind kind;
    int rank;
    int ranks; /* of the job, or of the communicator */
    bool timed;
    double time; /* as it stands in the line; of a header: its date, since 1970 */
    /* A call; also the names and numbers of a communicator. */
    struct shunt_record record;
    char id[24];               /* of the communicator, as text */
    const int64_t *send_bytes; /* array of send_count: to each rank; NULL: the line has none */
    int send_count;
    /* Of a header. */
    int64_t schema;
    double origin; /* from when times count: seconds since 1970 */
    const char *version, *host, *job, *library, *table, *machine, *fingerprint, *command;
    /* Of a communicator. */
    int ppn_min;
    bool oversubscribed;
    const int *layout; /* array of layout_count: ranks of each node */
    int layout_count;
    /* Of a clock. */
    double offset, uncertainty;
    /* Of a cap. */
    int64_t size;
    /* Of a summary. */
    struct shunt_logs_sums all, routed;
    bool has_routed;
    double elapsed;
    struct shunt_log_estimate estimate;
    bool has_estimate;
    bool knows_rules;                     /* it tells of rules that no call of the rank followed: */
    const struct shunt_logs_rule *unused; /* array of unused_count */
    int unused_count;
};

enum shunt_logs_found {
    SHUNT_LOGS_GOOD,
    SHUNT_LOGS_CUT,     /* JSON that ends too early */
    SHUNT_LOGS_NO_JSON, /* something else */
    SHUNT_LOGS_NO_EVENT /* JSON, but of no log */
};

struct shunt_logs_parser;

/* NULL: memory is short. */
struct shunt_logs_parser *shunt_logs_parser_new(void);
void shunt_logs_parser_free(struct shunt_logs_parser *parser);

/* Reads a line, with or without its newline. The strings of the event are valid until the next
 * line is read. */
enum shunt_logs_found shunt_logs_parse(struct shunt_logs_parser *parser, const char *line,
                                       size_t length, struct shunt_logs_event *event);

#endif
