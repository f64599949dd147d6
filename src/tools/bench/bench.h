/* SPDX-License-Identifier: BSD-3-Clause */
/* bench.h: what all parts of `shunt bench` have in common: everything under comparison is run in
 * one job, call by call in turn. */
#ifndef SHUNT_BENCH_BENCH_H
#define SHUNT_BENCH_BENCH_H

#include <stdio.h>

#include "log/json.h"
#include "tools/bench/options.h"
#include "tools/bench/rules.h"
#include "tools/common/sheet.h"
#include "tools/measure/exchange.h"
#include "tools/measure/output.h"
#include "tools/measure/program.h"

struct bench {
    struct measure_job job;
    struct measure_world world; /* all ranks */
    struct bench_options options;
    int candidate_count, case_count, case_index;
    struct measure_candidate *candidates;
    struct measure_output csv, json, file; /* rank 0; file: of the rules */
    long json_bytes;                       /* of `json` that stay */
    struct shunt_log_text text;            /* what is to go into `json` */
    struct shunt_json writer;
    struct bench_rules rules; /* rank 0; its candidates are the selections */
    const char **selections;  /* array: their texts */
    int busy_cases, below_cases;
    bool table;   /* stdout is for people */
    bool found;   /* --check found something */
    double begin; /* for the time that is left */
};

/* case.c: runs the candidates of one case, makes figures of the times and, on rank 0, prints them.
 * results: array of candidate_count. */
void bench_case_measure(struct bench *bench, struct measure_case *c,
                        struct measure_result *results);

/* Everything else is for rank 0 only. */

/* table.c: for people. */
void bench_table_header(const struct bench *bench);
void bench_table_case(const struct bench *bench, const struct measure_case *c,
                      const struct measure_result *results);
/* "agreement", ... */
const char *bench_phase_name(int phase);

/* rows.c: the figures of a candidate in a case, in all forms. */
enum { BENCH_COLUMNS = 40, BENCH_DISTRIBUTION_ROOM = 256 };
extern const struct shunt_column bench_columns[];
/* What a row points to. */
struct bench_row_room {
    const struct bench *bench;
    const struct measure_result *result;
    char distribution[BENCH_DISTRIBUTION_ROOM], interval[48], ratio[48], note[48];
};
void bench_row_make(struct shunt_field row[BENCH_COLUMNS], struct bench_row_room *room,
                    const struct bench *bench, const struct measure_case *c,
                    const struct measure_result *r);
/* All candidates, on a sheet without columns. */
void bench_rows_put(struct shunt_sheet *sheet, const struct bench *bench,
                    const struct measure_case *c, const struct measure_result *results);
/* "constant" of an alltoall. */
void bench_distribution_name(const struct measure_case *c, char name[BENCH_DISTRIBUTION_ROOM]);

/* files.c: CSV and JSON. Opens the files; false with a message on stderr. */
bool bench_files_open(struct bench *bench);
void bench_files_case(struct bench *bench, const struct measure_case *c,
                      const struct measure_result *results);
/* False (said on stderr) when something could not be written. */
bool bench_files_close(struct bench *bench);

/* verdict.c: who wins: of one case, and as rules for a decision file. */

/* Whether there are enough repetitions to tell who wins. */
bool bench_verdict_can_tell(const struct bench *bench);
/* Whether there are rules to be found: algorithms are measured beside native. */
bool bench_verdict_wanted(const struct bench *bench);
/* False with a message when the file of --rules cannot be written. */
bool bench_verdict_open(struct bench *bench);
/* False (said) when it could not be written. */
bool bench_verdict_close(struct bench *bench);
/* The fastest algorithm of a case, if it is clear of native; otherwise NULL. */
const struct measure_result *bench_verdict_winner(const struct bench *bench,
                                                  const struct measure_result *results);
/* Takes a case down, and brings the file of rules up to date. */
void bench_verdict_add(struct bench *bench, const struct measure_case *c,
                       const struct measure_result *results);
/* The rules for people, after the last case. */
void bench_verdict_print(const struct bench *bench);

/* warnings.c: what makes the figures of a case doubtful, and what to do about it. */
enum { BENCH_WARNING_ROOM = 320 };

/* Calls `tell` for every warning about the case; returns how many there were. */
int bench_warnings(const struct bench *bench, const struct measure_result *results,
                   void (*tell)(void *context, const char *text), void *context);
/* Counts those of a case, for the end. */
void bench_warnings_count(struct bench *bench, const struct measure_result *results);
/* What to do, once everything is measured; nothing without warnings. */
void bench_warnings_end(const struct bench *bench, FILE *stream);

#endif
