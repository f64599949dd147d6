/* SPDX-License-Identifier: BSD-3-Clause */
/* results.h: what `shunt machine` found: the description, and a row for each of its numbers. No
 * MPI.
 */
#ifndef SHUNT_TOOLS_MACHINE_RESULTS_H
#define SHUNT_TOOLS_MACHINE_RESULTS_H

#include "model/machine.h"
#include "tools/machine/fit.h"

enum { MACHINE_ROWS_MOST = 48, MACHINE_KEY_ROOM = 32, MACHINE_NOTE_ROOM = 128 };

/* A number under the key that it has in the file. */
struct machine_row {
    char key[MACHINE_KEY_ROOM]; /* "inside.latency_us" */
    const char *unit;           /* "us", "ns", "B", "" */
    double value;               /* in that unit */
    double residual;            /* share by which measurements deviate, median; negative: none */
    int samples;                /* measurements behind it; 0: it was not measured */
    char note[MACHINE_NOTE_ROOM];
};

struct machine_results {
    struct shunt_machine machine;
    struct machine_row rows[MACHINE_ROWS_MOST];
    int count;
    int judged, disturbed; /* measurements whose repetitions were compared; that differ too much */
};

/* Adds a row. `samples` 0: with the reason in `note`. note: may be NULL. */
void machine_row_add(struct machine_results *results, const char *key, const char *unit,
                     double value, double residual, int samples, const char *note);

/* The row of that key has another value now; adds one where there is none. `note`: appended. */
void machine_row_change(struct machine_results *results, const char *key, const char *unit,
                        double value, double residual, int samples, const char *note);

/* Counts whether other work disturbed these. */
void machine_results_judge(struct machine_results *results, struct machine_samples *samples);

/* Whether too many were disturbed to rest anything on the numbers. */
bool machine_results_busy(const struct machine_results *results);

#endif
