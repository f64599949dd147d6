/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h: what one rank did, added up. Not thread safe: the caller holds the lock of the log.
 */
#ifndef SHUNT_LOG_SUMMARY_H
#define SHUNT_LOG_SUMMARY_H

#include "log/log.h"
#include "log/set.h"
#include "log/text.h"

struct shunt_log_passed {
    const char *function;
    uint64_t calls;
};

struct shunt_log_summary {
    int rank, ranks;              /* of the world; -1 unknown */
    struct shunt_log_set done;    /* by operation, algorithm, parameters, rule and reason */
    struct shunt_log_set rules;   /* known ones: operation, file, line, id */
    struct shunt_log_entry other; /* calls for which there was no entry left */
    uint64_t missed;              /* calls that are nowhere else: the log was busy for too long */
};

void shunt_log_summary_add(struct shunt_log_summary *summary, const struct shunt_record *record);
void shunt_log_summary_rule(struct shunt_log_summary *summary, const char *file, int line,
                            const char *id, const char *operation);

/*
 * Prepares for printing, once: done.slots has done.count entries at its front, longest time first;
 * rules.slots has only the rules that no call used, by file and line. Returns the total of all
 * calls.
 */
struct shunt_log_entry shunt_log_summary_finish(struct shunt_log_summary *summary);

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
