/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: a file of results (base/output.h), or standard output ("-"). A run that is killed
 * leaves in NAME.XXXXXX.part what it measured, and what NAME was before.
 */
#ifndef SHUNT_MEASURE_OUTPUT_H
#define SHUNT_MEASURE_OUTPUT_H

#include "base/output.h"
#include "tools/common/sheet.h"

struct measure_output {
    struct shunt_output file;
    FILE *stream;     /* that of the file, or standard output; NULL: not open */
    const char *name; /* as the user gave it; not owned */
};

/* False with a message on stderr. */
bool measure_output_open(struct measure_output *output, const char *name);

/* Closes the file and gives it its name if `whole`. False with a message on stderr when it could
 * not be written. Nothing where it is not open. */
bool measure_output_close(struct measure_output *output, bool whole);

/* As shunt_sheet_end, and ends the job where memory is short. */
void measure_sheet_end(struct shunt_sheet *sheet);

/* Leaves nothing of a file that is not to be. */
void measure_output_drop(struct measure_output *output);

#endif
