/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: what was found, for people and for programs. */
#include <math.h>
#include <stdlib.h>

#include "config.h"
#include "log/json.h"
#include "tools/common/sheet.h"
#include "tools/common/tool.h"
#include "tools/machine/run.h"

/* A text of others in a line. */
static void put_plain(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++)
        putc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, stream);
}

static void put_fact(FILE *stream, const char *before, const char *name, const char *text)
{
    fprintf(stream, "%s%-10s", before, name);
    put_plain(stream, text);
    putc('\n', stream);
}

static void put_head(const struct machine_run *run, FILE *stream, const char *before)
{
    const struct measure_facts *facts = &run->job.facts;
    char text[400];
    put_fact(stream, before, "version", PACKAGE_STRING);
    put_fact(stream, before, "date", facts->date);
    put_fact(stream, before, "hosts", facts->hosts[0] != '\0' ? facts->hosts : facts->host);
    put_fact(stream, before, "processor", facts->processor);
    snprintf(text, sizeof text, "%d of a node%s", run->processors,
             run->bound ? ", of which the launcher gives every rank its own" : "");
    put_fact(stream, before, "usable", text);
    put_fact(stream, before, "library", facts->library);
    snprintf(text, sizeof text, "%d on %d node%s, %d to %d on each%s", run->size, run->nodes,
             shunt_tool_plural((uint64_t)run->nodes), facts->nodes.ppn_min, facts->nodes.ppn_max,
             facts->oversubscribed ? ": more than processors" : "");
    put_fact(stream, before, "ranks", text);
    if (facts->helper[0] != '\0')
        put_fact(stream, before, "helper", facts->helper);
    put_fact(stream, before, "command", run->job.command);
}

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_NAME, .title = "parameter"},
    {.key = SHUNT_KEY_VALUE, .in = SHUNT_IN_JSON, .digits = 6, .null = true},
    {.key = SHUNT_KEY_VALUE, .title = "value", .in = SHUNT_IN_TEXT, .right = true},
    {.key = SHUNT_KEY_UNIT, .title = "unit", .none = ""},
    {.key = SHUNT_KEY_RESIDUAL, .title = "residual", .in = SHUNT_IN_TEXT | SHUNT_IN_JSON},
    {.key = SHUNT_KEY_SAMPLES, .title = "samples"},
    {.key = SHUNT_KEY_NOTE, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_NOTE, .title = "note", .in = SHUNT_IN_TEXT, .none = ""},
};

static void put_rows(struct shunt_sheet *sheet, const struct machine_results *results)
{
    shunt_sheet_begin(sheet);
    for (int i = 0; i < results->count; i++) {
        const struct machine_row *r = &results->rows[i];
        char value[32] = "none";
        if (!isnan(r->value))
            snprintf(value, sizeof value, r->value < 1e4 ? "%.4g" : "%.0f", r->value);
        const struct shunt_field row[] = {shunt_field_text(r->key),
                                          shunt_field_real(r->value),
                                          shunt_field_text(value),
                                          shunt_field_text(r->unit),
                                          shunt_field_real(r->residual),
                                          shunt_field_count(r->samples),
                                          shunt_field_text(r->note[0] != '\0' ? r->note : NULL),
                                          shunt_field_text(r->note)};
        shunt_sheet_row(sheet, row);
    }
    measure_sheet_end(sheet);
}

/* Releases the text. */
static void put_lines(FILE *stream, const char *before, struct shunt_log_text *text)
{
    for (size_t i = 0; i < text->used; i++) {
        if (i == 0 || text->bytes[i - 1] == '\n')
            fputs(before, stream);
        putc(text->bytes[i], stream);
    }
    free(text->bytes);
}

void machine_report_table(const struct machine_run *run, FILE *stream, const char *before)
{
    put_head(run, stream, before);
    struct shunt_log_text text = {.grows = true};
    struct shunt_sheet sheet = SHUNT_SHEET(columns, .text = &text, .wide = before[0] != '\0');
    put_rows(&sheet, &run->results);
    fprintf(stream, "%s\n", before);
    put_lines(stream, before, &text);
    if (!run->options.energy_from)
        fprintf(stream, "%sEnergy is not measured; --energy-from takes it from a description.\n",
                before);
    for (int i = 0; i < run->warnings.count; i++)
        fprintf(stream, "%swarning: %s\n", before, run->warnings.text[i]);
}

static void json_head(struct shunt_json *json, const struct machine_run *run)
{
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, run->results.machine.name);
    shunt_json_put_array(json, SHUNT_KEY_HOSTS);
    if (run->job.facts.hosts[0] != '\0')
        shunt_json_string(json, run->job.facts.hosts);
    shunt_json_close(json);
    measure_facts_json(json, &run->job.facts, run->processors, false, run->job.command);
}

int machine_report_json(const struct machine_run *run, FILE *stream)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    json_head(&json, run);
    shunt_json_put_array(&json, SHUNT_KEY_WARNINGS);
    for (int i = 0; i < run->warnings.count; i++)
        shunt_json_string(&json, run->warnings.text[i]);
    shunt_json_close(&json);
    shunt_json_line(&json);
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = SHUNT_SHEET_JSON, .json = &json, .list = SHUNT_KEY_MEASURES);
    put_rows(&sheet, &run->results);
    shunt_json_line(&json);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stream);
}
