/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c: what the cost model says of calls that were logged: ratios of two predictions, held
 * against the time that the calls really took. */
#include <stdlib.h>
#include <string.h>

#include "model/cost.h"
#include "tools/report/report.h"

/* A second's work. */
enum { EVENTS_MOST = 20000000 };

/* Blocks of an MPI_Alltoallv differ: by the largest one alone it would be predicted to take many
 * times what it takes. */
static int64_t block_of(const struct shunt_report_row *row)
{
    if (row->op == SHUNT_OP_ALLTOALLV && row->mean_calls > 0)
        return (int64_t)(row->mean / (double)row->mean_calls + 0.5);
    return row->block_high;
}

double shunt_report_predict_decision(const struct shunt_report *report,
                                     const struct shunt_report_row *row,
                                     const struct shunt_algorithm *algorithm,
                                     const struct shunt_params *params)
{
    const struct shunt_report_shape *shape = &report->calls.shapes[row->shape];
    const int64_t block = block_of(row);
    struct shunt_cost cost;
    const bool can = algorithm->build || algorithm->kind == SHUNT_KIND_NATIVE ||
                     algorithm->kind == SHUNT_KIND_LIBRARY;
    if (!report->has_machine || !shape->placed || block < 0 || !can)
        return 0;
    const struct shunt_cost_call call = {
        .machine = &report->machine,
        .call = {.op = row->op,
                 .algorithm = algorithm,
                 .layout = &shape->layout,
                 .params = params,
                 .block = block,
                 .agrees = row->op == SHUNT_OP_ALLTOALLV && shunt_kind_agrees(algorithm->kind)},
        .most = EVENTS_MOST};
    return shunt_cost_predict(&cost, &call) == SHUNT_COST_OK ? cost.time : 0;
}

/* Parameters as the log tells them: "radix=4 batch_size=16". */
static bool read_params(const struct shunt_report_row *row, const struct shunt_layout *layout,
                        const struct shunt_algorithm **algorithm, struct shunt_params *params)
{
    const char *given = shunt_report_row_text(row, SHUNT_LOG_PARAMS);
    char text[512];
    struct shunt_diagnostics ignored = {0};
    const int length = snprintf(text, sizeof text, "%s=%s%s%s", shunt_op_name(row->op),
                                shunt_report_row_text(row, SHUNT_LOG_ALGORITHM),
                                given && given[0] != '\0' ? ":" : "", given ? given : "");
    if (length < 0 || (size_t)length >= sizeof text)
        return false;
    for (char *at = text; *at != '\0'; at++)
        *at = *at == ' ' ? ':' : *at;
    struct shunt_table *table = shunt_table_from_force(text, &ignored);
    shunt_diagnostics_clear(&ignored);
    if (!table)
        return false;
    const struct shunt_rule *rule = &table->rules[table->rule_first[row->op]];
    *algorithm = shunt_registry_row(rule->algorithm);
    *params = shunt_params_evaluate(*algorithm, rule->present, rule->given, layout);
    free(table);
    return true;
}

static void predict(const struct shunt_report *report, struct shunt_report_row *row)
{
    const struct shunt_report_shape *shape = &report->calls.shapes[row->shape];
    const struct shunt_algorithm *algorithm, *native = shunt_registry_row(0);
    struct shunt_params params, none = {0};
    if (!shape->placed || !read_params(row, &shape->layout, &algorithm, &params))
        return;
    row->predicted = shunt_report_predict_decision(report, row, algorithm, &params);
    row->predicted_native = algorithm == native
                                ? row->predicted
                                : shunt_report_predict_decision(report, row, native, &none);
    if (!(row->predicted_native > 0))
        row->predicted = 0;
}

void shunt_report_predict(struct shunt_report *report)
{
    const struct shunt_report_calls *calls = &report->calls;
    for (uint32_t i = 0; report->has_machine && i < calls->count && i < SHUNT_REPORT_PREDICTED; i++)
        predict(report, calls->by_time[i]);
}
