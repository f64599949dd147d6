/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h: what was found, for people, for programs, and as the file. For the leader. */
#ifndef SHUNT_TOOLS_MACHINE_REPORT_H
#define SHUNT_TOOLS_MACHINE_REPORT_H

#include "tools/machine/run.h"

enum { MACHINE_WARNINGS_MOST = 8, MACHINE_WARNING_ROOM = 320 };

/* What makes the numbers doubtful, or a description that says less than it could. */
struct machine_warnings {
    int count;
    bool busy; /* the machine did something else meanwhile */
    char text[MACHINE_WARNINGS_MOST][MACHINE_WARNING_ROOM];
};
void machine_warnings_find(const struct machine_run *run, struct machine_warnings *warnings);

/* Where and how it was measured, and a line for each number: parameter, value, unit, residual,
 * samples, note. Every line begins with `before`. */
void machine_report_table(const struct machine_run *run, const struct machine_warnings *warnings,
                          const char *command, FILE *stream, const char *before);

/* One JSON object: machine.schema.json. An SHUNT_EXIT code. */
int machine_report_json(const struct machine_run *run, const struct machine_warnings *warnings,
                        const char *command, FILE *stream);

#endif
