/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c: one call as a line for people or as JSON. */
#include "log/line.h"

#include "log/json.h"

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
    if (record->gain > 0) {
        shunt_log_text_put(text, " ", 1);
        shunt_log_text_fixed(text, record->gain, 1);
        shunt_log_text_put(text, "x", 1);
    }
    shunt_log_text_put(text, "]", 1);
}

void shunt_log_line_human(struct shunt_log_text *text, const struct shunt_record *record,
                          int64_t since)
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
    if (since >= 0) {
        shunt_log_text_string(text, " t=");
        shunt_log_text_nanoseconds(text, since, 6);
    }
    if (record->error != 0)
        put_known(text, " error=", record->error);
    shunt_log_text_put(text, "\n", 1);
}

static void put_rejected(struct shunt_json *json, const struct shunt_record *record)
{
    /* One entry and what comes after the list always fit into this. */
    const size_t reserve = 3 * (SHUNT_LOG_STRING_MAX + 16) + 256;
    const size_t end = json->text->used + (SHUNT_LOG_LINE_MAX - 10 * (SHUNT_LOG_STRING_MAX + 128));
    int i = 0;
    shunt_json_put_array(json, SHUNT_KEY_REJECTED);
    for (; i < record->rejected_count && json->text->used + reserve < end; i++) {
        const struct shunt_log_rejected *rejected = &record->rejected[i];
        shunt_json_object(json);
        shunt_json_put_rule(json, SHUNT_KEY_RULE, text_or_empty(rejected->rule_file),
                            rejected->rule_line, rejected->rule_id);
        shunt_json_put_string(json, SHUNT_KEY_REASON, text_or_empty(rejected->reason));
        shunt_json_close(json);
    }
    shunt_json_close(json);
    if (i < record->rejected_count)
        shunt_json_put_known(json, SHUNT_KEY_REJECTED_OMITTED, record->rejected_count - i);
}

static void put_communicator(struct shunt_json *json, const struct shunt_record *record)
{
    shunt_json_put_string(json, SHUNT_KEY_COMMUNICATOR, text_or_empty(record->communicator));
    shunt_json_put_hexadecimal(json, SHUNT_KEY_COMMUNICATOR_ID, record->communicator_id);
    shunt_json_put_unsigned(json, SHUNT_KEY_CALL, record->call);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, text_or_empty(record->operation));
    shunt_json_put_known(json, SHUNT_KEY_RANKS, record->ranks > 0 ? record->ranks : -1);
    shunt_json_put_known(json, SHUNT_KEY_NODES, record->nodes > 0 ? record->nodes : -1);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, record->ppn > 0 ? record->ppn : -1);
}

static void put_phases(struct shunt_json *json, const struct shunt_record *record)
{
    if (!record->phases)
        return;
    shunt_json_put_object(json, SHUNT_KEY_PHASES);
    for (int i = 0; i < record->phase_count; i++) {
        shunt_json_name(json, record->phases[i].name);
        shunt_json_fixed(json, record->phases[i].seconds, 9);
    }
    shunt_json_close(json);
}

static void put_send_bytes(struct shunt_json *json, const struct shunt_record *record)
{
    if (!record->send_bytes)
        return;
    shunt_json_put_array(json, SHUNT_KEY_SEND_BYTES);
    for (int i = 0; i < record->ranks; i++)
        shunt_json_integer(json, record->send_bytes[i]);
    shunt_json_close(json);
}

void shunt_log_line_json(struct shunt_log_text *text, const struct shunt_record *record, int rank,
                         int64_t time)
{
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "call");
    shunt_json_put_known(&json, SHUNT_KEY_RANK, rank);
    if (time >= 0)
        shunt_json_put_nanoseconds(&json, SHUNT_KEY_TIME, time);
    put_communicator(&json, record);
    shunt_json_put_known(&json, SHUNT_KEY_LARGEST, record->max);
    if (record->mean >= 0)
        shunt_json_put_number(&json, SHUNT_KEY_MEAN, record->mean);
    if (record->filled >= 0)
        shunt_json_put_number(&json, SHUNT_KEY_FILLED, record->filled);
    if (record->density >= 0)
        shunt_json_put_known(&json, SHUNT_KEY_DENSITY, record->density);
    shunt_json_put_unsigned(&json, SHUNT_KEY_BYTES, record->bytes);
    shunt_json_put_string(&json, SHUNT_KEY_ALGORITHM, text_or_empty(record->algorithm));
    shunt_json_put_string(&json, SHUNT_KEY_PARAMETERS, text_or_empty(record->params));
    shunt_json_put_rule(&json, SHUNT_KEY_RULE, record->rule_file, record->rule_line,
                        record->rule_id);
    shunt_json_put_string(&json, SHUNT_KEY_REASON, record->reason);
    if (record->gain > 0)
        shunt_json_put_fixed(&json, SHUNT_KEY_PREDICTED_GAIN, record->gain, 2);
    if (record->site)
        shunt_json_put_string(&json, SHUNT_KEY_SITE, record->site);
    if (record->symbol)
        shunt_json_put_string(&json, SHUNT_KEY_SYMBOL, record->symbol);
    put_rejected(&json, record);
    shunt_json_put_number(&json, SHUNT_KEY_SECONDS, record->seconds);
    if (record->aside > 0)
        shunt_json_put_number(&json, SHUNT_KEY_ASIDE, record->aside);
    if (record->set_up > 0)
        shunt_json_put_number(&json, SHUNT_KEY_SET_UP, record->set_up);
    if (record->agreement >= 0)
        shunt_json_put_number(&json, SHUNT_KEY_AGREEMENT, record->agreement);
    put_phases(&json, record);
    if (record->native > 0)
        shunt_json_put_number(&json, SHUNT_KEY_NATIVE, record->native);
    if (shunt_record_is_in_turn(record))
        shunt_json_put_flag(&json, SHUNT_KEY_SETTLED, record->settled);
    shunt_json_put_known(&json, SHUNT_KEY_MEMORY, record->memory);
    shunt_json_put_known(&json, SHUNT_KEY_ERROR, record->error);
    put_send_bytes(&json, record);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}
