/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log_child.h: a log opened in a child of its own, with stderr in a file; the parent reads what is
 * left.
 */
#ifndef SHUNT_TESTS_LOG_CHILD_H
#define SHUNT_TESTS_LOG_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "log/log.h"

/* In a directory made by make_directory; tests may change log_path and put it back. */
extern char log_path[64], error_path[64];

/* Fixtures of cmocka: the directory for a group, its files for a test. */
int make_directory(void **unused);
int remove_directory(void **unused);
int remove_files(void **unused);

/* Runs `body` in a child whose exit status is 0 when it returns. */
pid_t start(void (*body)(void));
int status_of(pid_t child);
/* start, and the test fails unless the status is 0. */
void in_child(void (*body)(void));

/* The whole file in static memory, valid until the call after the next; "" when there is none. */
const char *contents(const char *path);
int occurrences(const char *text, const char *word);
/* Fails the test unless every line of the file is JSON; returns their number. */
int json_lines(const char *path);

/* Rank 0 of 4, level calls, human form, into log_path. */
struct shunt_log_options options(void);
void open_log(void);
void open_json(void);
/* One call, or the calls 1 to `count`, all of the same kind. */
void call(uint64_t number);
void calls(uint64_t count);
/* A whole life of a log with ten calls. */
void write_ten(void);

#endif
