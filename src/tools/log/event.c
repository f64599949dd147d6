/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c: from JSON to an event; the only file that knows the library for JSON. */
#include "tools/log/event.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log/keys.h"

#define KEY_NAME(name, key, unit, meaning) [SHUNT_KEY_##name] = (key),
static const char *const keys[SHUNT_KEY_COUNT] = {SHUNT_KEYS(KEY_NAME)};
#undef KEY_NAME

/* Wrong numbers must cost neither memory nor sense: more ranks than any machine has, and seconds of
 * which there is no fraction any more. */
#define RANKS_MOST (1 << 24)
#define TIME_MOST 1e15

static const char *const kinds[] = {"header", "communicator", "clock", "call", "cap", "summary"};

struct shunt_logs_parser {
    struct json_tokener *tokener;
    struct json_object *root;
    /* What an event points to. */
    int *layout;
    int64_t *send_bytes;
    struct shunt_logs_rule *unused;
};

struct shunt_logs_parser *shunt_logs_parser_new(void)
{
    struct shunt_logs_parser *parser = calloc(1, sizeof *parser);
    if (parser)
        parser->tokener = json_tokener_new();
    if (!parser || !parser->tokener) {
        free(parser);
        return NULL;
    }
    json_tokener_set_flags(parser->tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    return parser;
}

void shunt_logs_parser_free(struct shunt_logs_parser *parser)
{
    if (!parser)
        return;
    json_object_put(parser->root);
    json_tokener_free(parser->tokener);
    free(parser->layout);
    free(parser->send_bytes);
    free(parser->unused);
    free(parser);
}

static struct json_object *member(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

static const char *get_text(struct json_object *object, enum shunt_key key)
{
    struct json_object *value = member(object, keys[key]);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static bool is_number(struct json_object *value)
{
    return json_object_is_type(value, json_type_int) ||
           json_object_is_type(value, json_type_double);
}

static double get_number(struct json_object *object, const char *key, double otherwise)
{
    struct json_object *value = member(object, key);
    return is_number(value) ? json_object_get_double(value) : otherwise;
}

static int64_t get_count(struct json_object *object, enum shunt_key key, int64_t otherwise)
{
    struct json_object *value = member(object, keys[key]);
    return is_number(value) ? json_object_get_int64(value) : otherwise;
}

static int get_int(struct json_object *object, enum shunt_key key, int otherwise)
{
    const int64_t value = get_count(object, key, otherwise);
    return value < INT_MIN || value > INT_MAX ? otherwise : (int)value;
}

/* Sums are never negative. */
static uint64_t get_sum(struct json_object *object, enum shunt_key key)
{
    const int64_t value = get_count(object, key, 0);
    return value > 0 ? (uint64_t)value : 0;
}

/* "2026-11-22T08:00:00Z", also with a fraction of a second; false: no date. */
static bool get_date(struct json_object *object, enum shunt_key key, double *seconds)
{
    struct tm tm = {0};
    const char *text = get_text(object, key);
    const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
    if (!rest)
        return false;
    *seconds = (double)timegm(&tm) + (*rest == '.' ? strtod(rest, NULL) : 0);
    return true;
}

static void read_rule(struct json_object *root, struct shunt_record *record)
{
    struct json_object *rule = member(root, keys[SHUNT_KEY_RULE]);
    if (!json_object_is_type(rule, json_type_object))
        return;
    record->rule_file = get_text(rule, SHUNT_KEY_FILE);
    record->rule_line = get_int(rule, SHUNT_KEY_LINE, 0);
    record->rule_id = get_text(rule, SHUNT_KEY_ID);
    if (!record->rule_file)
        record->rule_file = "";
}

/* What tells communicators apart: text of hexadecimal digits, or a number. */
static void read_id(struct json_object *root, struct shunt_logs_event *event)
{
    struct json_object *value = member(root, keys[SHUNT_KEY_COMMUNICATOR_ID]);
    const char *text = get_text(root, SHUNT_KEY_COMMUNICATOR_ID);
    if (text)
        event->record.communicator_id = strtoull(text, NULL, 16);
    else if (json_object_is_type(value, json_type_int))
        event->record.communicator_id = json_object_get_uint64(value);
    /* 0: not known yet. */
    if (event->record.communicator_id != 0)
        snprintf(event->id, sizeof event->id, "%016" PRIx64, event->record.communicator_id);
}

static void read_call(struct json_object *root, struct shunt_logs_event *event)
{
    struct shunt_record *r = &event->record;
    r->call = get_sum(root, SHUNT_KEY_CALL);
    r->operation = get_text(root, SHUNT_KEY_OPERATION);
    r->max = get_count(root, SHUNT_KEY_LARGEST, -1);
    r->mean = get_number(root, keys[SHUNT_KEY_MEAN], -1);
    r->filled = get_number(root, keys[SHUNT_KEY_FILLED], -1);
    r->density = get_int(root, SHUNT_KEY_DENSITY, -1);
    r->bytes = get_sum(root, SHUNT_KEY_BYTES);
    r->algorithm = get_text(root, SHUNT_KEY_ALGORITHM);
    r->params = get_text(root, SHUNT_KEY_PARAMETERS);
    read_rule(root, r);
    r->reason = get_text(root, SHUNT_KEY_REASON);
    r->gain = get_number(root, keys[SHUNT_KEY_PREDICTED_GAIN], 0);
    r->site = get_text(root, SHUNT_KEY_SITE);
    r->symbol = get_text(root, SHUNT_KEY_SYMBOL);
    r->seconds = get_number(root, keys[SHUNT_KEY_SECONDS], 0);
    r->aside = get_number(root, keys[SHUNT_KEY_ASIDE], 0);
    r->set_up = get_number(root, keys[SHUNT_KEY_SET_UP], 0);
    r->settled = json_object_get_boolean(member(root, keys[SHUNT_KEY_SETTLED])) != 0;
    r->warmup = r->reason && strcmp(r->reason, "warm-up") == 0;
    r->native = get_number(root, keys[SHUNT_KEY_NATIVE], 0);
    r->agreement = get_number(root, keys[SHUNT_KEY_AGREEMENT], -1);
    r->memory = get_count(root, SHUNT_KEY_MEMORY, -1);
    r->error = get_int(root, SHUNT_KEY_ERROR, 0);
}

static void read_communicator(struct json_object *root, struct shunt_logs_event *event)
{
    struct shunt_record *r = &event->record;
    r->communicator = get_text(root, SHUNT_KEY_COMMUNICATOR);
    r->ranks = get_int(root, SHUNT_KEY_RANKS, 0);
    r->nodes = get_int(root, SHUNT_KEY_NODES, 0);
    r->ppn = get_int(root, SHUNT_KEY_PPN_MAX, 0);
    event->ppn_min = get_int(root, SHUNT_KEY_PPN_MIN, 0);
    event->oversubscribed =
        json_object_get_boolean(member(root, keys[SHUNT_KEY_OVERSUBSCRIBED])) != 0;
    event->table = get_text(root, SHUNT_KEY_TABLE);
    event->machine = get_text(root, SHUNT_KEY_MACHINE);
    event->fingerprint = get_text(root, SHUNT_KEY_FINGERPRINT);
    read_id(root, event);
}

/* An array of an object: how long it is, 0 for anything else. */
static size_t get_list(struct json_object *root, enum shunt_key key, struct json_object **list)
{
    *list = member(root, keys[key]);
    return json_object_is_type(*list, json_type_array) ? json_object_array_length(*list) : 0;
}

/* Ranks of each node; none where one of them is no number of ranks, or memory is short. */
static void read_layout(struct shunt_logs_parser *parser, struct shunt_logs_event *event)
{
    struct json_object *list;
    const size_t count = get_list(parser->root, SHUNT_KEY_LAYOUT, &list);
    int *layout = count > 0 && count <= RANKS_MOST
                      ? realloc(parser->layout, count * sizeof *parser->layout)
                      : NULL;
    if (!layout)
        return;
    parser->layout = layout;
    for (size_t i = 0; i < count; i++) {
        const int64_t ranks = json_object_get_int64(json_object_array_get_idx(list, i));
        if (ranks < 1 || ranks > RANKS_MOST)
            return;
        layout[i] = (int)ranks;
    }
    event->layout = layout;
    event->layout_count = (int)count;
}

/* Bytes to each rank; none where one of them is no number of bytes, or memory is short. */
static void read_send_bytes(struct shunt_logs_parser *parser, struct shunt_logs_event *event)
{
    struct json_object *list;
    const size_t count = get_list(parser->root, SHUNT_KEY_SEND_BYTES, &list);
    int64_t *bytes = count > 0 && count <= RANKS_MOST
                         ? realloc(parser->send_bytes, count * sizeof *parser->send_bytes)
                         : NULL;
    if (!bytes)
        return;
    parser->send_bytes = bytes;
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = json_object_array_get_idx(list, i);
        if (!is_number(one) || json_object_get_int64(one) < 0)
            return;
        bytes[i] = json_object_get_int64(one);
    }
    event->send_bytes = bytes;
    event->send_count = (int)count;
}

static void read_header(struct json_object *root, struct shunt_logs_event *event)
{
    event->schema = get_count(root, SHUNT_KEY_SCHEMA, -1);
    event->version = get_text(root, SHUNT_KEY_VERSION);
    event->host = get_text(root, SHUNT_KEY_HOST);
    event->job = get_text(root, SHUNT_KEY_JOB);
    event->library = get_text(root, SHUNT_KEY_LIBRARY);
    event->table = get_text(root, SHUNT_KEY_TABLE);
    event->machine = get_text(root, SHUNT_KEY_MACHINE);
    event->fingerprint = get_text(root, SHUNT_KEY_FINGERPRINT);
    event->command = get_text(root, SHUNT_KEY_COMMAND);
    event->timed = get_date(root, SHUNT_KEY_DATE, &event->time);
    if (!get_date(root, SHUNT_KEY_ORIGIN, &event->origin))
        event->origin = 0;
}

static struct shunt_logs_sums read_sums(struct json_object *object)
{
    return (struct shunt_logs_sums){
        .calls = get_sum(object, SHUNT_KEY_CALLS),
        .bytes = get_sum(object, SHUNT_KEY_BYTES),
        .errors = get_sum(object, SHUNT_KEY_ERRORS),
        .seconds = get_number(object, keys[SHUNT_KEY_SECONDS], 0),
        .agreement = get_number(object, keys[SHUNT_KEY_AGREEMENT], 0),
    };
}

/* What the rank says of its gain; null where it has routed nothing. */
static struct shunt_log_estimate read_estimate(struct json_object *object)
{
    const char *why = get_text(object, SHUNT_KEY_NOT_MEASURED);
    const uint64_t calls = get_sum(object, SHUNT_KEY_CALLS);
    const double speedup = get_number(object, keys[SHUNT_KEY_SPEEDUP], 0);
    const bool measured = speedup > 0;
    return (struct shunt_log_estimate){
        .speedup = speedup,
        .low = get_number(object, keys[SHUNT_KEY_LOW], 0),
        .high = get_number(object, keys[SHUNT_KEY_HIGH], 0),
        .saved = get_number(object, keys[SHUNT_KEY_SAVED], 0),
        .saved_low = get_number(object, keys[SHUNT_KEY_SAVED_LOW], 0),
        .saved_high = get_number(object, keys[SHUNT_KEY_SAVED_HIGH], 0),
        .cost = get_number(object, keys[SHUNT_KEY_SET_UP], 0),
        .native = measured ? calls : 0,
        .routed = get_sum(object, SHUNT_KEY_COMPARED),
        .too_few = measured ? 0 : calls,
        .ranks = measured,
        .verified = why && strcmp(why, "verified") == 0,
        .crowded = json_object_get_boolean(member(object, keys[SHUNT_KEY_OVERSUBSCRIBED])) != 0};
}

static void read_summary(struct json_object *root, struct shunt_logs_event *event)
{
    struct json_object *routed = member(root, keys[SHUNT_KEY_ROUTED]), *estimate;
    event->all = read_sums(root);
    event->elapsed = get_number(root, keys[SHUNT_KEY_ELAPSED], -1);
    event->has_routed = json_object_is_type(routed, json_type_object);
    if (event->has_routed)
        event->routed = read_sums(routed);
    event->has_estimate = json_object_object_get_ex(root, keys[SHUNT_KEY_ESTIMATE], &estimate);
    if (event->has_estimate && json_object_is_type(estimate, json_type_object))
        event->estimate = read_estimate(estimate);
    event->estimate.asked = event->routed.calls > 0;
    event->estimate.spent = event->all.seconds;
}

/* Rules that no call of the rank followed. */
static void read_unused(struct shunt_logs_parser *parser, struct shunt_logs_event *event)
{
    struct json_object *list;
    const size_t count = get_list(parser->root, SHUNT_KEY_UNUSED_RULES, &list);
    event->knows_rules = json_object_is_type(list, json_type_array);
    struct shunt_logs_rule *unused = count > 0 && count <= INT_MAX / sizeof *parser->unused
                                         ? realloc(parser->unused, count * sizeof *unused)
                                         : NULL;
    if (!unused)
        return;
    parser->unused = unused;
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = json_object_array_get_idx(list, i);
        struct shunt_record record = {.rule_file = NULL};
        if (!json_object_is_type(one, json_type_object))
            continue;
        read_rule(one, &record);
        unused[event->unused_count++] =
            (struct shunt_logs_rule){.operation = get_text(one, SHUNT_KEY_OPERATION),
                                     .file = record.rule_file,
                                     .id = record.rule_id,
                                     .line = record.rule_line};
    }
    event->unused = unused;
}

static void read_event(struct shunt_logs_parser *parser, struct shunt_logs_event *event)
{
    struct json_object *root = parser->root;
    const char *kind = get_text(root, SHUNT_KEY_EVENT);
    *event = (struct shunt_logs_event){.kind = SHUNT_LOGS_OTHER};
    for (int i = 0; i < SHUNT_LOGS_OTHER; i++)
        if (strcmp(kind, kinds[i]) == 0)
            event->kind = (enum shunt_logs_kind)i;
    event->rank = get_int(root, SHUNT_KEY_RANK, -1);
    event->ranks = get_int(root, SHUNT_KEY_RANKS, 0);
    event->time = get_number(root, keys[SHUNT_KEY_TIME], -1);
    event->timed = event->time >= 0 && event->time < TIME_MOST;
    if (event->rank >= RANKS_MOST)
        event->rank = -1;
    event->record.max = -1;
    event->record.mean = event->record.filled = -1;
    event->record.density = -1;
    if (event->kind == SHUNT_LOGS_CALL)
        read_call(root, event);
    if (event->kind == SHUNT_LOGS_CALL)
        read_send_bytes(parser, event);
    if (event->kind == SHUNT_LOGS_CALL || event->kind == SHUNT_LOGS_COMMUNICATOR)
        read_communicator(root, event);
    if (event->kind == SHUNT_LOGS_COMMUNICATOR)
        read_layout(parser, event);
    if (event->kind == SHUNT_LOGS_HEADER)
        read_header(root, event);
    if (event->kind == SHUNT_LOGS_SUMMARY)
        read_summary(root, event);
    if (event->kind == SHUNT_LOGS_SUMMARY)
        read_unused(parser, event);
    event->offset = get_number(root, keys[SHUNT_KEY_OFFSET], 0);
    event->uncertainty = get_number(root, keys[SHUNT_KEY_UNCERTAINTY], 0);
    event->size = get_count(root, SHUNT_KEY_SIZE, 0);
}

enum shunt_logs_found shunt_logs_parse(struct shunt_logs_parser *parser, const char *line,
                                       size_t length, struct shunt_logs_event *event)
{
    json_object_put(parser->root);
    json_tokener_reset(parser->tokener);
    parser->root =
        length <= INT_MAX ? json_tokener_parse_ex(parser->tokener, line, (int)length) : NULL;
    const enum json_tokener_error error = json_tokener_get_error(parser->tokener);
    if (error == json_tokener_continue)
        return length > 0 && line[0] == '{' ? SHUNT_LOGS_CUT : SHUNT_LOGS_NO_JSON;
    if (error != json_tokener_success || length > INT_MAX)
        return SHUNT_LOGS_NO_JSON;
    if (!json_object_is_type(parser->root, json_type_object))
        return SHUNT_LOGS_NO_JSON;
    if (!get_text(parser->root, SHUNT_KEY_EVENT))
        return SHUNT_LOGS_NO_EVENT;
    read_event(parser, event);
    return SHUNT_LOGS_GOOD;
}
