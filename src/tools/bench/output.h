/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: a file of results that is whole or not there: it grows as NAME.part and gets its name
 * when it is complete, so a run that is killed leaves in NAME.part what it measured, and what NAME
 * was before. Standard output ("-"), and what is no regular file, are written as they are.
 */
#ifndef SHUNT_BENCH_OUTPUT_H
#define SHUNT_BENCH_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct bench_output {
    FILE *stream;     /* NULL: not open */
    const char *name; /* as the user gave it; not owned */
    char *path;       /* owned: what the file is to be, links followed; NULL: written as it is */
    char *part;       /* owned: what it is until then; NULL likewise */
};

/* False with a message on stderr. */
bool bench_output_open(struct bench_output *output, const char *name);

/* Closes the file and gives it its name if `whole`. False with a message on stderr when it could
 * not be written. Nothing where it is not open. */
bool bench_output_close(struct bench_output *output, bool whole);

#endif
