/* SPDX-License-Identifier: BSD-3-Clause */
/* html.c: the report as one page that needs nothing but itself: no script, nothing from elsewhere.
 * It is well-formed XML too. */
#include "tools/report/sections.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "config.h"
#include "tools/log/view.h"
#include "tools/tool.h"

static void put_fact(struct shunt_log_text *text, const char *name, const char *value)
{
    if (!value || value[0] == '\0')
        return;
    shunt_log_text_string(text, "<dt>");
    shunt_log_text_string(text, name);
    shunt_log_text_string(text, "</dt><dd>");
    shunt_drawing_escape(text, value);
    shunt_log_text_string(text, "</dd>\n");
}

static void put_facts(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_report_facts *facts = &report->facts;
    struct shunt_html_words date, wall_time, hosts;
    shunt_html_words_begin(&date);
    shunt_report_put_date(&date.text, facts, false);
    shunt_html_words_begin(&wall_time);
    shunt_report_put_wall_time(&wall_time.text, report);
    shunt_html_words_begin(&hosts);
    shunt_report_put_hosts(&hosts.text, facts);
    char ranks[64];
    snprintf(ranks, sizeof ranks, "%d, %llu of them logged", report->ranks,
             (unsigned long long)report->totals.ranks);
    shunt_log_text_string(text, "<dl class=\"facts\">\n");
    put_fact(text, "Program", report->command);
    put_fact(text, "Date", shunt_html_words_end(&date));
    put_fact(text, "Wall time", shunt_html_words_end(&wall_time));
    put_fact(text, "Job", report->job ? report->job : SHUNT_REPORT_NO_JOB);
    put_fact(text, "Hosts", shunt_html_words_end(&hosts));
    put_fact(text, "Ranks", report->ranks > 0 ? ranks : NULL);
    put_fact(text, "MPI library", report->library);
    put_fact(text, "Table", report->source);
    put_fact(text, "Machine", report->machine_name);
    put_fact(text, "Shunt", report->version);
    put_fact(text, "Other MPI", SHUNT_REPORT_OTHER_MPI);
    shunt_log_text_string(text, "</dl>\n");
}

/* What is put between is the small print. */
static void begin_tile(struct shunt_log_text *text, const char *value)
{
    shunt_log_text_string(text, "<div class=\"tile\"><b>");
    shunt_drawing_escape(text, value);
    shunt_log_text_string(text, "</b><span>");
}

static void end_tile(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</span></div>\n");
}

static void put_share_tile(struct shunt_log_text *text, const struct shunt_logs_totals *totals)
{
    struct shunt_html_words words;
    shunt_html_words_begin(&words);
    if (totals->elapsed > 0)
        shunt_log_text_percent(&words.text, totals->elapsed_seconds, totals->elapsed);
    else
        shunt_log_text_seconds(&words.text, totals->all.seconds / (double)totals->ranks);
    begin_tile(text, shunt_html_words_end(&words));
    shunt_log_text_string(text, totals->elapsed > 0 ? "of the run is all-to-all: "
                                                    : "of a rank in all-to-all; ");
    if (totals->elapsed > 0) {
        shunt_log_text_seconds(text, totals->elapsed_seconds / (double)totals->ranks);
        shunt_log_text_string(text, " of a rank on average");
    } else {
        shunt_log_text_string(text, "how long the run was is not known");
    }
    end_tile(text);
}

static void put_tiles(struct shunt_log_text *text, const struct shunt_report *report)
{
    const struct shunt_logs_totals *totals = &report->totals;
    struct shunt_html_words words;
    shunt_log_text_string(text, "<div class=\"tiles\">\n");
    put_share_tile(text, totals);
    shunt_html_words_begin(&words);
    shunt_log_text_percent(&words.text, (double)totals->routed.calls, (double)totals->all.calls);
    begin_tile(text, shunt_html_words_end(&words));
    shunt_log_text_string(text, "of ");
    shunt_log_text_count(text, totals->all.calls);
    shunt_log_text_string(text, " calls routed; ");
    shunt_log_text_percent(text, (double)totals->routed.bytes, (double)totals->all.bytes);
    shunt_log_text_string(text, " of ");
    shunt_log_text_bytes(text, totals->all.bytes);
    shunt_log_text_string(text, " sent");
    end_tile(text);
    shunt_html_words_begin(&words);
    const bool known = report->verdict.speedup > 0 && shunt_log_estimate_sure(&report->verdict);
    if (known)
        shunt_log_text_seconds(&words.text, fabs(report->verdict.saved));
    else
        shunt_log_text_string(&words.text, "–");
    begin_tile(text, shunt_html_words_end(&words));
    shunt_report_put_verdict(text, report, known ? "gain, all ranks together: " : "gain: ", "; ");
    end_tile(text);
    shunt_html_words_begin(&words);
    shunt_log_text_fixed(&words.text, shunt_logs_imbalance(totals), 2);
    begin_tile(text, shunt_html_words_end(&words));
    shunt_log_text_string(text, "imbalance: the longest time of a rank in all-to-all over the "
                                "mean (rank ");
    shunt_log_text_unsigned(text, (uint64_t)totals->slowest);
    shunt_log_text_string(text, ")");
    end_tile(text);
    shunt_log_text_string(text, "</div>\n");
}

static void put_contents(struct shunt_log_text *text, const struct shunt_report *report)
{
    static const char *const links[][2] = {
        {"how", "How to read it"},     {"when", "When"},
        {"sizes", "Block sizes"},      {"what", "What took the time"},
        {"table", "Table and calls"},  {"who", "Late and waiting ranks"},
        {"unused", "Unused rules"},    {"whatif", "Another table"},
        {"rows", "All kinds of calls"}};
    shunt_log_text_string(text, "<nav aria-label=\"Contents\">\n");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (strcmp(links[i][0], "whatif") == 0 && !report->other)
            continue;
        shunt_log_text_string(text, "<a href=\"#");
        shunt_log_text_string(text, links[i][0]);
        shunt_log_text_string(text, "\">");
        shunt_log_text_string(text, links[i][1]);
        shunt_log_text_string(text, "</a>\n");
    }
    shunt_log_text_string(text, "</nav>\n");
}

static void put_how(struct shunt_log_text *text, const struct shunt_report *report)
{
    shunt_html_section(text, "how", "How to read it");
    shunt_html_say(
        text, "note",
        "Times are those of all ranks together unless it says otherwise. Gains say how "
        "many times as fast as the library's own: measured means medians of routed "
        "calls against native ones that were made in turn with them, or by SHUNT_VERIFY, of the "
        "same operation, ranks and size, with 95 % intervals; learned means against "
        "what native calls took when the rule was learned; model means predicted for the "
        "machine that was named, or when the call was made.");
    if (report->summary.uncertainty > 0) {
        struct shunt_html_words words;
        shunt_html_words_begin(&words);
        shunt_log_text_string(&words.text, "Clocks of ranks agree within ");
        shunt_log_text_seconds(&words.text, report->summary.uncertainty);
        shunt_log_text_string(&words.text, ": smaller differences of arrival say nothing.");
        shunt_html_say(text, "note", shunt_html_words_end(&words));
    }
    shunt_html_section_end(text);
}

static void put_page(struct shunt_log_text *text, struct shunt_report *report)
{
    shunt_log_text_string(
        text, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
              "<meta charset=\"utf-8\"/>\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
              "<title>All-to-all: ");
    shunt_drawing_escape(text, report->command ? report->command : "a run");
    shunt_log_text_string(text, "</title>\n<style>\n");
    shunt_log_text_string(text, shunt_report_style);
    shunt_drawing_style(text);
    shunt_log_text_string(text, "</style>\n</head>\n<body>\n<header>\n"
                                "<h1>What all-to-all did in this run</h1>\n");
    put_facts(text, report);
    shunt_log_text_string(text, "</header>\n<main>\n");
    if (report->totals.ranks == 0) {
        put_how(text, report);
        shunt_html_say(text, "muted", "The logs have no calls.");
    } else {
        put_contents(text, report);
        put_how(text, report);
        put_tiles(text, report);
        shunt_html_timeline(text, report);
        shunt_html_histogram(text, report);
        shunt_html_groups(text, report);
        shunt_html_map(text, report);
        shunt_html_ranks(text, report);
        shunt_html_unused(text, report);
        shunt_html_what_if(text, report);
        shunt_html_rows(text, report);
    }
    shunt_log_text_string(text, "</main>\n");
    shunt_log_text_string(text, "<footer>\n");
    shunt_html_say(text, "note", "Made by shunt report, " PACKAGE_STRING ".");
    shunt_log_text_string(text, "</footer>\n");
    shunt_log_text_string(text, "</body>\n</html>\n");
}

int shunt_report_html(struct shunt_report *report, const char *path)
{
    struct shunt_log_text text = {.grows = true};
    put_page(&text, report);
    if (text.cut) {
        free(text.bytes);
        return shunt_logs_sort_failed(ENOMEM);
    }
    const int error = shunt_output_put(path, text.bytes, text.used);
    if (error != 0)
        shunt_tool_say("%s: cannot be written: %s", path, strerror(error));
    free(text.bytes);
    return error == 0 ? SHUNT_EXIT_OK : SHUNT_EXIT_IO;
}
