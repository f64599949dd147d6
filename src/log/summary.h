/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h: what one rank did, added up. Not thread safe: the caller holds the lock of the log.
 */
#ifndef SHUNT_LOG_SUMMARY_H
#define SHUNT_LOG_SUMMARY_H

#include "log/estimate.h"
#include "log/left.h"
#include "log/passed.h"
#include "log/record.h"
#include "log/rows.h"
#include "log/suggestion.h"
#include "log/text.h"

/* A table of this process. */
struct shunt_log_known_table {
    struct shunt_log_table table;
    bool used;
};
enum { SHUNT_LOG_TABLES = 4 };

struct shunt_log_summary {
    int rank, ranks;              /* of the world; -1 unknown */
    double elapsed;               /* seconds of the run; 0: unknown */
    bool suggests;                /* it says what might be gained without a rule */
    bool oversubscribed;          /* ranks of some communicator share processors */
    struct shunt_log_set done;    /* by operation, algorithm, parameters, rule and reason */
    struct shunt_log_set rules;   /* known ones: operation, file, line, id */
    struct shunt_log_entry other; /* calls for which there was no entry left */
    struct shunt_log_sizes sizes; /* the same calls by size */
    struct shunt_log_part routed, warm_up;
    double set_up; /* seconds */
    double cost;   /* sum of shunt_record_cost */
    double aside;  /* seconds of calls that were not the exchange */
    struct shunt_log_known_table tables[SHUNT_LOG_TABLES];
    int table_count;
    struct shunt_log_lefts lefts;
    uint64_t missed; /* calls that are nowhere else: the log was busy for too long */

    /* Made by shunt_log_summary_finish; empty when memory is short. */
    struct shunt_log_rows by_size, by_reason;
    struct shunt_log_estimate estimate;
};

void shunt_log_summary_add(struct shunt_log_summary *summary, const struct shunt_record *record);
void shunt_log_summary_rule(struct shunt_log_summary *summary, const char *file, int line,
                            const char *id, const char *operation);
void shunt_log_summary_table(struct shunt_log_summary *summary, const struct shunt_log_table *table,
                             bool used);

/*
 * Prepares for printing, once: done.slots has done.count entries at its front, longest time first;
 * rules.slots has only the rules that no call used, by file and line. Returns the total of all
 * calls.
 */
struct shunt_log_entry shunt_log_summary_finish(struct shunt_log_summary *summary);

/* Calls without a rule, the warm-up apart. */
uint64_t shunt_log_summary_no_rule(const struct shunt_log_summary *summary);

/* Of the calls that were native because no rule took them, the kind that took longest, if it has
 * SHUNT_LOG_MANY at least and suggestions are wanted. False: there is none. */
enum { SHUNT_LOG_MANY = 1000 };
bool shunt_log_summary_gap(const struct shunt_log_summary *summary, struct shunt_log_gap *gap);

/* The table that is named first: one that was used, and rather a file than SHUNT_FORCE. NULL: none
 * is known. */
const struct shunt_log_known_table *
shunt_log_summary_main_table(const struct shunt_log_summary *summary);

extern const char shunt_log_no_calls[]; /* why there may have been no call */

/* Appends a finished summary: some lines for people, or one JSON object on a line. `passed` has
 * `count` functions, each once. */
void shunt_log_summary_human(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                             const struct shunt_log_entry *total,
                             const struct shunt_log_passed *passed, size_t count);
void shunt_log_summary_json(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                            const struct shunt_log_entry *total,
                            const struct shunt_log_passed *passed, size_t count);

void shunt_log_summary_clear(struct shunt_log_summary *summary);

#endif
