/* SPDX-License-Identifier: BSD-3-Clause */
/* tables_html.c: the tables of the page. */
#include <stdlib.h>
#include <string.h>

#include "log/line.h"
#include "tools/report/sections.h"

/* Lines of a table; all are in the forms for programs. */
enum { LINES = 40, ROWS = 200, OPEN = 20, RANKS = 10, BAR = 60 };

/* Cells: of a number, of words; a heading of the line. */
static void begin_cell(struct shunt_log_text *text, const char *class)
{
    shunt_log_text_string(text, class ? "<td class=\"" : "<td");
    shunt_log_text_string(text, class ? class : "");
    shunt_log_text_string(text, class ? "\">" : ">");
}

static void end_cell(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</td>");
}

static void put_words(struct shunt_log_text *text, struct shunt_html_words *words,
                      const char *class)
{
    begin_cell(text, class);
    shunt_drawing_escape(text, shunt_html_words_end(words));
    end_cell(text);
}

static void put_count(struct shunt_log_text *text, uint64_t count)
{
    begin_cell(text, "n");
    shunt_log_text_count(text, count);
    end_cell(text);
}

static void put_bytes(struct shunt_log_text *text, uint64_t bytes)
{
    begin_cell(text, "n");
    shunt_log_text_bytes(text, bytes);
    end_cell(text);
}

static void put_seconds(struct shunt_log_text *text, double seconds)
{
    begin_cell(text, "n");
    shunt_log_text_seconds(text, seconds);
    end_cell(text);
}

static void put_share(struct shunt_log_text *text, double part, double whole)
{
    begin_cell(text, "n");
    shunt_log_text_percent(text, part, whole);
    end_cell(text);
}

static void put_piece(struct shunt_log_text *text, int colour, double share)
{
    shunt_log_text_string(text, "<span class=\"bar ");
    shunt_log_text_string(text, shunt_drawing_fill(colour));
    shunt_log_text_string(text, "\" style=\"width: ");
    shunt_log_text_fixed(text, BAR * (share < 1 ? share : 1), 1);
    shunt_log_text_string(text, "px\"></span>");
}

/* A share as a bar too, of what was routed and what was native. */
static void put_bar(struct shunt_log_text *text, const struct shunt_report_group *group,
                    double whole)
{
    const double routed = group->routed.seconds, native = group->all.seconds - routed;
    begin_cell(text, "n");
    if (whole > 0 && routed > 0)
        put_piece(text, SHUNT_DRAWING_ROUTED, routed / whole);
    if (whole > 0 && native > 0)
        put_piece(text, SHUNT_DRAWING_NATIVE, native / whole);
    shunt_log_text_percent(text, group->all.seconds, whole);
    end_cell(text);
}

static void put_gain(struct shunt_log_text *text, const struct shunt_report_gain *gain, bool routed)
{
    begin_cell(text, "w");
    if (routed)
        shunt_report_put_gain(text, gain);
    else
        shunt_log_text_string(text, "–");
    end_cell(text);
}

/* `numbers`: a letter for each column, n for numbers. */
static void begin_table(struct shunt_log_text *text, const char *caption,
                        const char *const *columns, size_t count, const char *numbers)
{
    shunt_log_text_string(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                                "aria-label=\"");
    shunt_drawing_escape(text, caption);
    shunt_log_text_string(text, "\">\n<table>\n<caption>");
    shunt_drawing_escape(text, caption);
    shunt_log_text_string(text, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        shunt_log_text_string(text, numbers[i] == 'n' ? "<th scope=\"col\" class=\"n\">"
                                                      : "<th scope=\"col\">");
        shunt_log_text_string(text, columns[i]);
        shunt_log_text_string(text, "</th>");
    }
    shunt_log_text_string(text, "</tr></thead>\n<tbody>\n");
}

static void end_table(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</tbody>\n</table>\n</div>\n");
}

static void begin_line(struct shunt_log_text *text, struct shunt_html_words *words)
{
    shunt_log_text_string(text, "<tr><th scope=\"row\">");
    shunt_drawing_escape(text, shunt_html_words_end(words));
    shunt_log_text_string(text, "</th>");
}

static void end_line(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</tr>\n");
}

static void put_rest(struct shunt_log_text *text, uint64_t count)
{
    struct shunt_html_words words;
    if (count == 0)
        return;
    shunt_html_words_begin(&words);
    shunt_log_text_string(&words.text, "and ");
    shunt_log_text_count(&words.text, count);
    shunt_log_text_string(&words.text, " more, which --json has");
    shunt_html_say(text, "note", shunt_html_words_end(&words));
}

static void put_group(struct shunt_log_text *text, const struct shunt_report *report,
                      enum shunt_report_by by, const struct shunt_report_group *group)
{
    struct shunt_html_words words;
    shunt_html_words_begin(&words);
    shunt_report_put_group(&words.text, report, by, group->first);
    begin_line(text, &words);
    put_count(text, group->all.calls);
    put_bytes(text, group->all.bytes);
    put_seconds(text, group->all.seconds);
    put_bar(text, group, report->totals.all.seconds);
    put_share(text, group->routed.seconds, group->all.seconds);
    put_gain(text, &group->gain, group->routed.calls > 0);
    end_line(text);
}

/* Where in the program the calls are, where the log tells. */
static void put_sites(struct shunt_log_text *text, const struct shunt_report *report)
{
    static const char *const columns[] = {"Call site", "Operation", "Calls",
                                          "Sent",      "Time",      "Share of time"};
    const struct shunt_log_set *sites = &report->facts.sites;
    if (!report->facts.sited)
        return;
    begin_table(text, "By call site", columns, 6, "wwnnnn");
    for (size_t i = 0; i < sites->count && i < LINES; i++) {
        const struct shunt_log_entry *site = sites->slots[i];
        struct shunt_html_words words;
        shunt_html_words_begin(&words);
        shunt_report_put_site(&words.text, site);
        begin_line(text, &words);
        begin_cell(text, NULL);
        shunt_log_text_string(text, shunt_log_entry_field(site, SHUNT_LOG_OPERATION));
        end_cell(text);
        put_count(text, site->calls);
        put_bytes(text, site->bytes);
        put_seconds(text, site->seconds);
        put_share(text, site->seconds, report->totals.all.seconds);
        end_line(text);
    }
    end_table(text);
    put_rest(text, sites->count > LINES ? sites->count - LINES : 0);
}

void shunt_html_groups(struct shunt_log_text *text, struct shunt_report *report)
{
    static const char *const names[] = {"Operation", "Size of the largest block", "Communicator",
                                        "Rule"};
    static const char *const captions[] = {"By operation", "By operation and block size",
                                           "By communicator", "By operation and rule"};
    shunt_html_section(text, "what", "What took the time");
    for (int by = 0; by < SHUNT_REPORT_BY_COUNT; by++) {
        const char *const columns[] = {names[by],
                                       "Calls",
                                       "Sent",
                                       "Time",
                                       "Share of time",
                                       "Routed, by time",
                                       "Times as fast as native"};
        struct shunt_report_groups groups;
        if (!shunt_report_groups_make(&groups, report, (enum shunt_report_by)by))
            text->cut = true;
        begin_table(text, captions[by], columns, 7, "wnnnnnw");
        for (size_t i = 0; i < groups.count && i < LINES; i++)
            put_group(text, report, (enum shunt_report_by)by, &groups.group[i]);
        end_table(text);
        put_rest(text, groups.count > LINES ? groups.count - LINES : 0);
        shunt_report_groups_clear(&groups);
    }
    put_sites(text, report);
    shunt_html_section_end(text);
}

static void put_ranks(struct shunt_log_text *text, const struct shunt_report *report, bool late)
{
    static const char *const late_columns[] = {"Rank", "Late, on average", "In all",
                                               "Last to come"},
                             *const wait_columns[] = {"Rank", "Waits, on average", "In all",
                                                      "Last to come"};
    int list[RANKS];
    const size_t count = shunt_report_arrivals_worst(&report->arrivals, late, list, RANKS);
    begin_table(text, late ? "Ranks that arrive late" : "Ranks that wait",
                late ? late_columns : wait_columns, 4, "wnnn");
    for (size_t i = 0; i < count; i++) {
        const struct shunt_report_rank *rank =
            shunt_report_rank(&report->arrivals, (size_t)list[i]);
        const double seconds = late ? rank->late : rank->waited;
        struct shunt_html_words words;
        shunt_html_words_begin(&words);
        shunt_log_text_unsigned(&words.text, (uint64_t)list[i]);
        begin_line(text, &words);
        put_seconds(text, seconds / (double)rank->calls);
        put_seconds(text, seconds);
        put_share(text, (double)rank->last, (double)rank->calls);
        end_line(text);
    }
    end_table(text);
}

void shunt_html_ranks(struct shunt_log_text *text, const struct shunt_report *report)
{
    shunt_html_section(text, "who", "Who arrives late, who waits");
    if (report->arrivals.rank.count == 0) {
        shunt_html_say(text, "muted",
                       "Not known: it takes the logs of two ranks at least, with times.");
    } else {
        shunt_html_say(text, "muted",
                       "A rank that arrives late to a call makes all others wait: their time in "
                       "all-to-all is then not what the exchange takes, and no table helps.");
        shunt_html_imbalance(text, report);
        shunt_log_text_string(text, "<div class=\"pair\">\n");
        put_ranks(text, report, true);
        put_ranks(text, report, false);
        shunt_log_text_string(text, "</div>\n");
    }
    shunt_html_section_end(text);
}

void shunt_html_unused(struct shunt_log_text *text, const struct shunt_report *report)
{
    size_t count;
    bool known;
    struct shunt_report_unused *list = shunt_report_unused_find(report, &count, &known);
    shunt_html_section(text, "unused", "Rules that no call followed");
    if (!known)
        shunt_html_say(text, "muted", "Not known: no rank tells of its rules.");
    else if (count == 0)
        shunt_html_say(text, "muted", "None: every rule took some call.");
    else
        shunt_log_text_string(text, "<ul>\n");
    for (size_t i = 0; i < count; i++) {
        struct shunt_html_words words;
        shunt_html_words_begin(&words);
        shunt_log_text_string(&words.text, list[i].operation);
        shunt_log_text_string(&words.text, ": ");
        shunt_log_rule_human(&words.text, list[i].file, list[i].line, list[i].id);
        shunt_log_text_string(text, "<li>");
        shunt_drawing_escape(text, shunt_html_words_end(&words));
        shunt_log_text_string(text, "</li>\n");
    }
    if (count > 0)
        shunt_log_text_string(text, "</ul>\n");
    shunt_html_section_end(text);
    free(list);
}

/* The beginning of a line about a row: operation, size, communicator. */
static void begin_row(struct shunt_log_text *text, const struct shunt_report *report,
                      const struct shunt_report_row *row)
{
    struct shunt_html_words words;
    shunt_html_words_begin(&words);
    shunt_report_put_communicator(&words.text, report, row);
    begin_line(text, &words);
    begin_cell(text, NULL);
    shunt_log_text_string(text, shunt_op_name(row->op));
    end_cell(text);
    shunt_html_words_begin(&words);
    shunt_report_put_sizes(&words.text, row);
    put_words(text, &words, "n");
}

static void put_changes(struct shunt_log_text *text, const struct shunt_report *report)
{
    static const char *const names[] = {"not known", "measured: like calls of these logs",
                                        "the model of the machine", "done in the same way"};
    static const char *const columns[] = {"What it rests on", "Calls", "Time, as logged",
                                          "Time with that table"};
    static const int order[] = {SHUNT_REPORT_SAME, SHUNT_REPORT_MEASURED, SHUNT_REPORT_MODEL,
                                SHUNT_REPORT_UNKNOWN};
    struct shunt_report_change change[4];
    shunt_report_changes(report, change);
    begin_table(text, "All calls", columns, 4, "wnnn");
    for (int i = 0; i < 4; i++) {
        const struct shunt_report_change *one = &change[order[i]];
        struct shunt_html_words words;
        if (one->calls == 0)
            continue;
        shunt_html_words_begin(&words);
        shunt_log_text_string(&words.text, names[order[i]]);
        begin_line(text, &words);
        put_count(text, one->calls);
        put_seconds(text, one->seconds);
        if (order[i] == SHUNT_REPORT_UNKNOWN) {
            begin_cell(text, "n");
            shunt_log_text_string(text, "–");
            end_cell(text);
        } else {
            put_seconds(text, one->then);
        }
        end_line(text);
    }
    end_table(text);
}

static void put_then(struct shunt_log_text *text, const struct shunt_report *report,
                     const struct shunt_report_row *row)
{
    char algorithm[640], rule[640];
    struct shunt_html_words words;
    shunt_report_then_print(report, &row->then, algorithm, rule, sizeof algorithm);
    begin_row(text, report, row);
    put_seconds(text, row->cell.seconds);
    shunt_html_words_begin(&words);
    shunt_report_put_algorithm(&words.text, row);
    put_words(text, &words, "w");
    begin_cell(text, "w");
    shunt_drawing_escape(text, algorithm);
    end_cell(text);
    begin_cell(text, "w");
    shunt_drawing_escape(text, rule);
    end_cell(text);
    begin_cell(text, "w");
    shunt_report_put_gain(text, &row->then.gain);
    end_cell(text);
    end_line(text);
}

void shunt_html_what_if(struct shunt_log_text *text, const struct shunt_report *report)
{
    static const char *const columns[] = {
        "Communicator", "Operation",  "Largest block", "Time, as logged",
        "Done by",      "That table", "Its rule",      "Times as fast as logged"};
    uint64_t others = 0;
    struct shunt_html_words words;
    if (!report->other)
        return;
    shunt_html_section(text, "whatif", "What another table would have done");
    shunt_html_words_begin(&words);
    shunt_log_text_string(&words.text, "With ");
    shunt_log_text_plain(&words.text, shunt_table_string(report->other, report->other->source));
    shunt_log_text_string(&words.text, ", other things being equal: what it does to arrivals and "
                                       "to the rest of the program is not in the figures.");
    shunt_html_say(text, "muted", shunt_html_words_end(&words));
    put_changes(text, report);
    begin_table(text, "Calls that it would do in another way", columns, 8, "wwnnwwww");
    for (uint32_t i = 0; i < report->calls.count; i++) {
        const struct shunt_report_row *row = report->calls.by_time[i];
        if (row->then.gain.source != SHUNT_REPORT_SAME && others++ < LINES)
            put_then(text, report, row);
    }
    end_table(text);
    put_rest(text, others > LINES ? others - LINES : 0);
    shunt_html_section_end(text);
}

static void put_row(struct shunt_log_text *text, const struct shunt_report *report,
                    const struct shunt_report_row *row)
{
    struct shunt_html_words words;
    begin_row(text, report, row);
    shunt_html_words_begin(&words);
    shunt_report_put_algorithm(&words.text, row);
    put_words(text, &words, "w");
    shunt_html_words_begin(&words);
    shunt_report_put_rule(&words.text, row);
    put_words(text, &words, "w");
    put_count(text, row->cell.calls);
    put_bytes(text, row->cell.bytes);
    put_seconds(text, row->cell.seconds);
    put_gain(text, &row->gain, shunt_report_row_routed(row));
    end_line(text);
}

static void put_rows(struct shunt_log_text *text, const struct shunt_report *report,
                     const char *caption, uint32_t first, uint32_t end)
{
    static const char *const columns[] = {"Communicator", "Operation", "Largest block",
                                          "Done by",      "Rule",      "Calls",
                                          "Sent",         "Time",      "Times as fast as native"};
    begin_table(text, caption, columns, 9, "wwnwwnnnw");
    for (uint32_t i = first; i < end; i++)
        put_row(text, report, report->calls.by_time[i]);
    end_table(text);
}

void shunt_html_rows(struct shunt_log_text *text, const struct shunt_report *report)
{
    const uint32_t count = report->calls.count < ROWS ? report->calls.count : ROWS;
    shunt_html_section(text, "rows", "All kinds of calls");
    put_rows(text, report, "The longest time first", 0, count < OPEN ? count : OPEN);
    if (count > OPEN) {
        shunt_log_text_string(text, "<details>\n<summary>");
        shunt_log_text_count(text, count - OPEN);
        shunt_log_text_string(text, " more kinds of calls</summary>\n");
        put_rows(text, report, "Those that took less time", OPEN, count);
        shunt_log_text_string(text, "</details>\n");
    }
    put_rest(text, report->calls.count > ROWS ? report->calls.count - ROWS : 0);
    if (report->calls.beyond.calls > 0)
        shunt_html_say(text, "note",
                       "Further calls are in the sums alone: there are more kinds of them than "
                       "the report tells apart.");
    shunt_html_section_end(text);
}
