/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_json.c: the summary for programs. */
#include "config.h"
#include "log/json.h"
#include "log/summary.h"

static void put_figures(struct shunt_json *json, const struct shunt_log_entry *entry)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, entry->calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, entry->bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, entry->seconds);
    shunt_json_put_number(json, SHUNT_KEY_AGREEMENT, entry->agreement);
    shunt_json_put_unsigned(json, SHUNT_KEY_ERRORS, entry->errors);
}

static void put_part(struct shunt_json *json, const struct shunt_log_part *part)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, part->calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, part->bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, part->seconds);
}

static void put_table(struct shunt_json *json, const struct shunt_log_table *table)
{
    char fingerprint[17];
    for (int i = 0; i < 16; i++)
        fingerprint[i] = "0123456789abcdef"[table->fingerprint >> (60 - 4 * i) & 15];
    fingerprint[16] = '\0';
    shunt_json_put_string(json, SHUNT_KEY_TABLE, table->source);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE,
                          table->machine && table->machine[0] != '\0' ? table->machine : NULL);
    shunt_json_put_string(json, SHUNT_KEY_FINGERPRINT, fingerprint);
}

static void put_tables(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    const struct shunt_log_known_table *first = shunt_log_summary_main_table(summary);
    if (first)
        put_table(json, &first->table);
    if (summary->table_count < 2)
        return;
    shunt_json_put_array(json, SHUNT_KEY_TABLES);
    for (int i = 0; i < summary->table_count; i++) {
        shunt_json_object(json);
        put_table(json, &summary->tables[i].table);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

/* By digits that count: of less than a thousandth, three decimals would leave 0. */
static void put_ratio(struct shunt_json *json, enum shunt_key key, double ratio)
{
    shunt_json_key(json, key);
    shunt_json_digits(json, ratio, 4);
}

static void put_verdict(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    const struct shunt_log_estimate *estimate = &summary->estimate;
    shunt_json_put_number(json, SHUNT_KEY_ASIDE, summary->aside);
    shunt_json_put_number(json, SHUNT_KEY_SET_UP, summary->set_up);
    shunt_json_put_object(json, SHUNT_KEY_ROUTED);
    put_part(json, &summary->routed);
    shunt_json_close(json);
    shunt_json_put_object(json, SHUNT_KEY_WARM_UP);
    put_part(json, &summary->warm_up);
    shunt_json_close(json);
    shunt_json_key(json, SHUNT_KEY_ESTIMATE);
    if (estimate->asked == 0) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    if (estimate->ranks == 0) {
        shunt_json_put_string(json, SHUNT_KEY_NOT_MEASURED,
                              estimate->verified ? "verified" : "few");
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, estimate->too_few);
        shunt_json_close(json);
        return;
    }
    put_ratio(json, SHUNT_KEY_SPEEDUP, estimate->speedup);
    put_ratio(json, SHUNT_KEY_LOW, estimate->low);
    put_ratio(json, SHUNT_KEY_HIGH, estimate->high);
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, estimate->native);
    shunt_json_put_unsigned(json, SHUNT_KEY_COMPARED, estimate->routed);
    shunt_json_put_number(json, SHUNT_KEY_SAVED, estimate->saved);
    shunt_json_put_number(json, SHUNT_KEY_SAVED_LOW, estimate->saved_low);
    shunt_json_put_number(json, SHUNT_KEY_SAVED_HIGH, estimate->saved_high);
    shunt_json_put_number(json, SHUNT_KEY_SET_UP, estimate->cost);
    if (estimate->crowded)
        shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED, true);
    shunt_json_close(json);
}

static void put_reasons(struct shunt_json *json, const struct shunt_log_rows *rows)
{
    shunt_json_put_array(json, SHUNT_KEY_LEFT_NATIVE);
    for (size_t i = 0; i < rows->count; i++) {
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_REASON, rows->rows[i].name);
        put_part(json, &rows->rows[i].part);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_shares(struct shunt_json *json, const struct shunt_log_row *row)
{
    struct shunt_log_share list[SHUNT_LOG_SHARES];
    const size_t count = shunt_log_row_shares(row, list);
    shunt_json_put_array(json, SHUNT_KEY_DONE);
    for (size_t i = 0; i < count; i++) {
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, list[i].algorithm);
        shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, list[i].calls);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_sizes(struct shunt_json *json, const struct shunt_log_rows *rows)
{
    shunt_json_put_array(json, SHUNT_KEY_SIZES);
    for (size_t i = 0; i < rows->count; i++) {
        const struct shunt_log_row *row = &rows->rows[i];
        shunt_json_object(json);
        shunt_json_put_known(json, SHUNT_KEY_FROM, shunt_log_class_from(row->class));
        shunt_json_put_known(json, SHUNT_KEY_TO, shunt_log_class_to(row->class));
        shunt_json_put_string(json, SHUNT_KEY_OPERATION, row->name);
        put_part(json, &row->part);
        put_shares(json, row);
        shunt_json_close(json);
    }
    shunt_json_close(json);
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

/* Rules are known to the log only where they are wanted. */
static void put_unused(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    if (summary->rules.capacity == 0)
        return;
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

static void put_suggestion(struct shunt_json *json, const struct shunt_log_summary *summary)
{
    struct shunt_log_gap gap;
    const bool any = shunt_log_summary_gap(summary, &gap);
    shunt_log_suggestion_json(json, any ? &gap : NULL);
}

static void put_passed(struct shunt_json *json, const struct shunt_log_passed *passed, size_t count)
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
    shunt_json_put_string(&json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    put_tables(&json, summary);
    shunt_json_put_number(&json, SHUNT_KEY_ELAPSED, summary->elapsed);
    put_figures(&json, total);
    put_verdict(&json, summary);
    shunt_json_put_unsigned(&json, SHUNT_KEY_NO_RULE, shunt_log_summary_no_rule(summary));
    shunt_json_put_unsigned(&json, SHUNT_KEY_MISSED, summary->missed);
    put_reasons(&json, &summary->by_reason);
    put_sizes(&json, &summary->by_size);
    put_entries(&json, summary);
    put_unused(&json, summary);
    shunt_log_lefts_json(&json, &summary->lefts);
    put_suggestion(&json, summary);
    put_passed(&json, passed, count);
    if (total->calls == 0)
        shunt_json_put_string(&json, SHUNT_KEY_HINT, shunt_log_no_calls);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}
