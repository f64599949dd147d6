/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * what_if.c: what another table would have done with the calls of a log. Measured is what the same
 * log has of that algorithm in like calls; else the model's ratio of the two algorithms is held
 * against the time that was logged; else it is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/report/report.h"

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static void print_params(const struct shunt_decision *decision, char *text, size_t capacity)
{
    shunt_params_print(decision->algorithm, &decision->params, text, capacity);
}

/* Whether the calls of a row were done as the decision says. */
static bool is_done_so(const struct shunt_report_row *row, const struct shunt_decision *decision,
                       const char *params)
{
    return same_text(shunt_report_row_text(row, SHUNT_LOG_ALGORITHM), decision->algorithm->name) &&
           (decision->algorithm->kind == SHUNT_KIND_NATIVE ||
            same_text(shunt_report_row_text(row, SHUNT_LOG_PARAMS), params));
}

/* A copy of a cell as one side of a comparison: `native` stands for what was. */
static struct shunt_log_cell side(const struct shunt_log_cell *cell, bool was)
{
    struct shunt_log_cell copy = *cell;
    copy.key.kind = was ? SHUNT_LOG_TURN : SHUNT_LOG_ROUTED;
    return copy;
}

/* Times of like calls that were done as the decision says, against those of the row. */
static bool measure(const struct shunt_report *report, struct shunt_report_row *row,
                    const struct shunt_decision *decision, const char *params)
{
    size_t alike;
    const size_t first = shunt_report_alike(&report->calls, row, &alike);
    struct shunt_log_cell *cells = calloc(alike + 1, sizeof *cells);
    struct shunt_log_sizes sizes = {.slots = calloc(alike + 1, sizeof *sizes.slots)};
    const bool there = cells && sizes.slots;
    size_t count = 0;
    if (there)
        cells[count++] = side(&row->cell, true);
    for (size_t i = first; there && i < first + alike; i++) {
        const struct shunt_report_row *other = report->calls.by_like[i];
        if (other != row && other->cell.key.kind != SHUNT_LOG_WARM_UP &&
            is_done_so(other, decision, params))
            cells[count++] = side(&other->cell, false);
    }
    for (size_t i = 0; i < count; i++)
        sizes.slots[i] = &cells[i];
    sizes.capacity = sizes.count = count;
    if (count > 1) {
        const struct shunt_log_estimate estimate = shunt_log_estimate(&sizes, 0);
        if (estimate.ranks > 0)
            row->then.gain = (struct shunt_report_gain){.source = SHUNT_REPORT_MEASURED,
                                                        .speedup = estimate.speedup,
                                                        .low = estimate.low,
                                                        .high = estimate.high,
                                                        .native = estimate.native,
                                                        .compared = estimate.routed};
    }
    free(cells);
    free(sizes.slots);
    return there;
}

static void model(const struct shunt_report *report, struct shunt_report_row *row,
                  const struct shunt_decision *decision)
{
    if (!(row->predicted > 0)) {
        row->then.why = report->has_machine ? "the log has too few like calls, and the model does "
                                              "not know what was done, or was not asked"
                                            : "the log has too few like calls";
        return;
    }
    const double then =
        shunt_report_predict_decision(report, row, decision->algorithm, &decision->params);
    if (then > 0)
        row->then.gain = (struct shunt_report_gain){.source = SHUNT_REPORT_MODEL,
                                                    .speedup = row->predicted / then};
    else
        row->then.why = "the model does not know the algorithm";
}

/* Why no table is asked about calls; NULL: one is. */
static const char *aloof(const struct shunt_report_row *row)
{
    const char *reason = shunt_report_row_text(row, SHUNT_LOG_REASON);
    if (shunt_report_row_routed(row) || !reason || strcmp(reason, SHUNT_LOG_MODEL) == 0 ||
        strncmp(reason, SHUNT_LOG_NO_RULE, strlen(SHUNT_LOG_NO_RULE)) == 0 ||
        strcmp(reason, "no usable decision table") == 0)
        return NULL;
    return reason;
}

/* What a table does with all calls of a row; NULL: not the same with all of them. */
static const struct shunt_decision *decide(const struct shunt_report_row *row,
                                           const struct shunt_map *map, const char **why)
{
    const bool sparse = row->op == SHUNT_OP_ALLTOALLV;
    const struct shunt_map *part =
        shunt_map_part(map, sparse ? row->density_high : SHUNT_DENSITY_FULL);
    const struct shunt_decision *decision = shunt_map_find(part, row->block_high);
    if (sparse && part != shunt_map_part(map, row->density_low))
        *why = "densities on both sides of a border of the table, or not told";
    else if (decision != shunt_map_find(part, row->block_low))
        *why = "sizes on both sides of a border of the table";
    else
        return decision;
    return NULL;
}

static bool ask(const struct shunt_report *report, struct shunt_report_row *row)
{
    const struct shunt_report_shape *shape = &report->calls.shapes[row->shape];
    struct shunt_report_then *then = &row->then;
    char params[512];
    *then = (struct shunt_report_then){.seconds = -1};
    if (aloof(row)) {
        then->gain = (struct shunt_report_gain){.source = SHUNT_REPORT_SAME, .speedup = 1};
        then->seconds = row->cell.seconds;
        return true;
    }
    if (!shape->other_mapped[row->op] || row->block_high < 0) {
        then->why = "the log does not tell on which nodes the ranks are, or the size";
        return true;
    }
    then->decision = decide(row, &shape->other[row->op], &then->why);
    if (!then->decision)
        return true;
    print_params(then->decision, params, sizeof params);
    if (is_done_so(row, then->decision, params)) {
        then->gain = (struct shunt_report_gain){.source = SHUNT_REPORT_SAME, .speedup = 1};
    } else {
        if (!measure(report, row, then->decision, params))
            return false;
        if (then->gain.source == SHUNT_REPORT_UNKNOWN)
            model(report, row, then->decision);
    }
    if (then->gain.source != SHUNT_REPORT_UNKNOWN)
        then->seconds = row->cell.seconds / then->gain.speedup;
    return true;
}

bool shunt_report_what_if(struct shunt_report *report)
{
    for (uint32_t i = 0; report->other && i < report->calls.count; i++)
        if (!ask(report, report->calls.by_time[i]))
            return false;
    return true;
}

void shunt_report_changes(const struct shunt_report *report, struct shunt_report_change change[4])
{
    memset(change, 0, 4 * sizeof *change);
    for (uint32_t i = 0; i < report->calls.count; i++) {
        const struct shunt_report_row *row = &report->calls.rows[i];
        struct shunt_report_change *sum = &change[row->then.gain.source];
        sum->calls += row->cell.calls;
        sum->seconds += row->cell.seconds;
        sum->then += row->then.seconds >= 0 ? row->then.seconds : row->cell.seconds;
    }
    change[SHUNT_REPORT_UNKNOWN].calls += report->calls.beyond.calls;
    change[SHUNT_REPORT_UNKNOWN].seconds += report->calls.beyond.seconds;
    change[SHUNT_REPORT_UNKNOWN].then += report->calls.beyond.seconds;
}

void shunt_report_then_print(const struct shunt_report *report,
                             const struct shunt_report_then *then, char *algorithm, char *rule,
                             size_t capacity)
{
    const struct shunt_decision *decision = then->decision;
    char params[512];
    if (!decision) {
        snprintf(algorithm, capacity, "%s",
                 then->gain.source == SHUNT_REPORT_SAME ? "as it was" : "not known");
        snprintf(rule, capacity, "%s", then->why ? then->why : "tables are not asked");
        return;
    }
    print_params(decision, params, sizeof params);
    snprintf(algorithm, capacity, "%s%s%s", decision->algorithm->name, params[0] ? " " : "",
             params);
    if (decision->rule)
        shunt_tool_rule(report->other, decision->rule, rule, capacity);
    else
        snprintf(rule, capacity, "%s", decision->gain > 0 ? "the model's choice" : "none matches");
}
