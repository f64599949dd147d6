/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: what was found, for people and for programs. */
#include <math.h>

#include "config.h"
#include "log/json.h"
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

static void put_row(const struct machine_row *row, FILE *stream, const char *before)
{
    char value[32] = "none", residual[32] = "-";
    if (!isnan(row->value))
        snprintf(value, sizeof value, row->value < 1e4 ? "%.4g" : "%.0f", row->value);
    if (row->residual >= 0)
        snprintf(residual, sizeof residual, "%.1f", 100 * row->residual);
    fprintf(stream, "%s%-22s %10s %-4s %10s %8d%s", before, row->key, value, row->unit, residual,
            row->samples, row->note[0] != '\0' ? "  " : "");
    put_plain(stream, row->note);
    putc('\n', stream);
}

void machine_report_table(const struct machine_run *run, FILE *stream, const char *before)
{
    put_head(run, stream, before);
    fprintf(stream, "%s\n%s%-22s %10s %-4s %10s %8s  %s\n", before, before, "parameter", "value",
            "unit", "residual %", "samples", "note");
    for (int i = 0; i < run->results.count; i++)
        put_row(&run->results.rows[i], stream, before);
    if (!run->options.energy_from)
        fprintf(stream, "%sEnergy is not measured; --energy-from takes it from a description.\n",
                before);
    for (int i = 0; i < run->warnings.count; i++)
        fprintf(stream, "%swarning: %s\n", before, run->warnings.text[i]);
}

static void json_row(struct shunt_json *json, const struct machine_row *row)
{
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_NAME, row->key);
    shunt_json_put_fixed(json, SHUNT_KEY_VALUE, row->value, 6);
    shunt_json_put_string(json, SHUNT_KEY_UNIT, row->unit);
    if (row->residual >= 0)
        shunt_json_put_number(json, SHUNT_KEY_RESIDUAL, row->residual);
    shunt_json_put_known(json, SHUNT_KEY_SAMPLES, row->samples);
    if (row->note[0] != '\0')
        shunt_json_put_string(json, SHUNT_KEY_NOTE, row->note);
    shunt_json_close(json);
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
    shunt_json_put_array(&json, SHUNT_KEY_MEASURES);
    for (int i = 0; i < run->results.count; i++)
        json_row(&json, &run->results.rows[i]);
    shunt_json_close(&json);
    shunt_json_line(&json);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stream);
}
