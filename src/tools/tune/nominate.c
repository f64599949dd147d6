/* SPDX-License-Identifier: BSD-3-Clause */
/* nominate.c: see nominate.h. */
#include "tools/tune/nominate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/candidates.h"
#include "model/cost.h"
#include "route/builtin.h"
#include "route/route.h"
#include "route/write.h"

/* Events that a prediction may run: what takes more than a moment is not predicted. */
enum { EVENTS_MOST = 2000000 };

static const double FURTHER = 2;

/* A candidate and what is told of it. */
struct rated {
    const struct shunt_candidate *candidate;
    double predicted;
    bool first; /* of its algorithm */
};

/* "parlogna:radix=sqrt(P):metadata=fused". */
static void spell(const struct shunt_algorithm *algorithm, unsigned present,
                  const struct shunt_value *given, char *text)
{
    struct shunt_rule rule = {.present = present};
    char value[64];
    memcpy(rule.given, given, sizeof rule.given);
    size_t used = (size_t)snprintf(text, TUNE_TEXT_ROOM, "%s", algorithm->name);
    for (int i = 0; i < SHUNT_PARAM_COUNT && used < TUNE_TEXT_ROOM; i++) {
        shunt_rule_value_print(&rule, (enum shunt_param)i, value, sizeof value);
        if (value[0] != '\0')
            used += (size_t)snprintf(text + used, TUNE_TEXT_ROOM - used, ":%s=%s",
                                     shunt_param_name((enum shunt_param)i), value);
    }
}

/* Fewer values given, then the order of the registry; native: 0. */
static int simplicity_of(const struct shunt_algorithm *algorithm, unsigned present)
{
    return 1000 * __builtin_popcount(present) + shunt_registry_index(algorithm);
}

static double predict(const struct tune_field *field, enum shunt_op op, int64_t block,
                      const struct shunt_candidate *candidate)
{
    struct shunt_cost cost;
    const struct shunt_cost_call call = {
        .machine = field->machine,
        .call = {.op = op,
                 .algorithm = candidate->algorithm,
                 .params = &candidate->params,
                 .layout = field->layout,
                 .block = block},
        .most = EVENTS_MOST,
    };
    return shunt_cost_predict(&cost, &call) == SHUNT_COST_OK ? cost.time : INFINITY;
}

static int by_prediction(const void *a, const void *b)
{
    const struct rated *x = a, *y = b;
    if (x->predicted < y->predicted || x->predicted > y->predicted)
        return x->predicted < y->predicted ? -1 : 1;
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

/* Whether a name is among those between commas. */
static bool is_wanted(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return !names;
}

static void add(struct tune_entries *entries, const struct shunt_algorithm *algorithm,
                unsigned present, const struct shunt_value *given, double predicted)
{
    struct tune_entry *entry = &entries->entry[entries->count];
    *entry = (struct tune_entry){.simplicity = simplicity_of(algorithm, present),
                                 .predicted = predicted};
    spell(algorithm, present, given, entry->text);
    if (tune_entries_find(entries, entry->text) < 0)
        entries->count++;
}

/* Marks the first of each algorithm in a sorted list, and whether it is likely at all. */
static void choose(const struct tune_field *field, struct rated *rated, size_t count, double native,
                   struct tune_entries *entries)
{
    for (size_t i = 0; i < count; i++) {
        const struct shunt_candidate *c = rated[i].candidate;
        rated[i].first = true;
        for (size_t k = 0; k < i && rated[i].first; k++)
            rated[i].first = rated[k].candidate->algorithm != c->algorithm;
    }
    for (int further = 0; further < 2; further++)
        for (size_t i = 0; i < count && entries->count <= field->most; i++) {
            const double predicted = rated[i].predicted;
            const bool likely = further == 0
                                    ? !isfinite(predicted) || predicted < TUNE_UNLIKELY * native
                                    : predicted <= FURTHER * rated[0].predicted;
            if (rated[i].first == (further == 0) && likely)
                add(entries, rated[i].candidate->algorithm, rated[i].candidate->present,
                    rated[i].candidate->given, predicted);
        }
}

/* What the built-in table takes here, as it is spelt there. */
static bool add_builtin(const struct tune_field *field, enum shunt_op op, int64_t block,
                        struct tune_entries *entries)
{
    struct shunt_map map;
    if (shunt_map_build(&map, shunt_builtin_table(), op, field->layout, field->memory) != 0)
        return false;
    const struct shunt_rule *rule = shunt_map_find(&map, block)->rule;
    const struct shunt_algorithm *algorithm =
        rule ? shunt_registry_row(rule->algorithm) : shunt_registry_row(0);
    if (rule && algorithm->kind != SHUNT_KIND_NATIVE && is_wanted(field->names, algorithm->name)) {
        struct tune_entry probe;
        add(entries, algorithm, rule->present, rule->given, INFINITY);
        spell(algorithm, rule->present, rule->given, probe.text);
        entries->builtin = tune_entries_find(entries, probe.text);
    }
    shunt_map_clear(&map);
    return true;
}

static void add_also(const struct tune_field *field, struct tune_entries *entries)
{
    char name[TUNE_TEXT_ROOM];
    if (!field->also || tune_entries_find(entries, field->also) >= 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(field->also, ":"), field->also);
    const struct shunt_algorithm *algorithm = shunt_registry_find(name);
    unsigned values = 0;
    for (const char *at = field->also; (at = strchr(at, ':')); at++)
        values = values << 1 | 1;
    struct tune_entry *entry = &entries->entry[entries->count++];
    *entry = (struct tune_entry){.predicted = INFINITY};
    entry->simplicity = algorithm ? simplicity_of(algorithm, values) : 1000000;
    snprintf(entry->text, sizeof entry->text, "%s", field->also);
}

bool tune_nominate_all(const struct tune_field *field, enum shunt_op op, int64_t block,
                       struct tune_entries *entries)
{
    struct shunt_candidates candidates;
    memset(entries, 0, sizeof *entries);
    const bool made =
        shunt_candidates_make(&candidates, op, field->layout, block, field->memory) == 0;
    struct rated *rated = made ? calloc(candidates.count + 1, sizeof *rated) : NULL;
    size_t count = 0;
    if (rated) {
        const double native = predict(field, op, block, &candidates.candidate[0]);
        snprintf(entries->entry[0].text, TUNE_TEXT_ROOM, "native");
        entries->entry[0].predicted = native;
        entries->count = 1;
        for (size_t i = 1; i < candidates.count; i++)
            if (is_wanted(field->names, candidates.candidate[i].algorithm->name))
                rated[count++] =
                    (struct rated){&candidates.candidate[i],
                                   predict(field, op, block, &candidates.candidate[i]), false};
        qsort(rated, count, sizeof *rated, by_prediction);
        choose(field, rated, count, native, entries);
        add_also(field, entries);
    }
    free(rated);
    shunt_candidates_clear(&candidates);
    return rated && add_builtin(field, op, block, entries);
}
