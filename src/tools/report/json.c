/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: the report for programs, as report.schema.json describes it. */
#include "log/json.h"

#include <errno.h>
#include <stdlib.h>

#include "config.h"
#include "tools/log/view.h"
#include "tools/report/report.h"
#include "tools/tool.h"

/* Ranks that are told, of those that arrive late and of those that wait. */
enum { RANKS = 20 };

static void put_gain(struct shunt_json *json, const struct shunt_report_gain *gain)
{
    shunt_json_put_object(json, SHUNT_KEY_GAIN);
    shunt_json_put_string(json, SHUNT_KEY_BASIS, shunt_report_source_name(gain->source));
    if (gain->source != SHUNT_REPORT_UNKNOWN)
        shunt_json_put_real(json, SHUNT_KEY_SPEEDUP, gain->speedup);
    if (gain->source == SHUNT_REPORT_MEASURED) {
        shunt_json_put_real(json, SHUNT_KEY_LOW, gain->low);
        shunt_json_put_real(json, SHUNT_KEY_HIGH, gain->high);
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, gain->native);
    }
    if (gain->compared > 0)
        shunt_json_put_unsigned(json, SHUNT_KEY_COMPARED, gain->compared);
    shunt_json_close(json);
}

/* Which run it was. */
static void put_run(struct shunt_json *json, const struct shunt_report *report)
{
    const struct shunt_report_facts *facts = &report->facts;
    char date[64];
    struct shunt_log_text printed = {.bytes = date, .capacity = sizeof date - 1};
    shunt_report_put_date(&printed, facts, true);
    date[printed.used] = '\0';
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_RUN);
    shunt_json_put_string(json, SHUNT_KEY_DATE, facts->began > 0 ? date : NULL);
    if (report->totals.longest > 0)
        shunt_json_put_number(json, SHUNT_KEY_ELAPSED, report->totals.longest);
    shunt_json_put_array(json, SHUNT_KEY_RANKS_OF_HOSTS);
    for (size_t i = 0; i < facts->hosts.count; i++) {
        const struct shunt_log_entry *host = facts->hosts.slots[i];
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_HOST, shunt_log_entry_field(host, SHUNT_LOG_ID));
        shunt_json_put_unsigned(json, SHUNT_KEY_RANKS, host->calls);
        shunt_json_close(json);
    }
    shunt_json_close(json);
    shunt_json_put_string(json, SHUNT_KEY_OTHER_MPI, NULL);
    shunt_json_close(json);
}

static void put_unused(struct shunt_json *json, const struct shunt_report *report)
{
    size_t count;
    bool known;
    struct shunt_report_unused *list = shunt_report_unused_find(report, &count, &known);
    shunt_json_line(json);
    if (known) {
        shunt_json_put_array(json, SHUNT_KEY_UNUSED_RULES);
        for (size_t i = 0; i < count; i++) {
            shunt_json_object(json);
            shunt_json_put_string(json, SHUNT_KEY_OPERATION, list[i].operation);
            shunt_json_put_rule(json, SHUNT_KEY_RULE, list[i].file, list[i].line, list[i].id);
            shunt_json_close(json);
        }
        shunt_json_close(json);
    }
    free(list);
}

static void put_ranks(struct shunt_json *json, const struct shunt_report *report, bool late)
{
    int list[RANKS];
    const size_t count = shunt_report_arrivals_worst(&report->arrivals, late, list, RANKS);
    shunt_json_line(json);
    shunt_json_put_array(json, late ? SHUNT_KEY_LATEST : SHUNT_KEY_WAITING);
    for (size_t i = 0; i < count; i++) {
        const struct shunt_report_rank *rank =
            shunt_report_rank(&report->arrivals, (size_t)list[i]);
        shunt_json_object(json);
        shunt_json_put_known(json, SHUNT_KEY_RANK, list[i]);
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, rank->calls);
        shunt_json_put_number(json, SHUNT_KEY_LATE, rank->late);
        shunt_json_put_number(json, SHUNT_KEY_WAITED, rank->waited);
        shunt_json_put_unsigned(json, SHUNT_KEY_CAME_LAST, rank->last);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_bins(struct shunt_json *json, enum shunt_key key, const double *bins, int count)
{
    shunt_json_put_array(json, key);
    for (int i = 0; i < count; i++)
        shunt_json_real(json, bins[i]);
    shunt_json_close(json);
}

static void put_timeline(struct shunt_json *json, const struct shunt_report *report)
{
    const struct shunt_report_timeline *timeline = &report->timeline;
    double native[SHUNT_REPORT_BINS];
    if (!timeline->started)
        return;
    for (int i = 0; i < timeline->used; i++)
        native[i] = timeline->kind[SHUNT_LOG_NATIVE][i] + timeline->kind[SHUNT_LOG_WARM_UP][i] +
                    timeline->kind[SHUNT_LOG_TURN][i] + timeline->kind[SHUNT_LOG_EARLY][i];
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_TIMELINE);
    shunt_json_put_fixed(json, SHUNT_KEY_TIME, timeline->origin, 6);
    shunt_json_put_real(json, SHUNT_KEY_WIDTH, timeline->width);
    put_bins(json, SHUNT_KEY_ROUTED_SECONDS, timeline->kind[SHUNT_LOG_ROUTED], timeline->used);
    put_bins(json, SHUNT_KEY_NATIVE_SECONDS, native, timeline->used);
    shunt_json_close(json);
}

static void put_changes(struct shunt_json *json, const struct shunt_report *report)
{
    struct shunt_report_change change[4];
    shunt_report_changes(report, change);
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_WHAT_IF);
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          shunt_table_string(report->other, report->other->source));
    shunt_json_put_array(json, SHUNT_KEY_CHANGES);
    for (int i = 0; i < 4; i++) {
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_BASIS,
                              shunt_report_source_name((enum shunt_report_source)i));
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, change[i].calls);
        shunt_json_put_number(json, SHUNT_KEY_SECONDS, change[i].seconds);
        if (i != SHUNT_REPORT_UNKNOWN)
            shunt_json_put_number(json, SHUNT_KEY_THEN_SECONDS, change[i].then);
        shunt_json_close(json);
    }
    shunt_json_close(json);
    shunt_json_close(json);
}

static bool put_all(struct shunt_json *json, struct shunt_report *report)
{
    bool good = true;
    put_run(json, report);
    shunt_json_line(json);
    if (report->all.routed.calls > 0)
        put_gain(json, &report->all.gain);
    if (report->verdict.speedup > 0) {
        shunt_json_put_number(json, SHUNT_KEY_SAVED, report->verdict.saved);
        shunt_json_put_number(json, SHUNT_KEY_SAVED_LOW, report->verdict.saved_low);
        shunt_json_put_number(json, SHUNT_KEY_SAVED_HIGH, report->verdict.saved_high);
    }
    if (report->used_note[0] != '\0')
        shunt_json_put_string(json, SHUNT_KEY_NOTE, report->used_note);
    for (int by = 0; by < SHUNT_REPORT_BY_COUNT && good; by++)
        good = shunt_report_groups_put(report, (enum shunt_report_by)by, NULL, json);
    put_ranks(json, report, true);
    put_ranks(json, report, false);
    shunt_report_sites_put(report, NULL, json);
    put_timeline(json, report);
    put_unused(json, report);
    if (report->other)
        put_changes(json, report);
    shunt_json_line(json);
    shunt_report_kinds_put(report, NULL, json);
    if (report->calls.beyond.calls > 0) {
        shunt_json_line(json);
        shunt_json_put_object(json, SHUNT_KEY_BEYOND);
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, report->calls.beyond.calls);
        shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, report->calls.beyond.bytes);
        shunt_json_put_number(json, SHUNT_KEY_SECONDS, report->calls.beyond.seconds);
        shunt_json_close(json);
    }
    return good;
}

/* What `shunt log --summary --json` tells. */
static void put_sums(struct shunt_json *json, struct shunt_report *report)
{
    const struct shunt_logs_event header = {.version = report->version,
                                            .ranks = report->ranks,
                                            .job = report->job,
                                            .library = report->library,
                                            .table = report->source,
                                            .machine = report->machine_name,
                                            .command = report->command};
    shunt_json_line(json);
    shunt_json_key(json, SHUNT_KEY_SUMS);
    shunt_logs_summary_json_begin(json);
    shunt_logs_summary_json_header(json, report->summary.headed ? &header : NULL);
    shunt_logs_summary_json(json, &report->summary);
}

int shunt_report_json(struct shunt_report *report, struct shunt_logs_out *out)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    put_sums(&json, report);
    const bool good = put_all(&json, report) && !text.cut;
    shunt_json_line(&json);
    shunt_json_close(&json);
    shunt_log_text_put(&text, "\n", 1);
    if (good)
        shunt_logs_put(out, text.bytes, text.used);
    free(text.bytes);
    if (!good)
        return shunt_logs_sort_failed(ENOMEM);
    shunt_logs_flush(out);
    return shunt_logs_out_code(out);
}
