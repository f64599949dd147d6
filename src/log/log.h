/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.h: one record per call, a summary at the end. Purely local: never communicates, never changes
 * a decision, never fails the application.
 *
 * Thread safe. With the level off nothing here is called on the hot path.
 */
#ifndef SHUNT_LOG_LOG_H
#define SHUNT_LOG_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "log/left.h"
#include "log/passed.h"
#include "log/record.h"
#include "log/suggestion.h"

struct shunt_log_options {
    int level; /* enum shunt_log_level as int: 0 off, 1 summary, 2 calls */
    bool json;
    const char *file; /* pattern, NULL: stderr. %j job, %s step, %t restarts, %h host, %r world
                       * rank, %p pid, %% */
    bool calls_here;  /* this rank's calls are to be written (SHUNT_LOG_RANKS already evaluated) */
    bool sites;       /* with the place in the program that each call came from */
    int64_t size;   /* cap in bytes of what this process writes, the summary not counted; 0: none */
    int world_rank; /* -1 when there is no world */
    int world_size;
    bool suggests;       /* the summary says what might be gained without a rule */
    const char *library; /* the MPI library and its version, NULL: not known */
};

/* Opens the log of this process; copies what it needs. A file that cannot be opened costs one
 * warning on stderr; the summary goes there. */
void shunt_log_open(const struct shunt_log_options *options);

/* The table of this process, for the first line of the log; before anything is written. */
void shunt_log_table(const struct shunt_log_table *table);

/* A communicator has been set up. */
void shunt_log_communicator(const struct shunt_log_communicator *communicator);

/*
 * Clocks, in nanoseconds. What is to be added to CLOCK_MONOTONIC for the time since 1970 by this
 * process's clock, as it was when the log was opened; 0 without a log. From the call of
 * shunt_log_clock on, `offset` is added to that, so that it agrees with the clock of another
 * process but for `uncertainty`.
 */
int64_t shunt_log_clock_base(void);
void shunt_log_clock(int64_t offset, int64_t uncertainty);

/* Whether lists of a call are written: of rejected rules, phases, bytes to each rank. False for
 * ever once they no longer are, and in the form for people. */
bool shunt_log_takes_details(void);

/* One call. Adds it to the summary; writes it when the level is calls and calls_here. */
void shunt_log_call(const struct shunt_record *record);

/* Rules of a table in use, so that the summary can name those that never matched. May be called
 * often with the same rule. */
void shunt_log_rule_known(const char *rule_file, int rule_line, const char *rule_id,
                          const char *operation);

/* A table of this process, for the summary. `used`: some communicator goes by it. May be told
 * often. */
void shunt_log_table_known(const struct shunt_log_table *table, bool used);

/* A rule was left because it lost to the library's own, or has proved itself after all. */
void shunt_log_left(const struct shunt_log_left *one, bool left);

/* By the table's word the summary suggests nothing. */
void shunt_log_suggest_nothing(void);

/* One line for the user, on stderr, prefixed "shunt: "; said at most once per process for the same
 * text. */
void shunt_log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes what is buffered. */
void shunt_log_flush(void);

/*
 * Writes the summary (once; world rank 0 on stderr, every rank into its own file) and closes. Does
 * nothing in a process other than the one that opened the log (forked children).
 */
void shunt_log_close(void);

#endif
