/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_options.h: what whole is told to measure. */
#ifndef SHUNT_TESTS_WHOLE_OPTIONS_H
#define SHUNT_TESTS_WHOLE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum kind { COPIES, ROWS, COLUMNS, HALVES, PENCILS, KINDS };
enum pattern { FULL, MIXED, SPARSE, ONE, EMPTY, PATTERNS };

struct options {
    bool help, uniform, setup, wired;
    int block, communicators, calls;
    double limit;
    int kind;    /* enum kind */
    int pattern; /* enum pattern */
};

extern struct options options;

/* Reads the command line of a job of so many ranks into `options`; false: a mistake of usage. */
bool parse_options(int argc, char **argv, int ranks);
void print_usage(FILE *stream);

#endif
