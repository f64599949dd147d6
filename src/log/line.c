/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c: one call as a line for people or as JSON. */
#include "log/line.h"

static const char *text_or_empty(const char *string)
{
    return string ? string : "";
}

void shunt_log_rule_human(struct shunt_log_text *text, const char *file, int line, const char *id)
{
    file = text_or_empty(file);
    id = text_or_empty(id);
    shunt_log_text_plain(text, file);
    if (line > 0) {
        shunt_log_text_put(text, ":", 1);
        shunt_log_text_unsigned(text, (uint64_t)line);
    }
    /* A forced rule is from no file and called like its source. */
    if (file[0] == '\0') {
        shunt_log_text_plain(text, id);
    } else if (id[0] != '\0') {
        shunt_log_text_string(text, " \"");
        shunt_log_text_plain(text, id);
        shunt_log_text_put(text, "\"", 1);
    }
}

static void put_known(struct shunt_log_text *text, const char *name, int64_t value)
{
    shunt_log_text_string(text, name);
    shunt_log_text_unsigned(text, (uint64_t)value);
}

/* Rule, reason, both ("rule: reason") or nothing. */
static void put_why(struct shunt_log_text *text, const struct shunt_record *record)
{
    if (!record->rule_file && !record->reason)
        return;
    shunt_log_text_string(text, " [");
    if (record->rule_file)
        shunt_log_rule_human(text, record->rule_file, record->rule_line, record->rule_id);
    if (record->rule_file && record->reason)
        shunt_log_text_string(text, ": ");
    if (record->reason)
        shunt_log_text_plain(text, record->reason);
    shunt_log_text_put(text, "]", 1);
}

void shunt_log_line_human(struct shunt_log_text *text, const struct shunt_record *record)
{
    put_known(text, "shunt: #", (int64_t)record->call);
    shunt_log_text_put(text, " ", 1);
    shunt_log_text_plain(text, text_or_empty(record->operation));
    if (record->ranks > 0)
        put_known(text, " P=", record->ranks);
    if (record->nodes > 0)
        put_known(text, " N=", record->nodes);
    if (record->ppn > 0)
        put_known(text, " Q=", record->ppn);
    if (record->max >= 0)
        put_known(text, " max=", record->max);
    if (record->mean >= 0) {
        shunt_log_text_string(text, " mean=");
        shunt_log_text_fixed(text, record->mean, 0);
    }
    shunt_log_text_string(text, " -> ");
    shunt_log_text_plain(text, text_or_empty(record->algorithm));
    if (text_or_empty(record->params)[0] != '\0') {
        shunt_log_text_put(text, " ", 1);
        shunt_log_text_plain(text, record->params);
    }
    put_why(text, record);
    shunt_log_text_put(text, " ", 1);
    shunt_log_text_seconds(text, record->seconds);
    if (record->error != 0)
        put_known(text, " error=", record->error);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_member(struct shunt_log_text *text, const char *name)
{
    shunt_log_text_string(text, ", \"");
    shunt_log_text_string(text, name);
    shunt_log_text_string(text, "\": ");
}

void shunt_log_member_string(struct shunt_log_text *text, const char *name, const char *value)
{
    shunt_log_member(text, name);
    shunt_log_text_json(text, value);
}

void shunt_log_member_unsigned(struct shunt_log_text *text, const char *name, uint64_t value)
{
    shunt_log_member(text, name);
    shunt_log_text_unsigned(text, value);
}

void shunt_log_member_known(struct shunt_log_text *text, const char *name, int64_t value)
{
    if (value >= 0)
        shunt_log_member_unsigned(text, name, (uint64_t)value);
}

void shunt_log_member_fixed(struct shunt_log_text *text, const char *name, double value, int digits)
{
    shunt_log_member(text, name);
    shunt_log_text_fixed(text, value, digits);
}

void shunt_log_rule_json(struct shunt_log_text *text, const char *file, int line, const char *id)
{
    if (!file) {
        shunt_log_text_string(text, "null");
        return;
    }
    shunt_log_text_string(text, "{\"file\": ");
    shunt_log_text_json(text, file);
    shunt_log_member_known(text, "line", line > 0 ? line : -1);
    shunt_log_member_string(text, "id", text_or_empty(id));
    shunt_log_text_put(text, "}", 1);
}

static void put_rejected(struct shunt_log_text *text, const struct shunt_record *record)
{
    /* One entry and what comes after the list always fit into this. */
    const size_t reserve = 2 * (SHUNT_LOG_STRING_MAX + 16) + 256;
    const size_t end = text->used + (SHUNT_LOG_LINE_MAX - 8 * (SHUNT_LOG_STRING_MAX + 128));
    int i = 0;
    shunt_log_member(text, "rejected");
    shunt_log_text_put(text, "[", 1);
    for (; i < record->rejected_count && text->used + reserve < end; i++) {
        shunt_log_text_string(text, i > 0 ? ", {\"rule\": " : "{\"rule\": ");
        shunt_log_text_json(text, text_or_empty(record->rejected[i].rule));
        shunt_log_member_string(text, "reason", text_or_empty(record->rejected[i].reason));
        shunt_log_text_put(text, "}", 1);
    }
    shunt_log_text_put(text, "]", 1);
    if (i < record->rejected_count)
        shunt_log_member_known(text, "rejected_omitted", record->rejected_count - i);
}

void shunt_log_line_json(struct shunt_log_text *text, const struct shunt_record *record, int rank)
{
    shunt_log_text_string(text, "{\"event\": \"call\"");
    shunt_log_member_known(text, "rank", rank);
    shunt_log_member_string(text, "communicator", text_or_empty(record->communicator));
    shunt_log_member_unsigned(text, "communicator_id", record->communicator_id);
    shunt_log_member_unsigned(text, "call", record->call);
    shunt_log_member_string(text, "operation", text_or_empty(record->operation));
    shunt_log_member_known(text, "ranks", record->ranks > 0 ? record->ranks : -1);
    shunt_log_member_known(text, "nodes", record->nodes > 0 ? record->nodes : -1);
    shunt_log_member_known(text, "ppn", record->ppn > 0 ? record->ppn : -1);
    shunt_log_member_known(text, "max", record->max);
    if (record->mean >= 0)
        shunt_log_member_fixed(text, "mean", record->mean, 3);
    shunt_log_member_unsigned(text, "bytes", record->bytes);
    shunt_log_member_string(text, "algorithm", text_or_empty(record->algorithm));
    shunt_log_member_string(text, "params", text_or_empty(record->params));
    shunt_log_member(text, "rule");
    shunt_log_rule_json(text, record->rule_file, record->rule_line, record->rule_id);
    shunt_log_member_string(text, "reason", record->reason);
    put_rejected(text, record);
    shunt_log_member_fixed(text, "seconds", record->seconds, 9);
    shunt_log_member_fixed(text, "agreement", record->agreement, 9);
    shunt_log_member_known(text, "memory", record->memory);
    shunt_log_member_known(text, "error", record->error);
    shunt_log_text_string(text, "}\n");
}
