/* SPDX-License-Identifier: BSD-3-Clause */
/* results.h: what `shunt machine` found: the description, and a row for each of its numbers. No
 * MPI.
 */
#ifndef SHUNT_TOOLS_MACHINE_RESULTS_H
#define SHUNT_TOOLS_MACHINE_RESULTS_H

#include "model/machine.h"
#include "route/machine_keys.h"
#include "tools/measure/statistics.h"

enum { MACHINE_ROWS_MOST = 56, MACHINE_KEY_ROOM = 32, MACHINE_NOTE_ROOM = 128 };

/* A number under the key that it has in the file. */
struct machine_row {
    char key[MACHINE_KEY_ROOM]; /* "inside.latency_us" */
    const char *unit;           /* "us", "ns", "B", "" */
    double value;               /* in that unit; NAN: none, or no limit */
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

/* What is in a description before anything is measured. name, library: cut to what fits. */
void machine_results_begin(struct machine_results *results, const char *name, const char *library);

/* Adds the row of a key: its value is that of the description, in the unit of the key. `samples` 0:
 * with the reason in `note`, which may be NULL. */
void machine_row_add(struct machine_results *results, const char *key, double residual, int samples,
                     const char *note);
/* Adds a row of something that the description does not hold. */
void machine_row_add_count(struct machine_results *results, const char *name, int count,
                           double residual, int samples, const char *note);
/* The row of that key has the value again that the description has now; adds one where there is
 * none. `note`: appended. */
void machine_row_change(struct machine_results *results, const char *key, double residual,
                        int samples, const char *note);

/* Counts whether other work disturbed these. */
void machine_results_judge(struct machine_results *results, struct measure_samples *samples);
/* Whether too many were disturbed to rest anything on the numbers. */
bool machine_results_busy(const struct machine_results *results);

/*
 * complete.c: what could not be measured is as what is nearest to it, with rows that say so:
 * between nodes as inside of one and the other way round. ppn, nodes: what there was. Then all
 * numbers are rounded to what measurements are worth.
 */
void machine_results_complete(struct machine_results *results, int ppn, int nodes);
/* Energies, power and cards' count from another description, with rows that name it. */
void machine_results_energy(struct machine_results *results, const struct shunt_machine *from,
                            const char *name);

/* A key of descriptions, and what its number in a file is multiplied by there. */
const struct shunt_machine_key *machine_key_find(const char *name);
double machine_key_unit(const struct shunt_machine_key *key);

/* quota.c: processors that a control group's quota stands for, from what the kernel tells: a line
 * of cpu.max of version 2 ("max 100000", "150000 100000"); 0: no limit. */
double machine_quota_read(const char *line);

#endif
