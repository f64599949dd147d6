/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c: rows with something in common, added up, and what routing was worth for them. */
#include <stdlib.h>
#include <string.h>

#include "tools/report/report.h"

const char *shunt_report_source_name(enum shunt_report_source source)
{
    static const char *const names[] = {"unknown", "measured", "model", "same", "learned"};
    return names[source];
}

int shunt_report_likeness(const struct shunt_report_row *a, const struct shunt_report_row *b)
{
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->shape != b->shape)
        return a->shape < b->shape ? -1 : 1;
    return a->cell.key.sent - b->cell.key.sent;
}

size_t shunt_report_alike(const struct shunt_report_calls *calls,
                          const struct shunt_report_row *row, size_t *count)
{
    size_t low = 0, high = calls->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (shunt_report_likeness(calls->by_like[middle], row) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < calls->count; high++)
        if (shunt_report_likeness(calls->by_like[high], row) != 0)
            break;
    *count = high - low;
    return low;
}

/* Puts native calls like a row behind the cells. */
static size_t add_natives(const struct shunt_report_calls *calls,
                          const struct shunt_report_row *row, struct shunt_log_cell **cells)
{
    size_t alike, count = 0;
    const size_t first = shunt_report_alike(calls, row, &alike);
    for (size_t i = first; i < first + alike; i++)
        if (calls->by_like[i]->cell.key.kind == SHUNT_LOG_TURN ||
            calls->by_like[i]->cell.key.kind == SHUNT_LOG_EARLY)
            cells[count++] = &calls->by_like[i]->cell;
    return count;
}

static int by_likeness(const void *a, const void *b)
{
    return shunt_report_likeness(*(struct shunt_report_row *const *)a,
                                 *(struct shunt_report_row *const *)b);
}

bool shunt_report_estimate(const struct shunt_report_calls *calls,
                           struct shunt_report_row *const *rows, size_t count, double cost,
                           struct shunt_log_estimate *estimate)
{
    struct shunt_report_row **routed = calloc(count + 1, sizeof *routed);
    struct shunt_log_sizes sizes = {.slots = calloc((size_t)calls->count + 1, sizeof *sizes.slots)};
    const bool there = routed && sizes.slots;
    size_t kept = 0;
    *estimate = (struct shunt_log_estimate){0};
    for (size_t i = 0; there && i < count; i++)
        if (shunt_report_row_routed(rows[i]))
            routed[kept++] = rows[i];
    if (kept > 1)
        qsort(routed, kept, sizeof *routed, by_likeness);
    for (size_t i = 0; i < kept; i++) {
        if (i == 0 || shunt_report_likeness(routed[i - 1], routed[i]) != 0)
            sizes.count += add_natives(calls, routed[i], &sizes.slots[sizes.count]);
        sizes.slots[sizes.count++] = &routed[i]->cell;
    }
    sizes.capacity = sizes.count;
    if (there)
        *estimate = shunt_log_estimate(&sizes, cost);
    free(routed);
    free(sizes.slots);
    return there;
}

/* What the model says of routed rows, by the time that they took. */
static struct shunt_report_gain modelled(struct shunt_report_row *const *rows, size_t count)
{
    struct shunt_report_gain gain = {.source = SHUNT_REPORT_UNKNOWN};
    double seconds = 0, native = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shunt_report_row *row = rows[i];
        const double times =
            row->predicted > 0 ? row->predicted_native / row->predicted : row->logged_gain;
        if (!shunt_report_row_routed(row) || !(times > 0))
            continue;
        seconds += row->cell.seconds;
        native += row->cell.seconds * times;
        gain.compared += row->cell.calls;
    }
    if (seconds > 0) {
        gain.source = SHUNT_REPORT_MODEL;
        gain.speedup = native / seconds;
    }
    return gain;
}

/* What it was when rules were learned, against what routed rows took. */
static struct shunt_report_gain learned(struct shunt_report_row *const *rows, size_t count)
{
    struct shunt_report_gain gain = {.source = SHUNT_REPORT_UNKNOWN};
    double seconds = 0, native = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shunt_report_row *row = rows[i];
        if (!shunt_report_row_routed(row) || !(row->learned_native > 0))
            continue;
        seconds += row->cell.seconds;
        native += (double)row->cell.calls * row->learned_native;
        gain.compared += row->cell.calls;
    }
    if (seconds > 0) {
        gain.source = SHUNT_REPORT_LEARNED;
        gain.speedup = native / seconds;
    }
    return gain;
}

static bool find_gain(const struct shunt_report_calls *calls, struct shunt_report_row *const *rows,
                      size_t count, struct shunt_report_gain *gain)
{
    struct shunt_log_estimate estimate;
    if (!shunt_report_estimate(calls, rows, count, 0, &estimate))
        return false;
    if (estimate.ranks > 0)
        *gain = (struct shunt_report_gain){.source = SHUNT_REPORT_MEASURED,
                                           .speedup = estimate.speedup,
                                           .low = estimate.low,
                                           .high = estimate.high,
                                           .native = estimate.native,
                                           .compared = estimate.routed};
    else
        *gain = learned(rows, count);
    if (gain->source == SHUNT_REPORT_UNKNOWN)
        *gain = modelled(rows, count);
    return true;
}

static int text_order(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int rule_order(const struct shunt_report_row *a, const struct shunt_report_row *b)
{
    const struct shunt_log_key *x = &a->cell.key.entry->key, *y = &b->cell.key.entry->key;
    static const enum shunt_log_field fields[] = {SHUNT_LOG_FILE, SHUNT_LOG_ID, SHUNT_LOG_REASON};
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        const int order = text_order(x->field[fields[i]], y->field[fields[i]]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int order_by(enum shunt_report_by by, const struct shunt_report_row *a,
                    const struct shunt_report_row *b)
{
    if (by == SHUNT_REPORT_BY_RULE)
        return rule_order(a, b);
    if (by == SHUNT_REPORT_BY_COMMUNICATOR)
        return (a->communicator > b->communicator) - (a->communicator < b->communicator);
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return by == SHUNT_REPORT_BY_SIZE ? a->cell.key.size - b->cell.key.size : 0;
}

#define COMPARE(name, by)                                                                          \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        return order_by(by, *(struct shunt_report_row *const *)a,                                  \
                        *(struct shunt_report_row *const *)b);                                     \
    }
COMPARE(compare_operation, SHUNT_REPORT_BY_OPERATION)
COMPARE(compare_size, SHUNT_REPORT_BY_SIZE)
COMPARE(compare_communicator, SHUNT_REPORT_BY_COMMUNICATOR)
COMPARE(compare_rule, SHUNT_REPORT_BY_RULE)

static int longest_first(const void *a, const void *b)
{
    const struct shunt_report_group *x = a, *y = b;
    if (x->all.seconds != y->all.seconds)
        return x->all.seconds > y->all.seconds ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void add_part(struct shunt_log_part *part, const struct shunt_log_cell *cell)
{
    part->calls += cell->calls;
    part->bytes += cell->bytes;
    part->seconds += cell->seconds;
}

static bool make_group(struct shunt_report_group *group, const struct shunt_report_calls *calls,
                       struct shunt_report_row *const *rows, size_t count)
{
    *group = (struct shunt_report_group){.first = rows[0]};
    for (size_t i = 0; i < count; i++) {
        add_part(&group->all, &rows[i]->cell);
        if (shunt_report_row_routed(rows[i]))
            add_part(&group->routed, &rows[i]->cell);
    }
    return find_gain(calls, rows, count, &group->gain);
}

bool shunt_report_groups_make(struct shunt_report_groups *groups, const struct shunt_report *report,
                              enum shunt_report_by by)
{
    static int (*const compare[])(const void *, const void *) = {
        compare_operation, compare_size, compare_communicator, compare_rule};
    const struct shunt_report_calls *calls = &report->calls;
    const size_t all = calls->count;
    struct shunt_report_row **rows = calloc(all + 1, sizeof *rows);
    *groups = (struct shunt_report_groups){.group = calloc(all + 1, sizeof *groups->group)};
    bool good = rows && groups->group;
    size_t next;
    for (size_t i = 0; good && i < all; i++)
        rows[i] = calls->by_time[i];
    if (good && all > 1)
        qsort(rows, all, sizeof *rows, compare[by]);
    for (size_t i = 0; good && i < all; i = next) {
        for (next = i + 1; next < all && order_by(by, rows[i], rows[next]) == 0;)
            next++;
        good = make_group(&groups->group[groups->count++], calls, &rows[i], next - i);
    }
    if (good && by != SHUNT_REPORT_BY_SIZE && groups->count > 1)
        qsort(groups->group, groups->count, sizeof *groups->group, longest_first);
    free(rows);
    return good;
}

void shunt_report_groups_clear(struct shunt_report_groups *groups)
{
    free(groups->group);
    *groups = (struct shunt_report_groups){.group = NULL};
}

/* What the summaries of ranks say; where there is none, what their calls do, as a rank would. */
static bool find_verdict(struct shunt_report *report)
{
    const struct shunt_report_calls *calls = &report->calls;
    const uint64_t ranks = report->totals.ranks;
    struct shunt_log_estimate *verdict = &report->verdict;
    *verdict = report->totals.estimate;
    if (verdict->asked > 0 || calls->count == 0)
        return true;
    if (!shunt_report_estimate(calls, calls->by_time, calls->count, calls->cost, verdict))
        return false;
    verdict->spent = report->totals.all.seconds;
    verdict->crowded = calls->oversubscribed;
    verdict->asked *= ranks;
    verdict->ranks *= ranks;
    verdict->speedup *= (double)ranks;
    verdict->low *= (double)ranks;
    verdict->high *= (double)ranks;
    return true;
}

bool shunt_report_gains(struct shunt_report *report)
{
    struct shunt_report_calls *calls = &report->calls;
    for (uint32_t i = 0; i < calls->count; i++)
        if (shunt_report_row_routed(calls->by_time[i]) &&
            !find_gain(calls, &calls->by_time[i], 1, &calls->by_time[i]->gain))
            return false;
    return (calls->count == 0 || make_group(&report->all, calls, calls->by_time, calls->count)) &&
           find_verdict(report);
}
