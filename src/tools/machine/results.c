/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c: see results.h. */
#include "tools/machine/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* One in so many may be disturbed: something small always runs. */
enum { DISTURBED_PART = 4 };
/* Bytes of a message in an offloaded schedule, where no description tells. */
enum { DESCRIPTOR = 32 };

void machine_results_begin(struct machine_results *results, const char *name, const char *library)
{
    struct shunt_machine *machine = &results->machine;
    memset(results, 0, sizeof *results);
    snprintf(machine->name, sizeof machine->name, "%s", name);
    snprintf(machine->library, sizeof machine->library, "%s", library);
    machine->type_long = INT64_MAX;
    machine->cards = 1;
    machine->power = SHUNT_POWER_JOB;
    machine->descriptor = DESCRIPTOR;
}

const struct shunt_machine_key *machine_key_find(const char *name)
{
    size_t i = 0;
    const struct shunt_machine_key *key;
    while ((key = shunt_machine_key(i++)) && strcmp(key->name, name) != 0)
        ;
    return key;
}

double machine_key_unit(const struct shunt_machine_key *key)
{
    return pow(10, key->power);
}

static void add_row(struct machine_results *results, const char *name, const char *unit,
                    double value, double residual, int samples, const char *note)
{
    if (results->count == MACHINE_ROWS_MOST)
        return;
    struct machine_row *row = &results->rows[results->count++];
    *row = (struct machine_row){
        .unit = unit, .value = value, .residual = residual, .samples = samples};
    snprintf(row->key, sizeof row->key, "%s", name);
    snprintf(row->note, sizeof row->note, "%s", note ? note : "");
}

/* As a file has it; without a limit, or a word, it is no number. */
static double value_of(struct machine_results *results, const struct shunt_machine_key *key)
{
    const void *value = shunt_machine_value(&results->machine, key);
    if (key->kind == SHUNT_MACHINE_REAL)
        return *(const double *)value * pow(10, -key->power);
    if (key->kind == SHUNT_MACHINE_COUNT)
        return *(const int32_t *)value;
    if (key->kind == SHUNT_MACHINE_SIZE && *(const int64_t *)value != INT64_MAX)
        return (double)*(const int64_t *)value;
    return NAN;
}

/* Keys end in it. */
static const char *unit_of(const struct shunt_machine_key *key)
{
    static const char *const ends[] = {"us", "ns", "pJ", "nJ", "W"};
    const char *end = strrchr(key->name, '_');
    for (size_t i = 0; end && i < sizeof ends / sizeof ends[0]; i++)
        if (strcasecmp(end + 1, ends[i]) == 0)
            return ends[i];
    return key->kind == SHUNT_MACHINE_SIZE ? "B" : "";
}

void machine_row_add(struct machine_results *results, const char *key, double residual, int samples,
                     const char *note)
{
    const struct shunt_machine_key *found = machine_key_find(key);
    if (found)
        add_row(results, key, unit_of(found), value_of(results, found), residual, samples, note);
}

void machine_row_add_count(struct machine_results *results, const char *name, int count,
                           double residual, int samples, const char *note)
{
    add_row(results, name, "", count, residual, samples, note);
}

static struct machine_row *find_row(struct machine_results *results, const char *key)
{
    for (int i = 0; i < results->count; i++)
        if (strcmp(results->rows[i].key, key) == 0)
            return &results->rows[i];
    return NULL;
}

void machine_row_change(struct machine_results *results, const char *key, double residual,
                        int samples, const char *note)
{
    struct machine_row *row = find_row(results, key);
    if (!row) {
        machine_row_add(results, key, residual, samples, note);
        return;
    }
    const size_t used = strlen(row->note);
    row->value = value_of(results, machine_key_find(key));
    row->residual = residual;
    row->samples = samples;
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", note);
}

void machine_results_judge(struct machine_results *results, struct measure_samples *samples)
{
    results->judged++;
    results->disturbed += measure_samples_disturbed(samples);
}

bool machine_results_busy(const struct machine_results *results)
{
    return results->disturbed * DISTURBED_PART > results->judged;
}
