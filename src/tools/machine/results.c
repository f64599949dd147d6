/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c: see results.h. */
#include "tools/machine/results.h"

#include <stdio.h>
#include <string.h>

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

static struct machine_row *find_row(struct machine_results *results, const char *key)
{
    for (int i = 0; i < results->count; i++)
        if (strcmp(results->rows[i].key, key) == 0)
            return &results->rows[i];
    return NULL;
}

void machine_row_change(struct machine_results *results, const char *key, const char *unit,
                        double value, double residual, int samples, const char *note)
{
    struct machine_row *row = find_row(results, key);
    if (!row) {
        machine_row_add(results, key, unit, value, residual, samples, note);
        return;
    }
    const size_t used = strlen(row->note);
    row->value = value;
    row->residual = residual;
    row->samples = samples;
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", note);
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
