/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary_human.c: the summary for people: first what was routed, whether it helped and what is
 * left, then the tables by size and by what was done.
 */
#include <string.h>

#include "config.h"
#include "log/columns.h"
#include "log/line.h"
#include "log/summary.h"

const char shunt_log_no_calls[] = "no call of MPI_Alltoall or MPI_Alltoallv was seen: the "
                                  "program makes none, or makes them past all preloaded "
                                  "libraries (libshunt(7), Caveats)";

enum { LABEL_WIDTH = 6 };

static void put_label(struct shunt_log_text *text, const char *label)
{
    shunt_log_text_string(text, "shunt:  ");
    const size_t start = text->used;
    shunt_log_text_string(text, label);
    shunt_log_text_pad(text, start, LABEL_WIDTH);
    shunt_log_text_string(text, "  ");
}

static void put_number(struct shunt_log_text *text, const char *before, uint64_t value,
                       const char *after)
{
    shunt_log_text_string(text, before);
    shunt_log_text_count(text, value);
    shunt_log_text_string(text, after);
}

static const char *calls_word(uint64_t calls)
{
    return calls == 1 ? " call" : " calls";
}

/* The verdict. */
static void put_title(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                      const struct shunt_log_entry *total)
{
    const struct shunt_log_part *routed = &summary->routed;
    shunt_log_text_string(text, "shunt: summary");
    if (summary->rank >= 0)
        put_number(text, " of rank ", (uint64_t)summary->rank, "");
    if (summary->rank >= 0 && summary->ranks > 0)
        put_number(text, " of ", (uint64_t)summary->ranks, "");
    if (total->calls == 0) {
        shunt_log_text_string(text, ": no calls\nshunt:  ");
        shunt_log_text_string(text, shunt_log_no_calls);
        shunt_log_text_put(text, "\n", 1);
        return;
    }
    if (routed->calls == 0)
        shunt_log_text_string(text, ": routed none");
    else
        put_number(text, ": routed ", routed->calls, "");
    put_number(text, " of ", total->calls, calls_word(total->calls));
    shunt_log_text_string(text, " (");
    shunt_log_text_percent(text, (double)routed->calls, (double)total->calls);
    shunt_log_text_string(text, "), ");
    shunt_log_text_percent(text, (double)routed->bytes, (double)total->bytes);
    shunt_log_text_string(text, " of ");
    shunt_log_text_bytes(text, total->bytes);
    shunt_log_text_string(text, " sent, ");
    shunt_log_text_percent(text, routed->seconds, total->seconds);
    shunt_log_text_string(text, " of ");
    shunt_log_text_seconds(text, total->seconds);
    shunt_log_text_put(text, "\n", 1);
}

static void put_gain(struct shunt_log_text *text, const struct shunt_log_summary *summary)
{
    shunt_log_verdict_put(text, &summary->estimate, "shunt:  gain    ", "shunt:          ");
}

static void put_time(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                     const struct shunt_log_entry *total)
{
    put_label(text, "time");
    shunt_log_text_seconds(text, total->seconds);
    shunt_log_text_string(text, " in all-to-all");
    if (summary->elapsed > 0) {
        shunt_log_text_string(text, ", ");
        shunt_log_text_percent(text, total->seconds, summary->elapsed);
        shunt_log_text_string(text, " of the run (");
        shunt_log_text_seconds(text, summary->elapsed);
        shunt_log_text_string(text, " since the library was loaded)");
    }
    shunt_log_text_put(text, "\n", 1);
}

static void put_part_of_time(struct shunt_log_text *text, const char **before, double seconds,
                             const char *after)
{
    shunt_log_text_string(text, *before);
    shunt_log_text_seconds(text, seconds);
    shunt_log_text_string(text, after);
    *before = ", ";
}

/* What is no exchange. */
static void put_effort(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                       const struct shunt_log_entry *total)
{
    const bool aside = summary->aside > total->seconds / 20;
    const char *before = "";
    if (!(total->agreement > 0) && !aside && !(summary->set_up > 0))
        return;
    put_label(text, "");
    if (total->agreement > 0)
        put_part_of_time(text, &before, total->agreement, " of it agreement");
    if (aside)
        put_part_of_time(text, &before, summary->aside, " of it checking and preparing");
    if (summary->set_up > 0)
        put_part_of_time(text, &before, summary->set_up, " besides for set-up");
    shunt_log_text_put(text, "\n", 1);
}

/* What stayed native. */
static void reason_cell(struct shunt_log_text *text, const void *data, int row, int column)
{
    const struct shunt_log_row *reason = (const struct shunt_log_row *)data + row;
    const size_t start = text->used;
    switch (column) {
    case 0:
        shunt_log_text_string(text, row == 0 ? "native" : "");
        shunt_log_text_pad(text, start, LABEL_WIDTH);
        break;
    case 1:
        put_number(text, "", reason->part.calls, calls_word(reason->part.calls));
        break;
    case 2:
        shunt_log_text_seconds(text, reason->part.seconds);
        break;
    default:
        shunt_log_text_plain(text, reason->name ? reason->name : "a rule says so");
        if (reason->name && strcmp(reason->name, "warm-up") == 0)
            shunt_log_text_string(text, ", before a communicator was set up");
    }
}

static void put_native(struct shunt_log_text *text, const struct shunt_log_summary *summary)
{
    const struct shunt_log_columns columns = {.count = 4,
                                              .numbers = 1u << 1 | 1u << 2,
                                              .rows = (int)summary->by_reason.count,
                                              .cell = reason_cell,
                                              .data = summary->by_reason.rows};
    shunt_log_columns_put(text, &columns);
}

/* Where something may be gained that nobody looked for. */
static void put_suggestion(struct shunt_log_text *text, const struct shunt_log_summary *summary)
{
    struct shunt_log_gap gap;
    if (shunt_log_summary_gap(summary, &gap))
        shunt_log_suggestion_human(text, &gap);
}

static void put_faults(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                       const struct shunt_log_entry *total)
{
    if (total->errors > 0) {
        put_label(text, "errors");
        put_number(text, "", total->errors, calls_word(total->errors));
        shunt_log_text_string(text, " returned one\n");
    }
    if (summary->missed > 0) {
        put_label(text, "missed");
        put_number(text, "", summary->missed, calls_word(summary->missed));
        shunt_log_text_string(text, " not in these figures, because the log was busy\n");
    }
}

static void put_source(struct shunt_log_text *text, const struct shunt_log_table *table)
{
    shunt_log_text_plain(text, table->source);
    if (table->machine[0] == '\0')
        return;
    shunt_log_text_string(text, " (");
    shunt_log_text_plain(text, table->machine);
    shunt_log_text_put(text, ")", 1);
}

/* The tables that were used; or the one that would have been. */
static void put_tables(struct shunt_log_text *text, const struct shunt_log_summary *summary)
{
    const struct shunt_log_known_table *first = shunt_log_summary_main_table(summary);
    put_label(text, "table");
    if (first)
        put_source(text, &first->table);
    else
        shunt_log_text_string(text, "none known here");
    if (!first || !first->used)
        shunt_log_text_string(text, "; no communicator was set up");
    for (int i = 0; first && i < summary->table_count; i++) {
        const struct shunt_log_known_table *table = &summary->tables[i];
        if (table == first || !table->used)
            continue;
        shunt_log_text_string(text, ", ");
        put_source(text, &table->table);
    }
    shunt_log_text_string(text, "; shunt " PACKAGE_VERSION "\n");
}

/* The histogram. */
struct size_table {
    const struct shunt_log_rows *rows;
    uint64_t calls; /* in all */
};

static void put_shares(struct shunt_log_text *text, const struct shunt_log_row *row)
{
    struct shunt_log_share list[SHUNT_LOG_SHARES];
    const size_t count = shunt_log_row_shares(row, list);
    for (size_t i = 0; i < count; i++) {
        shunt_log_text_string(text, i > 0 ? ", " : "");
        shunt_log_text_plain(text, list[i].algorithm);
        if (count > 1)
            put_number(text, " ", list[i].calls, "");
    }
}

static void size_cell(struct shunt_log_text *text, const void *data, int at, int column)
{
    static const char *const headings[] = {"largest block", "operation", "calls", "of calls",
                                           "bytes",         "mean time", "by"};
    const struct size_table *table = data;
    if (at == SHUNT_LOG_HEADING) {
        shunt_log_text_string(text, headings[column]);
        return;
    }
    const struct shunt_log_row *row = &table->rows->rows[at];
    switch (column) {
    case 0:
        shunt_log_class_put(text, row->class);
        break;
    case 1:
        shunt_log_text_plain(text, row->name);
        break;
    case 2:
        shunt_log_text_count(text, row->part.calls);
        break;
    case 3:
        shunt_log_text_percent(text, (double)row->part.calls, (double)table->calls);
        break;
    case 4:
        shunt_log_text_bytes(text, row->part.bytes);
        break;
    case 5:
        shunt_log_text_seconds(text, row->part.seconds / (double)row->part.calls);
        break;
    default:
        put_shares(text, row);
    }
}

static void put_sizes(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                      const struct shunt_log_entry *total)
{
    const struct size_table table = {&summary->by_size, total->calls};
    const struct shunt_log_columns columns = {.count = 7,
                                              .numbers = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5,
                                              .headings = true,
                                              .rows = (int)summary->by_size.count,
                                              .cell = size_cell,
                                              .data = &table};
    shunt_log_columns_put(text, &columns);
}

/* What was done, by which rule. */
struct done_table {
    const struct shunt_log_summary *summary;
    double seconds; /* in all */
};

static void put_rule(struct shunt_log_text *text, const struct shunt_log_entry *entry)
{
    const char *reason = entry->key.field[SHUNT_LOG_REASON],
               *file = entry->key.field[SHUNT_LOG_FILE];
    if (file)
        shunt_log_rule_human(text, file, entry->key.line, entry->key.field[SHUNT_LOG_ID]);
    if (!reason)
        return;
    shunt_log_text_string(text, file ? " [" : "[");
    shunt_log_text_plain(text, reason);
    shunt_log_text_put(text, "]", 1);
}

static void done_cell(struct shunt_log_text *text, const void *data, int at, int column)
{
    static const char *const headings[] = {"operation", "algorithm", "parameters", "calls",
                                           "bytes",     "time",      "of time",    "rule"};
    const struct done_table *table = data;
    if (at == SHUNT_LOG_HEADING) {
        shunt_log_text_string(text, headings[column]);
        return;
    }
    const struct shunt_log_set *done = &table->summary->done;
    const struct shunt_log_entry *entry =
        (size_t)at < done->count ? done->slots[at] : &table->summary->other;
    switch (column) {
    case 3:
        shunt_log_text_count(text, entry->calls);
        break;
    case 4:
        shunt_log_text_bytes(text, entry->bytes);
        break;
    case 5:
        shunt_log_text_seconds(text, entry->seconds);
        break;
    case 6:
        shunt_log_text_percent(text, entry->seconds, table->seconds);
        break;
    case 7:
        put_rule(text, entry);
        break;
    default:
        shunt_log_text_plain(text, shunt_log_entry_field(entry, (enum shunt_log_field)column));
    }
}

static void put_done(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                     const struct shunt_log_entry *total)
{
    const struct done_table table = {summary, total->seconds};
    const struct shunt_log_columns columns = {.count = 8,
                                              .numbers = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6,
                                              .headings = true,
                                              .rows = (int)summary->done.count +
                                                      (summary->other.calls > 0),
                                              .cell = done_cell,
                                              .data = &table};
    shunt_log_columns_put(text, &columns);
}

static void put_unused(struct shunt_log_text *text, const struct shunt_log_summary *summary)
{
    for (size_t i = 0; i < summary->rules.count; i++) {
        const struct shunt_log_entry *rule = summary->rules.slots[i];
        shunt_log_text_string(text, "shunt:  rule never used: ");
        shunt_log_rule_human(text, rule->key.field[SHUNT_LOG_FILE], rule->key.line,
                             rule->key.field[SHUNT_LOG_ID]);
        shunt_log_text_string(text, " of ");
        shunt_log_text_plain(text, shunt_log_entry_field(rule, SHUNT_LOG_OPERATION));
        shunt_log_text_put(text, "\n", 1);
    }
}

void shunt_log_summary_human(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                             const struct shunt_log_entry *total,
                             const struct shunt_log_passed *passed, size_t count)
{
    put_title(text, summary, total);
    if (total->calls > 0) {
        put_gain(text, summary);
        put_time(text, summary, total);
        put_effort(text, summary, total);
        put_native(text, summary);
        shunt_log_lefts_human(text, &summary->lefts);
        put_suggestion(text, summary);
    }
    put_faults(text, summary, total);
    put_tables(text, summary);
    if (total->calls > 0) {
        put_sizes(text, summary, total);
        put_done(text, summary, total);
    }
    put_unused(text, summary);
    for (size_t i = 0; i < count; i++) {
        shunt_log_text_string(text, i == 0 ? "shunt:  not routed by design: " : ", ");
        shunt_log_text_plain(text, passed[i].function);
        put_number(text, " ", passed[i].calls, i + 1 == count ? "\n" : "");
    }
}
