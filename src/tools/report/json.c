/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: the report for programs, as report.schema.json describes it. */
#include "log/json.h"

#include <errno.h>
#include <stdlib.h>

#include "config.h"
#include "route/words.h"
#include "tools/common/rules.h"
#include "tools/common/tool.h"
#include "tools/log/view.h"
#include "tools/report/report.h"

/* Ranks that are told, of those that arrive late and of those that wait; groups of ranks, of which
 * the worst is told; shapes whose decisions are. */
enum { RANKS = 20, GROUPS = 40, SHAPES = 16 };

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

static void put_part(struct shunt_json *json, const struct shunt_log_part *part)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, part->calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, part->bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, part->seconds);
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

/* In words: what is doubtful about the gain, too. */
static void put_verdict(struct shunt_json *json, const struct shunt_report *report)
{
    struct shunt_log_text words = {.grows = true};
    shunt_report_put_verdict(&words, report, "", "");
    shunt_log_text_put(&words, "", 1);
    shunt_json_line(json);
    shunt_json_put_string(json, SHUNT_KEY_VERDICT, words.cut ? NULL : words.bytes);
    free(words.bytes);
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

/* The rank among `step` ranks that is the latest, or that waits the longest, and its mean. */
static void put_worst(struct shunt_json *json, const struct shunt_report_arrivals *arrivals,
                      size_t first, size_t step, bool late)
{
    double most = -1;
    size_t worst = 0;
    for (size_t i = first; i < first + step && i < arrivals->rank.count; i++) {
        const struct shunt_report_rank *rank = shunt_report_rank(arrivals, i);
        const double mean = rank ? (late ? rank->late : rank->waited) / (double)rank->calls : -1;
        if (mean > most) {
            most = mean;
            worst = i;
        }
    }
    if (most < 0) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_put_unsigned(json, SHUNT_KEY_RANK, worst);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, most);
    shunt_json_close(json);
}

/* All ranks, for a drawing: of many ranks groups. */
static void put_arrivals(struct shunt_json *json, const struct shunt_report *report)
{
    const struct shunt_report_arrivals *arrivals = &report->arrivals;
    size_t last = 0;
    if (arrivals->rank.count == 0)
        return;
    for (size_t i = 0; i < arrivals->rank.count; i++)
        last = shunt_report_rank(arrivals, i) ? i : last;
    const size_t step = last / GROUPS + 1;
    shunt_json_line(json);
    shunt_json_put_object(json, SHUNT_KEY_ARRIVALS);
    shunt_json_put_unsigned(json, SHUNT_KEY_RANKS, step);
    for (int late = 1; late >= 0; late--) {
        shunt_json_put_array(json, late ? SHUNT_KEY_LATE_MEANS : SHUNT_KEY_WAIT_MEANS);
        for (size_t first = 0; first <= last; first += step)
            put_worst(json, arrivals, first, step, late);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_decisions_of(struct shunt_json *json, const struct shunt_report_shape *shape,
                             enum shunt_op op)
{
    const struct shunt_map *map = &shape->used[op];
    for (size_t i = 0; i < map->count; i++) {
        const struct shunt_decision *decision = &map->decisions[i];
        char params[512];
        shunt_params_print(decision->algorithm, &decision->params, params, sizeof params);
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(op));
        shunt_json_put_known(json, SHUNT_KEY_RANKS, shape->ranks);
        shunt_json_put_known(json, SHUNT_KEY_NODES, shape->nodes);
        shunt_json_put_known(json, SHUNT_KEY_FROM, map->from[i]);
        shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, decision->algorithm->name);
        shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, params);
        if (decision->rule)
            shunt_rule_json(json, decision->table, decision->rule);
        else
            shunt_json_put_rule(json, SHUNT_KEY_RULE, NULL, 0, NULL);
        shunt_json_close(json);
    }
}

/* What the table of the job says for the shapes whose calls took the longest, whatever the size. */
static void put_decisions(struct shunt_json *json, const struct shunt_report *report)
{
    uint32_t done[SHUNT_OP_COUNT][SHAPES];
    int count[SHUNT_OP_COUNT] = {0};
    shunt_json_line(json);
    shunt_json_put_array(json, SHUNT_KEY_DECISIONS);
    for (uint32_t i = 0; i < report->calls.count; i++) {
        const struct shunt_report_row *row = report->calls.by_time[i];
        const struct shunt_report_shape *shape = &report->calls.shapes[row->shape];
        int at = 0;
        while (at < count[row->op] && done[row->op][at] != row->shape)
            at++;
        if (at < count[row->op] || at == SHAPES || !shape->placed || !shape->used_mapped[row->op])
            continue;
        done[row->op][count[row->op]++] = row->shape;
        put_decisions_of(json, shape, row->op);
    }
    shunt_json_close(json);
}

/* How much of their time ranks were in calls, a list for each lane. */
static void put_lanes(struct shunt_json *json, const struct shunt_report_timeline *timeline)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_LANE_RANKS, (uint64_t)timeline->per_lane);
    shunt_json_put_array(json, SHUNT_KEY_LANE_SHARES);
    for (int lane = 0; lane < timeline->lanes; lane++) {
        const double whole = timeline->width * (double)timeline->per_lane;
        shunt_json_array(json);
        for (int i = 0; i < timeline->used; i++)
            shunt_json_fixed(json, timeline->lane[lane][i] / whole, 3);
        shunt_json_close(json);
    }
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
    shunt_json_put_real(json, SHUNT_KEY_SINCE_START, timeline->origin - report->summary.start);
    shunt_json_put_real(json, SHUNT_KEY_WIDTH, timeline->width);
    put_bins(json, SHUNT_KEY_ROUTED_SECONDS, timeline->kind[SHUNT_LOG_ROUTED], timeline->used);
    put_bins(json, SHUNT_KEY_NATIVE_SECONDS, native, timeline->used);
    put_bins(json, SHUNT_KEY_WARM_UP_SECONDS, timeline->kind[SHUNT_LOG_WARM_UP], timeline->used);
    put_lanes(json, timeline);
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

static bool put_all(struct shunt_json *json, const struct shunt_report *report)
{
    bool good = true;
    put_run(json, report);
    put_verdict(json, report);
    if (report->all.routed.calls > 0)
        put_gain(json, &report->all.gain);
    if (report->verdict.ranks > 0 && !report->verdict.verified) {
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
    put_arrivals(json, report);
    put_decisions(json, report);
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
        put_part(json, &report->calls.beyond);
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

bool shunt_report_object(struct shunt_json *json, struct shunt_report *report)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    put_sums(json, report);
    const bool good = put_all(json, report);
    shunt_json_line(json);
    shunt_json_close(json);
    return good && !json->text->cut;
}

int shunt_report_json(struct shunt_report *report, struct shunt_logs_out *out)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    const bool good = shunt_report_object(&json, report);
    shunt_log_text_put(&text, "\n", 1);
    if (good)
        shunt_logs_put(out, text.bytes, text.used);
    free(text.bytes);
    if (!good)
        return shunt_logs_sort_failed(ENOMEM);
    shunt_logs_flush(out);
    return shunt_logs_out_code(out);
}
