/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c: see results.h. */
#include "tools/machine/results.h"

#include <stdio.h>

/* One in so many may be disturbed: something small always runs. */
enum { DISTURBED_PART = 4 };

void machine_row_add(struct machine_results *results, const char *key, const char *unit,
                     double value, double residual, int samples, const char *note)
{
    if (results->count == MACHINE_ROWS_MOST)
        return;
    struct machine_row *row = &results->rows[results->count++];
    *row = (struct machine_row){
        .unit = unit, .value = value, .residual = residual, .samples = samples};
    snprintf(row->key, sizeof row->key, "%s", key);
    snprintf(row->note, sizeof row->note, "%s", note ? note : "");
}

void machine_results_judge(struct machine_results *results, struct machine_samples *samples)
{
    results->judged++;
    results->disturbed += machine_disturbed(samples);
}

bool machine_results_busy(const struct machine_results *results)
{
    return results->disturbed * DISTURBED_PART > results->judged;
}
