/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: the report for people: the sums of `shunt log --summary`, then tables. */
#include <errno.h>
#include <stdlib.h>

#include "log/line.h"
#include "tools/common/tool.h"
#include "tools/log/view.h"
#include "tools/report/report.h"

/* Lines of a table; the rest is one line. */
enum { LINES = 12, RANKS = 5, LABEL = 12 };

static void put_label(struct shunt_log_text *text, const char *label)
{
    const size_t start = text->used;
    shunt_log_text_string(text, label);
    shunt_log_text_pad(text, start, LABEL);
}

static void put_fact(struct shunt_log_text *text, const char *label, const char *value)
{
    if (!value || value[0] == '\0')
        return;
    put_label(text, label);
    shunt_log_text_plain(text, value);
    shunt_log_text_string(text, "\n");
}

/* Which run it was. */
static void put_facts(struct shunt_log_text *text, const struct shunt_report *report)
{
    const bool headed = report->summary.headed;
    put_fact(text, "program", headed && !report->command ? "not told" : report->command);
    put_label(text, "date");
    shunt_report_put_date(text, &report->facts, false);
    shunt_log_text_string(text, "\n");
    put_label(text, "wall time");
    shunt_report_put_wall_time(text, report);
    shunt_log_text_string(text, "\n");
    put_fact(text, "job", report->job ? report->job : SHUNT_REPORT_NO_JOB);
    put_label(text, "hosts");
    shunt_report_put_hosts(text, &report->facts);
    shunt_log_text_string(text, "\n");
    put_fact(text, "library", report->library);
    put_fact(text, "table", report->source);
    put_fact(text, "machine", report->machine_name);
    put_fact(text, "shunt", report->version);
    put_fact(text, "other MPI", SHUNT_REPORT_OTHER_MPI);
}

static void put_aligned(struct shunt_log_text *text, const struct shunt_log_text *cell,
                        size_t width)
{
    if (cell->used < width)
        shunt_log_text_pad(text, text->used, width - cell->used);
    shunt_log_text_put(text, cell->bytes, cell->used);
    shunt_log_text_string(text, "  ");
}

static void put_count(struct shunt_log_text *text, uint64_t count)
{
    char bytes[32];
    struct shunt_log_text cell = {.bytes = bytes, .capacity = sizeof bytes};
    shunt_log_text_count(&cell, count);
    put_aligned(text, &cell, 9);
}

static void put_seconds(struct shunt_log_text *text, double seconds)
{
    char bytes[32];
    struct shunt_log_text cell = {.bytes = bytes, .capacity = sizeof bytes};
    shunt_log_text_seconds(&cell, seconds);
    put_aligned(text, &cell, 9);
}

void shunt_report_put_further(struct shunt_log_text *text, const struct shunt_log_part *rest)
{
    shunt_log_text_count(text, rest->calls);
    shunt_log_text_string(text, " calls, ");
    shunt_log_text_seconds(text, rest->seconds);
    shunt_log_text_string(text, " of all ranks\n");
}

/* Where in the program the calls are, where the log tells. */
static void put_sites(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_log_part *rest = &report->facts.further_sites;
    shunt_report_sites_put(report, text, NULL);
    if (!report->facts.sited || rest->calls == 0)
        return;
    shunt_log_text_string(text, "and on further sites ");
    shunt_report_put_further(text, rest);
}

static void put_ranks(struct shunt_log_text *text, const struct shunt_report *report, bool late)
{
    int list[RANKS];
    const size_t count = shunt_report_arrivals_worst(&report->arrivals, late, list, RANKS);
    if (count == 0)
        return;
    shunt_log_text_string(text, late ? "\narrive late  " : "wait         ");
    for (size_t i = 0; i < count; i++) {
        const struct shunt_report_rank *rank =
            shunt_report_rank(&report->arrivals, (size_t)list[i]);
        shunt_log_text_string(text, i > 0 ? "             rank " : "rank ");
        shunt_log_text_unsigned(text, (uint64_t)list[i]);
        shunt_log_text_string(text, ": ");
        shunt_log_text_seconds(text, (late ? rank->late : rank->waited) / (double)rank->calls);
        shunt_log_text_string(text, late ? " behind the first on average, last in "
                                         : " for the last on average, ");
        if (late)
            shunt_log_text_percent(text, (double)rank->last, (double)rank->calls);
        else
            shunt_log_text_seconds(text, rank->waited);
        shunt_log_text_string(text, late ? " of its calls\n" : " in all\n");
    }
}

/* A table for many machines has dozens that this run could not follow: those are shown in full
 * where there is room. */
enum { UNUSED = 8 };

static void put_unused(struct shunt_log_text *text, const struct shunt_report *report)
{
    size_t count;
    bool known;
    struct shunt_report_unused *list = shunt_report_unused_find(report, &count, &known);
    shunt_log_text_string(text, "\nrules that no call followed");
    if (!known)
        shunt_log_text_string(text, ": not known, for no rank tells of its rules");
    else if (count == 0)
        shunt_log_text_string(text, ": none");
    shunt_log_text_string(text, "\n");
    for (size_t i = 0; i < count && i < UNUSED; i++) {
        char rule[512];
        struct shunt_log_text printed = {.bytes = rule, .capacity = sizeof rule - 1};
        shunt_log_rule_human(&printed, list[i].file, list[i].line, list[i].id);
        shunt_log_text_string(text, "  ");
        shunt_log_text_plain(text, list[i].operation);
        shunt_log_text_string(text, " ");
        shunt_log_text_put(text, rule, printed.used);
        shunt_log_text_string(text, "\n");
    }
    if (count > UNUSED) {
        shunt_log_text_string(text, "  and ");
        shunt_log_text_unsigned(text, count - UNUSED);
        shunt_log_text_string(text, " more, which --html and --json name\n");
    }
    free(list);
}

static void put_then(struct shunt_log_text *text, const struct shunt_report *report,
                     const struct shunt_report_row *row)
{
    char algorithm[640], rule[640];
    shunt_report_then_print(report, &row->then, algorithm, rule, sizeof algorithm);
    shunt_log_text_string(text, "  ");
    shunt_log_text_string(text, shunt_op_name(row->op));
    shunt_log_text_string(text, " ");
    shunt_report_put_sizes(text, row);
    shunt_log_text_string(text, " on ");
    shunt_report_put_communicator(text, report, row);
    shunt_log_text_string(text, ", ");
    shunt_log_text_seconds(text, row->cell.seconds);
    shunt_log_text_string(text, ": ");
    shunt_report_put_algorithm(text, row);
    shunt_log_text_string(text, " -> ");
    shunt_log_text_string(text, algorithm);
    shunt_log_text_string(text, " [");
    shunt_log_text_plain(text, rule);
    shunt_log_text_string(text, "], times as fast: ");
    shunt_report_put_gain(text, &row->then.gain);
    shunt_log_text_string(text, "\n");
}

static void put_what_if(struct shunt_log_text *text, const struct shunt_report *report)
{
    static const char *const labels[] = {"not known", "measured by like calls of these logs",
                                         "by the model", "done in the same way"};
    static const int order[] = {SHUNT_REPORT_SAME, SHUNT_REPORT_MEASURED, SHUNT_REPORT_MODEL,
                                SHUNT_REPORT_UNKNOWN};
    struct shunt_report_change change[4];
    int told = 0;
    shunt_report_changes(report, change);
    shunt_log_text_string(text, "\nwith the table ");
    shunt_log_text_plain(text, shunt_table_string(report->other, report->other->source));
    shunt_log_text_string(text, "\n");
    for (int i = 0; i < 4; i++) {
        const struct shunt_report_change *one = &change[order[i]];
        const size_t start = text->used;
        if (one->calls == 0)
            continue;
        shunt_log_text_string(text, "  ");
        shunt_log_text_string(text, labels[order[i]]);
        shunt_log_text_pad(text, start, 40);
        put_count(text, one->calls);
        shunt_log_text_string(text, "calls  ");
        put_seconds(text, one->seconds);
        if (order[i] == SHUNT_REPORT_MEASURED || order[i] == SHUNT_REPORT_MODEL) {
            shunt_log_text_string(text, "-> ");
            put_seconds(text, one->then);
        }
        shunt_log_text_string(text, "\n");
    }
    for (uint32_t i = 0; i < report->calls.count && told < LINES; i++) {
        const struct shunt_report_row *row = report->calls.by_time[i];
        if (row->then.gain.source == SHUNT_REPORT_SAME)
            continue;
        put_then(text, report, row);
        told++;
    }
}

static void put_notes(struct shunt_log_text *text, const struct shunt_report *report)
{
    if (report->calls.beyond.calls > 0) {
        shunt_log_text_string(text, "\n");
        shunt_log_text_count(text, report->calls.beyond.calls);
        shunt_log_text_string(text, " calls are in the sums alone: there are more kinds of calls "
                                    "than the report tells apart\n");
    }
    if (report->used_note[0] != '\0') {
        shunt_log_text_string(text, "\n");
        shunt_log_text_string(text, report->used_note);
        shunt_log_text_string(text, "\n");
    }
}

int shunt_report_text(struct shunt_report *report, struct shunt_logs_out *out)
{
    struct shunt_log_text *text = &report->summary.text;
    text->used = 0; /* the first header: its parts are among the facts */
    put_facts(text, report);
    shunt_logs_ranks_print(&report->summary.ranks, text);
    if (report->totals.all.calls > 0)
        shunt_report_put_verdict(text, report, "gain        ", "            ");
    shunt_logs_sections_print(&report->summary.sections, report->summary.names,
                              report->summary.uncertainty, report->options->wide, text);
    put_ranks(text, report, true);
    put_ranks(text, report, false);
    for (int by = 0; by < SHUNT_REPORT_BY_COUNT; by++)
        if (!shunt_report_groups_put(report, (enum shunt_report_by)by, text, NULL))
            return shunt_logs_sort_failed(ENOMEM);
    put_sites(text, report);
    put_unused(text, report);
    if (report->other)
        put_what_if(text, report);
    put_notes(text, report);
    return shunt_logs_put_lines(out, text, report->options->wide);
}

int shunt_report_csv(struct shunt_report *report, struct shunt_logs_out *out)
{
    struct shunt_log_text *text = &report->summary.text;
    text->used = 0;
    const int code = shunt_report_kinds_put(report, text, NULL);
    return code == SHUNT_EXIT_OK ? shunt_logs_put_lines(out, text, true) : code;
}
