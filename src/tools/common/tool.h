/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool.h: what the subcommands of the command `shunt` share.
 *
 * Results go to stdout, problems to stderr. A subcommand returns its exit code and never calls
 * exit.
 */
#ifndef SHUNT_TOOLS_TOOL_H
#define SHUNT_TOOLS_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "log/text.h"
#include "route/parse.h"
#include "route/table.h"
#include "tools/common/options.h"

enum shunt_exit {
    SHUNT_EXIT_OK = 0,
    SHUNT_EXIT_FINDINGS = 1,
    SHUNT_EXIT_USAGE = 2,
    SHUNT_EXIT_TABLE = 3,
    SHUNT_EXIT_IO = 4,
    SHUNT_EXIT_MPI = 5
};

extern const struct shunt_subcommand shunt_subcommand_run;
extern const struct shunt_subcommand shunt_subcommand_check;
extern const struct shunt_subcommand shunt_subcommand_explain;
extern const struct shunt_subcommand shunt_subcommand_predict;
extern const struct shunt_subcommand shunt_subcommand_schedule;
extern const struct shunt_subcommand shunt_subcommand_algorithms;
extern const struct shunt_subcommand shunt_subcommand_bench;
extern const struct shunt_subcommand shunt_subcommand_machine;
extern const struct shunt_subcommand shunt_subcommand_tune;
extern const struct shunt_subcommand shunt_subcommand_show;
extern const struct shunt_subcommand shunt_subcommand_diff;
extern const struct shunt_subcommand shunt_subcommand_view;
extern const struct shunt_subcommand shunt_subcommand_import;
extern const struct shunt_subcommand shunt_subcommand_where;
extern const struct shunt_subcommand shunt_subcommand_env;
extern const struct shunt_subcommand shunt_subcommand_new;
extern const struct shunt_subcommand shunt_subcommand_log;
extern const struct shunt_subcommand shunt_subcommand_report;

/* "shunt: ..." on stderr. */
void shunt_tool_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, then where to find help; returns SHUNT_EXIT_USAGE. */
int shunt_tool_usage(const struct shunt_subcommand *subcommand, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the options and does what they say; argv[0] is the subcommand. Returns the exit code. */
int shunt_tool_run(const struct shunt_subcommand *subcommand, int argc, char **argv);

/* Refuses options ("csv,json") of which two were given; SHUNT_EXIT_OK: no two were. */
int shunt_tool_exclusive(const struct shunt_words *words, const char *names);

/* One line each on stderr, and empties the list. */
void shunt_tool_report(struct shunt_diagnostics *diagnostics);

/* Which table a subcommand wants. */
struct shunt_tool_query {
    const char *path; /* this file; NULL: SHUNT_CONFIG, or else what the search finds for `host` */
    const char *host; /* NULL: this one */
    /* gets what is valid but cannot be meant; NULL: nobody asks */
    struct shunt_diagnostics *findings;
    /* gets what is wrong; NULL: it is reported */
    struct shunt_diagnostics *problems;
    /* gets the files that were skipped, where findings are asked for; NULL: `findings` does */
    struct shunt_diagnostics *skipped;
    shunt_parse_visit visit; /* told of what is searched; NULL: nobody asks */
    void *context;
    bool named;       /* result: a file was named, so the host does not matter */
    char choice[512]; /* result: `table of host login1: built-in` */
};

/*
 * Reads the table. NULL with the problems reported and *code set to SHUNT_EXIT_TABLE or
 * SHUNT_EXIT_IO. Free the result. Files that were skipped are reported as well, as findings where
 * those are asked for.
 */
struct shunt_table *shunt_tool_table(struct shunt_tool_query *query, int *code);

/* Terminal codes, empty strings where the stream is no terminal, TERM is dumb or NO_COLOR is set.
 */
const char *shunt_tool_bold(FILE *stream);
const char *shunt_tool_plain(FILE *stream);

/* A name of a file, or what else may be anything, on one line: what breaks lines or drives
 * terminals is shown as \xNN. To a stream; or as a copy, to be freed: NULL when memory is short; or
 * cut to what there is room for. */
void shunt_tool_put(FILE *stream, const char *string);
/* On standard output, a line of its own behind a label. */
void shunt_tool_put_labelled(const char *label, const char *string);
/* A message with what may be in it. */
void shunt_tool_put_format(FILE *stream, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
char *shunt_tool_clean(const char *string);
void shunt_tool_fit(const char *string, char *text, size_t capacity);

/* Figures for people: "3.10 ms"; "45.2 mJ", "-" for NAN; "12.4 MiB", ">8 EiB" for INT64_MAX. */
void shunt_seconds_print(double seconds, char *text, size_t capacity);
void shunt_joules_print(double joules, char *text, size_t capacity);
void shunt_volume_print(int64_t bytes, char *text, size_t capacity);

/* Columns on a terminal, where every character of UTF-8 takes one. */
int shunt_tool_width(const char *text);

/* Folder of the running program, without a slash at its end. False with errno. */
bool shunt_tool_folder(char *folder, size_t capacity);

/* Where a measuring program ("shunt-bench") is, or is installed if it is not there. */
void shunt_tool_program(const char *program, char *path, size_t capacity);

/* Becomes that program, which alone is linked with MPI; returns only when there is none. */
int shunt_tool_become(const char *program, char **argv);

/* Writes a growing text and a newline, and frees it. When memory was too short for all of it, says
 * so, writes nothing and returns SHUNT_EXIT_IO; errors of the stream are found when it is closed.
 */
int shunt_tool_write(struct shunt_log_text *text, FILE *stream);

/* A line that names the table, and the machine if the table does, behind a label and its spaces. */
void shunt_tool_table_line(const char *label, const struct shunt_table *table, bool wide);

/* `site.cfg:21 "small"`. */
void shunt_tool_rule(const struct shunt_table *table, const struct shunt_rule *rule, char *text,
                     size_t capacity);

/* "3 nodes", but "1 node". */
static inline const char *shunt_tool_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A number of 1 .. `most` without sign or suffix. */
bool shunt_tool_number(const char *text, int most, int *number);

/* SHUNT_EXIT_IO, after saying that memory is short. */
int shunt_tool_no_memory(void);

#endif
