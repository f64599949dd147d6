/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c: the summary in its two forms. */
#include <string.h>

#include "log/json.h"
#include "log/line.h"
#include "log/summary.h"

static const char *const no_calls = "no call of MPI_Alltoall or MPI_Alltoallv was seen: the "
                                    "program makes none, is linked with a static MPI "
                                    "library, or loads MPI with RTLD_DEEPBIND";

enum { COLUMNS = 7, CELL_MAX = SHUNT_LOG_STRING_MAX + 16 };

struct cell {
    char bytes[CELL_MAX];
    size_t used;
};

/* A cell of the table; of its heading when there is no entry. */
static struct cell make_cell(const struct shunt_log_entry *entry, int column, double total)
{
    static const char *const headings[COLUMNS] = {"operation", "algorithm", "parameters", "calls",
                                                  "bytes",     "time",      "share"};
    struct cell cell = {.used = 0};
    struct shunt_log_text text = {.bytes = cell.bytes, .capacity = sizeof cell.bytes};
    if (!entry) {
        shunt_log_text_string(&text, headings[column]);
    } else if (column == 3) {
        shunt_log_text_unsigned(&text, entry->calls);
    } else if (column == 4) {
        shunt_log_text_bytes(&text, entry->bytes);
    } else if (column == 5) {
        shunt_log_text_seconds(&text, entry->seconds);
    } else if (column == 6) {
        shunt_log_text_fixed(&text, total > 0 ? 100 * entry->seconds / total : 0, 1);
        shunt_log_text_put(&text, "%", 1);
    } else {
        shunt_log_text_plain(&text, shunt_log_entry_field(entry, (enum shunt_log_field)column));
    }
    cell.used = text.used;
    return cell;
}

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

/* Words to the left, numbers to the right; the rule comes last and has any width. */
static void put_row(struct shunt_log_text *text, const struct shunt_log_entry *entry,
                    const size_t width[COLUMNS], double total)
{
    shunt_log_text_string(text, "shunt:");
    for (int column = 0; column < COLUMNS; column++) {
        struct cell cell = make_cell(entry, column, total);
        shunt_log_text_string(text, "  ");
        const size_t start = text->used;
        if (column >= 3)
            shunt_log_text_pad(text, start, width[column] - cell.used);
        shunt_log_text_put(text, cell.bytes, cell.used);
        shunt_log_text_pad(text, start, width[column]);
    }
    shunt_log_text_string(text, "  ");
    if (!entry)
        shunt_log_text_string(text, "rule");
    else
        put_rule(text, entry);
    shunt_log_text_put(text, "\n", 1);
}

static void put_table(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                      double total)
{
    size_t width[COLUMNS];
    const struct shunt_log_entry *other = summary->other.calls > 0 ? &summary->other : NULL;
    for (int column = 0; column < COLUMNS; column++) {
        struct cell cell = make_cell(other, column, total);
        width[column] = cell.used;
        cell = make_cell(NULL, column, total);
        width[column] = cell.used > width[column] ? cell.used : width[column];
        for (size_t i = 0; i < summary->done.count; i++) {
            cell = make_cell(summary->done.slots[i], column, total);
            width[column] = cell.used > width[column] ? cell.used : width[column];
        }
    }
    put_row(text, NULL, width, total);
    for (size_t i = 0; i < summary->done.count; i++)
        put_row(text, summary->done.slots[i], width, total);
    if (other)
        put_row(text, other, width, total);
}

static void put_number(struct shunt_log_text *text, const char *before, uint64_t value,
                       const char *after)
{
    shunt_log_text_string(text, before);
    shunt_log_text_unsigned(text, value);
    shunt_log_text_string(text, after);
}

static uint64_t calls_without_rule(const struct shunt_log_summary *summary)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < summary->done.count; i++)
        if (!summary->done.slots[i]->key.field[SHUNT_LOG_FILE])
            calls += summary->done.slots[i]->calls;
    return calls;
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

static void put_title(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                      const struct shunt_log_entry *total)
{
    shunt_log_text_string(text, "shunt: summary");
    if (summary->rank >= 0)
        put_number(text, " of rank ", (uint64_t)summary->rank, "");
    if (summary->rank >= 0 && summary->ranks > 0)
        put_number(text, " of ", (uint64_t)summary->ranks, "");
    put_number(text, ": ", total->calls, total->calls == 1 ? " call, " : " calls, ");
    shunt_log_text_bytes(text, total->bytes);
    shunt_log_text_string(text, " sent, ");
    shunt_log_text_seconds(text, total->seconds);
    if (total->agreement > 0) {
        shunt_log_text_string(text, " (agreement ");
        shunt_log_text_seconds(text, total->agreement);
        shunt_log_text_put(text, ")", 1);
    }
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_summary_human(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                             const struct shunt_log_entry *total,
                             const struct shunt_log_passed *passed, size_t count)
{
    const uint64_t no_rule = calls_without_rule(summary);
    put_title(text, summary, total);
    if (total->calls > 0) {
        put_table(text, summary, total->seconds);
    } else {
        shunt_log_text_string(text, "shunt:  ");
        shunt_log_text_string(text, no_calls);
        shunt_log_text_put(text, "\n", 1);
    }
    if (no_rule > 0) {
        put_number(text, "shunt:  calls without a rule: ", no_rule, "");
        put_number(text, " of ", total->calls, "\n");
    }
    if (total->errors > 0)
        put_number(text, "shunt:  calls that returned an error: ", total->errors, "\n");
    if (summary->missed > 0)
        put_number(text, "shunt:  further calls, not counted above because the log was busy: ",
                   summary->missed, "\n");
    put_unused(text, summary);
    for (size_t i = 0; i < count; i++) {
        shunt_log_text_string(text, i == 0 ? "shunt:  not routed by design: " : ", ");
        shunt_log_text_plain(text, passed[i].function);
        put_number(text, " ", passed[i].calls, i + 1 == count ? "\n" : "");
    }
}

static void put_figures(struct shunt_json *json, const struct shunt_log_entry *entry)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, entry->calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, entry->bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, entry->seconds);
    shunt_json_put_number(json, SHUNT_KEY_AGREEMENT, entry->agreement);
    shunt_json_put_unsigned(json, SHUNT_KEY_ERRORS, entry->errors);
}

static void put_entry(struct shunt_json *json, const struct shunt_log_entry *entry)
{
    const struct shunt_log_key *key = &entry->key;
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION,
                          shunt_log_entry_field(entry, SHUNT_LOG_OPERATION));
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM,
                          shunt_log_entry_field(entry, SHUNT_LOG_ALGORITHM));
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS,
                          shunt_log_entry_field(entry, SHUNT_LOG_PARAMS));
    shunt_json_put_rule(json, SHUNT_KEY_RULE, key->field[SHUNT_LOG_FILE], key->line,
                        key->field[SHUNT_LOG_ID]);
    shunt_json_put_string(json, SHUNT_KEY_REASON, key->field[SHUNT_LOG_REASON]);
    put_figures(json, entry);
    shunt_json_close(json);
}

static void put_entries(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    shunt_json_put_array(json, SHUNT_KEY_DONE);
    for (size_t i = 0; i < summary->done.count; i++)
        put_entry(json, summary->done.slots[i]);
    if (summary->other.calls > 0)
        put_entry(json, &summary->other);
    shunt_json_close(json);
}

static void put_unused_json(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    shunt_json_put_array(json, SHUNT_KEY_UNUSED_RULES);
    for (size_t i = 0; i < summary->rules.count; i++) {
        const struct shunt_log_entry *rule = summary->rules.slots[i];
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_OPERATION,
                              shunt_log_entry_field(rule, SHUNT_LOG_OPERATION));
        shunt_json_put_rule(json, SHUNT_KEY_RULE, shunt_log_entry_field(rule, SHUNT_LOG_FILE),
                            rule->key.line, rule->key.field[SHUNT_LOG_ID]);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_passed_json(struct shunt_json *json, const struct shunt_log_passed *passed,
                            size_t count)
{
    shunt_json_put_object(json, SHUNT_KEY_NOT_ROUTED);
    for (size_t i = 0; i < count; i++) {
        shunt_json_name(json, passed[i].function);
        shunt_json_unsigned(json, passed[i].calls);
    }
    shunt_json_close(json);
}

void shunt_log_summary_json(struct shunt_log_text *text, const struct shunt_log_summary *summary,
                            const struct shunt_log_entry *total,
                            const struct shunt_log_passed *passed, size_t count)
{
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "summary");
    shunt_json_put_known(&json, SHUNT_KEY_RANK, summary->rank);
    shunt_json_put_known(&json, SHUNT_KEY_RANKS, summary->ranks > 0 ? summary->ranks : -1);
    put_figures(&json, total);
    shunt_json_put_unsigned(&json, SHUNT_KEY_NO_RULE, calls_without_rule(summary));
    shunt_json_put_unsigned(&json, SHUNT_KEY_MISSED, summary->missed);
    put_entries(&json, summary);
    put_unused_json(&json, summary);
    put_passed_json(&json, passed, count);
    if (total->calls == 0)
        shunt_json_put_string(&json, SHUNT_KEY_HINT, no_calls);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}
