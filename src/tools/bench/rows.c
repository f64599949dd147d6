/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: the figures of a candidate in a case, in all forms. */
#include <stdio.h>
#include <string.h>

#include "tools/bench/bench.h"

enum { NAME_LEAST = 9, NAME_MOST = 19 };

static void put_phases(struct shunt_json *json, const void *value)
{
    const struct bench_row_room *of = value;
    shunt_json_put_object(json, SHUNT_KEY_PHASES_US);
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++) {
        shunt_json_name(json, bench_phase_name(phase));
        shunt_json_fixed(json, 1e6 * of->result->phases[phase], 3);
    }
    shunt_json_close(json);
}

static void put_times(struct shunt_json *json, const void *value)
{
    const struct bench_row_room *of = value;
    shunt_json_put_array(json, SHUNT_KEY_TIMES_US);
    for (int i = 0; i < of->bench->options.repetitions; i++)
        shunt_json_fixed(json, 1e6 * of->result->seconds[i], 3);
    shunt_json_close(json);
}

#define CSV .in = SHUNT_IN_CSV
#define JSON .in = SHUNT_IN_JSON
#define TEXT .in = SHUNT_IN_TEXT, .none = ""
#define RATIO .digits = 6, .csv_digits = 4
#define PHASE(name_)                                                                               \
    {                                                                                              \
        .key = SHUNT_KEY_PHASES_US, .name = (name_), .digits = 3, CSV                              \
    }

const struct shunt_column bench_columns[] = {
    {.key = SHUNT_KEY_OPERATION, CSV},
    {.key = SHUNT_KEY_DISTRIBUTION, CSV, .quoted = true},
    {.key = SHUNT_KEY_BLOCK, CSV},
    {.key = SHUNT_KEY_LARGEST, CSV},
    {.key = SHUNT_KEY_MEAN, CSV, .digits = 1},
    {.key = SHUNT_KEY_RANKS, CSV},
    {.key = SHUNT_KEY_NODES, CSV},
    {.key = SHUNT_KEY_CANDIDATE,
     .title = "candidate",
     .in = SHUNT_IN_TEXT | SHUNT_IN_JSON,
     .least = NAME_LEAST,
     .most = NAME_MOST},
    {.key = SHUNT_KEY_ALGORITHM},
    {.key = SHUNT_KEY_PARAMETERS},
    {.key = SHUNT_KEY_REASON, JSON},
    {.key = SHUNT_KEY_REPETITIONS, CSV},
    {.key = SHUNT_KEY_LEAST,
     .name = "least_us",
     .title = "least us",
     .in = SHUNT_IN_TEXT | SHUNT_IN_CSV,
     .digits = 3,
     .text_digits = 1},
    {.key = SHUNT_KEY_MEDIAN, .title = "median us", TEXT, .text_digits = 1},
    {.key = SHUNT_KEY_MEDIAN, .name = "median_us", .within = {SHUNT_KEY_US}, .digits = 3},
    {.key = SHUNT_KEY_LOW, .name = "low_us", .within = {SHUNT_KEY_US}, .digits = 3},
    {.key = SHUNT_KEY_HIGH, .name = "high_us", .within = {SHUNT_KEY_US}, .digits = 3},
    {.key = SHUNT_KEY_US, .title = "interval us", TEXT},
    {.key = SHUNT_KEY_MEDIAN,
     .name = "speedup",
     .title = "speed-up",
     .within = {SHUNT_KEY_SPEEDUP},
     RATIO,
     .none = "",
     .optional = true},
    {.key = SHUNT_KEY_LOW, .name = "speedup_low", .within = {SHUNT_KEY_SPEEDUP}, RATIO},
    {.key = SHUNT_KEY_HIGH, .name = "speedup_high", .within = {SHUNT_KEY_SPEEDUP}, RATIO},
    {.key = SHUNT_KEY_SPEEDUP, .title = "its interval", TEXT, .optional = true},
    {.key = SHUNT_KEY_MEDIAN,
     .name = "lower_bound_ratio",
     .title = "/ bound",
     .within = {SHUNT_KEY_LOWER_BOUND_RATIO},
     RATIO,
     .none = "",
     .optional = true},
    {.key = SHUNT_KEY_LOW, .within = {SHUNT_KEY_LOWER_BOUND_RATIO}, RATIO, JSON},
    {.key = SHUNT_KEY_HIGH, .within = {SHUNT_KEY_LOWER_BOUND_RATIO}, RATIO, JSON},
    {.key = SHUNT_KEY_WRONG, CSV},
    {.key = SHUNT_KEY_WRONG, JSON},
    PHASE("agreement_us"),
    PHASE("prepare_us"),
    PHASE("metadata_us"),
    PHASE("copy_us"),
    PHASE("node_us"),
    PHASE("rearrange_us"),
    PHASE("remote_us"),
    PHASE("other_us"),
    {.key = SHUNT_KEY_PHASES_US, JSON, .own = put_phases},
    {.key = SHUNT_KEY_TIMES_US, JSON, .own = put_times},
    {.key = SHUNT_KEY_REASON, CSV, .quoted = true},
    {.key = SHUNT_KEY_CANDIDATE, CSV},
    {.key = SHUNT_KEY_NOTE, .title = "", TEXT},
};
_Static_assert(sizeof bench_columns / sizeof bench_columns[0] == BENCH_COLUMNS, "columns of a row");

void bench_distribution_name(const struct measure_case *c, char name[BENCH_DISTRIBUTION_ROOM])
{
    snprintf(name, BENCH_DISTRIBUTION_ROOM, "constant");
    if (c->op == SHUNT_OP_ALLTOALLV)
        measure_distribution_print(c->distribution, name, BENCH_DISTRIBUTION_ROOM);
}

/* The same three in JSON and CSV, and for people a median and "low .. high". */
static struct shunt_field *put_interval(struct shunt_field *row, struct measure_interval interval,
                                        double scale, bool known)
{
    const double values[] = {interval.median, interval.low, interval.high};
    for (int i = 0; i < 3; i++)
        *row++ = shunt_field_real(known ? scale * values[i] : -1);
    return row;
}

/* row: the place behind the parameters. */
static void put_figures(struct shunt_field *row, struct bench_row_room *room,
                        const struct bench *bench, const struct measure_result *r)
{
    const bool measured = !r->reason[0], native = bench->candidates[0].kind == MEASURE_NATIVE,
               phases = measured && bench->options.phases && r->candidate->kind == MEASURE_ROUTED;
    snprintf(room->interval, sizeof room->interval, "%.1f .. %.1f", 1e6 * r->time.low,
             1e6 * r->time.high);
    snprintf(room->ratio, sizeof room->ratio, "%.2f .. %.2f", r->speedup.low, r->speedup.high);
    *row++ = shunt_field_real(measured ? 1e6 * r->time.least : -1);
    *row++ = shunt_field_real(measured ? 1e6 * r->time.median : -1);
    row = put_interval(row, r->time, 1e6, measured);
    *row++ = shunt_field_text(measured ? room->interval : NULL);
    row = put_interval(row, r->speedup, 1, measured && native);
    *row++ = shunt_field_text(
        measured && native && r->candidate->kind != MEASURE_NATIVE ? room->ratio : NULL);
    row = put_interval(row, r->lower_bound, 1, measured && r->lower_bound.median > 0);
    *row++ = shunt_field_count(measured ? r->wrong : -1);
    *row++ = shunt_field_count(measured && bench->options.check ? r->wrong : -1);
    for (int phase = 0; phase < SHUNT_PHASE_COUNT; phase++)
        *row++ = shunt_field_real(phases ? 1e6 * r->phases[(phase + 1) % SHUNT_PHASE_COUNT] : -1);
    *row++ = shunt_field_own(phases ? room : NULL);
    *row++ = shunt_field_own(measured ? room : NULL);
    *row++ = shunt_field_text(r->reason);
    *row++ = shunt_field_text(r->text);
    snprintf(room->note, sizeof room->note, "WRONG bytes (%lld times)", (long long)r->wrong);
    *row = shunt_field_text(!measured ? r->reason : r->wrong > 0 ? room->note : NULL);
}

void bench_row_make(struct shunt_field row[BENCH_COLUMNS], struct bench_row_room *room,
                    const struct bench *bench, const struct measure_case *c,
                    const struct measure_result *r)
{
    room->bench = bench;
    room->result = r;
    bench_distribution_name(c, room->distribution);
    *row++ = shunt_field_text(shunt_op_name(c->op));
    *row++ = shunt_field_text(room->distribution);
    *row++ = shunt_field_count(c->block);
    *row++ = shunt_field_count(c->largest);
    *row++ = shunt_field_real(c->mean);
    *row++ = shunt_field_count(bench->world.size);
    *row++ = shunt_field_count(bench->job.facts.nodes.count);
    *row++ = shunt_field_text(r->text);
    *row++ = shunt_field_text(r->name);
    *row++ = shunt_field_text(r->params);
    *row++ = shunt_field_text(r->reason[0] ? r->reason : NULL);
    *row++ = shunt_field_count(bench->options.repetitions);
    put_figures(row, room, bench, r);
}

void bench_rows_put(struct shunt_sheet *sheet, const struct bench *bench,
                    const struct measure_case *c, const struct measure_result *results)
{
    sheet->column = bench_columns;
    sheet->columns = BENCH_COLUMNS;
    shunt_sheet_begin(sheet);
    for (int k = 0; k < bench->candidate_count; k++) {
        struct shunt_field row[BENCH_COLUMNS];
        struct bench_row_room room;
        bench_row_make(row, &room, bench, c, &results[k]);
        shunt_sheet_row(sheet, row);
    }
    measure_sheet_end(sheet);
}
