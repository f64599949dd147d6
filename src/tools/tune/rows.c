/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: what came of a run: rows for people and programs, and the object around these. */
#include <stdio.h>

#include "base/size.h"
#include "config.h"
#include "tools/common/tool.h"
#include "tools/tune/run.h"

/* Why there is no gain to tell; NULL: there is one, or nothing was faster than native. */
static const char *reason_of(const struct tune_run *run, const struct tune_outcome *outcome)
{
    if (!outcome->measured)
        return "there was no time";
    if (outcome->withdrawn)
        return run->options.validate ? "it cannot run here and falls back to native"
                                     : "a winner lost when measured again";
    return NULL;
}

/* What a row points to. */
struct room {
    char layout[64], block[24], interval[48], note[128];
};

/* Also where it is not known, if the rest is. */
static void put_mode(struct shunt_json *json, const void *value)
{
    const char *mode = value;
    shunt_json_put_string(json, SHUNT_KEY_MODE, mode[0] != '-' ? mode : NULL);
}

#define REAL .digits = SHUNT_SIGNIFICANT(9)

/* As wide as most need it, for rows may be printed one by one. */
static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION, .title = "operation"},
    {.key = SHUNT_KEY_LAYOUT, .title = "layout", .in = SHUNT_IN_TEXT},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_NODES},
    {.key = SHUNT_KEY_PPN_MIN},
    {.key = SHUNT_KEY_PPN_MAX},
    {.key = SHUNT_KEY_BLOCK},
    {.key = SHUNT_KEY_BLOCK, .title = "block", .in = SHUNT_IN_TEXT, .right = true},
    {.key = SHUNT_KEY_WINNER, .title = "algorithm", .in = SHUNT_IN_TEXT, .least = 13, .most = 24},
    {.key = SHUNT_KEY_REASON, .null = true},
    {.key = SHUNT_KEY_LARGEST},
    {.key = SHUNT_KEY_NATIVE, .title = "native", .least = 7, .digits = SHUNT_SIGNIFICANT(9)},
    {.key = SHUNT_KEY_WINNER, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_MEDIAN, .within = {SHUNT_KEY_SPEEDUP}, .title = "gain", .least = 5, REAL},
    {.key = SHUNT_KEY_LOW, .within = {SHUNT_KEY_SPEEDUP}, REAL},
    {.key = SHUNT_KEY_HIGH, .within = {SHUNT_KEY_SPEEDUP}, REAL},
    {.key = SHUNT_KEY_SPEEDUP, .title = "interval", .in = SHUNT_IN_TEXT, .least = 12},
    {.key = SHUNT_KEY_MODE, .title = "in calls", .in = SHUNT_IN_TEXT, .least = 12},
    {.key = SHUNT_KEY_MODE, .in = SHUNT_IN_JSON, .own = put_mode},
    {.key = SHUNT_KEY_SAMPLES},
    {.key = SHUNT_KEY_BUILT_IN, .title = "built-in", .least = 8, REAL},
    {.key = SHUNT_KEY_BUSY},
    {.key = SHUNT_KEY_LOSES},
    {.key = SHUNT_KEY_NOTE, .title = "", .in = SHUNT_IN_TEXT, .none = ""},
};

static void note(const struct tune_run *run, const struct tune_outcome *o, struct room *room)
{
    const char *reason = reason_of(run, o);
    const bool busy = o->busy && !run->options.simulated;
    snprintf(room->note, sizeof room->note, "%s%s%s%s%s%s", o->loses ? "LOSES" : "",
             o->loses && busy ? ", " : "", busy ? "busy" : "",
             reason && (o->loses || busy) ? ", " : "",
             reason && !o->measured ? "not measured: " : "", reason ? reason : "");
}

static void put_row(struct shunt_sheet *sheet, const struct tune_run *run,
                    const struct tune_sweep *sweep, int index)
{
    const struct tune_outcome *o = &sweep->outcomes[index];
    const bool known = o->measured, simulated = run->options.simulated != NULL;
    const char *mode = known && !simulated ? tune_outcome_mode(o) : "-";
    struct room room;
    tune_place_print(&sweep->place, room.layout, sizeof room.layout);
    shunt_size_print(known ? o->largest : sweep->blocks[index], room.block, sizeof room.block);
    snprintf(room.interval, sizeof room.interval, "%.2f .. %.2f", o->gain.low, o->gain.high);
    note(run, o, &room);
    const struct shunt_field row[] = {shunt_field_text(shunt_op_name(sweep->op)),
                                      shunt_field_text(room.layout),
                                      shunt_field_count(sweep->place.ranks),
                                      shunt_field_count(sweep->place.nodes),
                                      shunt_field_count(sweep->place.ppn_min),
                                      shunt_field_count(sweep->place.ppn_max),
                                      shunt_field_count(sweep->blocks[index]),
                                      shunt_field_text(room.block),
                                      shunt_field_text(known ? o->text : NULL),
                                      shunt_field_text(reason_of(run, o)),
                                      shunt_field_count(known ? o->largest : -1),
                                      shunt_field_real(known ? o->native : -1),
                                      shunt_field_text(known ? o->text : NULL),
                                      shunt_field_real(known ? o->gain.median : -1),
                                      shunt_field_real(known ? o->gain.low : -1),
                                      shunt_field_real(known ? o->gain.high : -1),
                                      shunt_field_text(known ? room.interval : NULL),
                                      shunt_field_text(mode),
                                      shunt_field_own(known ? mode : NULL),
                                      shunt_field_count(known ? (simulated ? 0 : o->pairs) : -1),
                                      shunt_field_real(known ? o->builtin_gain : -1),
                                      known ? shunt_field_flag(o->busy && !simulated)
                                            : shunt_field_unknown(),
                                      known ? shunt_field_flag(o->loses) : shunt_field_unknown(),
                                      shunt_field_text(room.note)};
    shunt_sheet_row(sheet, row);
}

static void begin(struct shunt_sheet *sheet)
{
    sheet->column = columns;
    sheet->columns = SHUNT_COUNT_OF(columns);
    shunt_sheet_begin(sheet);
}

void tune_row_print(const struct tune_run *run, const struct tune_sweep *sweep, int index)
{
    struct shunt_sheet sheet = {.untitled = run->done > 1};
    begin(&sheet);
    put_row(&sheet, run, sweep, index);
    measure_sheet_end(&sheet);
}

void tune_rows_put(struct shunt_sheet *sheet, const struct tune_run *run)
{
    begin(sheet);
    for (int s = 0; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++)
            put_row(sheet, run, &run->sweeps[s], i);
    if (sheet->json)
        shunt_json_line(sheet->json);
    measure_sheet_end(sheet);
}

static void put_head(struct shunt_json *json, const struct tune_run *run,
                     const struct tune_evidence *e)
{
    const struct tune_options *o = &run->options;
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_COMMAND, run->job.command);
    shunt_json_put_string(json, SHUNT_KEY_DATE, run->job.facts.date);
    shunt_json_put_string(json, SHUNT_KEY_PROCESSOR, run->job.facts.processor);
    shunt_json_put_known(json, SHUNT_KEY_PROCESSORS, run->job.facts.processors);
    shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED, run->job.facts.oversubscribed);
    shunt_json_put_string(json, SHUNT_KEY_LIBRARY, run->job.facts.library);
    shunt_json_put_unsigned(json, SHUNT_KEY_SEED, o->cells.seed);
    shunt_json_put_string(json, SHUNT_KEY_TABLE, o->validate ? o->validate : o->output);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, o->simulated ? run->model.name : NULL);
    shunt_json_put_real(json, SHUNT_KEY_SPEEDUP, e->gain);
    shunt_json_put_real(json, SHUNT_KEY_BUILT_IN, e->builtin_gain);
    char advice[TUNE_ADVICE_ROOM];
    tune_advise(e, advice, sizeof advice);
    shunt_json_put_string(json, SHUNT_KEY_ADVICE, advice);
}

int tune_run_print_json(const struct tune_run *run, const struct tune_evidence *evidence)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    put_head(&json, run, evidence);
    struct shunt_sheet sheet = {.form = SHUNT_SHEET_JSON, .json = &json, .list = SHUNT_KEY_CASES};
    tune_rows_put(&sheet, run);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stdout);
}
