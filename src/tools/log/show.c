/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c: events in people's form; calls as the library prints them. */
#include "tools/log/view.h"

#include <string.h>

#include "log/line.h"
#include "tools/common/tool.h"

/* Digits of an identifier that tell communicators apart for people. */
enum { ID_DIGITS = 8 };

void shunt_logs_show_communicator(struct shunt_log_text *text, const char *name, const char *id)
{
    const bool named = name && name[0] != '\0';
    if (named)
        shunt_log_text_plain(text, name);
    if (id[0] == '\0')
        return;
    if (named)
        shunt_log_text_put(text, "/", 1);
    shunt_log_text_put(text, id, strnlen(id, ID_DIGITS));
}

static void put_rank(struct shunt_log_text *text, int rank)
{
    if (rank < 0)
        return;
    shunt_log_text_put(text, "[", 1);
    shunt_log_text_unsigned(text, (uint64_t)rank);
    shunt_log_text_string(text, "] ");
}

/* The library's own line behind rank and communicator: that a line is Shunt's goes without saying
 * here. */
static void show_call(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    static const char prefix[] = "shunt: ";
    const size_t length = sizeof prefix - 1, start = text->used;
    put_rank(text, event->rank);
    shunt_logs_show_communicator(text, event->record.communicator, event->id);
    if (text->used > start && text->bytes[text->used - 1] != ' ')
        shunt_log_text_put(text, " ", 1);
    const size_t at = text->used;
    shunt_log_line_human(text, &event->record, -1);
    if (text->used - at <= length || memcmp(text->bytes + at, prefix, length) != 0)
        return;
    memmove(text->bytes + at, text->bytes + at + length, text->used - at - length);
    text->used -= length;
}

static void put_named(struct shunt_log_text *text, const char *before, const char *value)
{
    if (!value || value[0] == '\0')
        return;
    shunt_log_text_string(text, before);
    shunt_log_text_plain(text, value);
}

/* "64 ranks", "1 rank". */
static void put_count(struct shunt_log_text *text, uint64_t count, const char *what)
{
    shunt_log_text_unsigned(text, count);
    shunt_log_text_put(text, " ", 1);
    shunt_log_text_string(text, what);
    shunt_log_text_string(text, shunt_tool_plural(count));
}

static void put_table(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    put_named(text, ", table ", event->table);
    if (!event->machine || event->machine[0] == '\0')
        return;
    put_named(text, " (", event->machine);
    shunt_log_text_put(text, ")", 1);
}

static void show_header(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    shunt_log_text_string(text, "log");
    put_named(text, " of shunt ", event->version);
    if (event->ranks > 0) {
        shunt_log_text_string(text, ", ");
        put_count(text, (uint64_t)event->ranks, "rank");
    }
    put_named(text, ", job ", event->job);
    put_named(text, ", ", event->library);
    put_table(text, event);
    put_named(text, ": ", event->command);
    shunt_log_text_put(text, "\n", 1);
}

static void show_set_up(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    shunt_log_text_string(text, "communicator ");
    shunt_logs_show_communicator(text, r->communicator, event->id);
    shunt_log_text_string(text, ": ");
    put_count(text, (uint64_t)(r->ranks > 0 ? r->ranks : 0), "rank");
    if (r->nodes > 0) {
        shunt_log_text_string(text, " on ");
        put_count(text, (uint64_t)r->nodes, "node");
    }
    if (event->ppn_min > 0 && r->ppn > event->ppn_min) {
        shunt_log_text_string(text, " (");
        shunt_log_text_unsigned(text, (uint64_t)event->ppn_min);
        shunt_log_text_string(text, " to ");
        shunt_log_text_unsigned(text, (uint64_t)r->ppn);
        shunt_log_text_string(text, " on each)");
    }
    put_table(text, event);
    shunt_log_text_put(text, "\n", 1);
}

static void show_cap(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    put_rank(text, event->rank);
    shunt_log_text_string(text, "the log has reached its cap of ");
    shunt_log_text_bytes(text, (uint64_t)(event->size > 0 ? event->size : 0));
    shunt_log_text_string(text, ": further calls of this rank are only in its summary\n");
}

static void show_summary(struct shunt_log_text *text, const struct shunt_logs_event *event)
{
    put_rank(text, event->rank);
    shunt_log_text_string(text, "end: ");
    put_count(text, event->all.calls, "call");
    if (event->has_routed) {
        shunt_log_text_string(text, ", ");
        shunt_log_text_unsigned(text, event->routed.calls);
        shunt_log_text_string(text, " of them routed");
    }
    shunt_log_text_string(text, ", ");
    shunt_log_text_bytes(text, event->all.bytes);
    shunt_log_text_string(text, " sent, ");
    shunt_log_text_seconds(text, event->all.seconds);
    if (event->elapsed > 0) {
        shunt_log_text_string(text, " of ");
        shunt_log_text_seconds(text, event->elapsed);
    }
    if (event->all.errors > 0) {
        shunt_log_text_string(text, ", ");
        put_count(text, event->all.errors, "error");
    }
    shunt_log_text_put(text, "\n", 1);
}

static bool show_for_people(struct shunt_log_text *text, const struct shunt_logs_event *event,
                            bool *once)
{
    switch (event->kind) {
    case SHUNT_LOGS_CALL:
        show_call(text, event);
        return true;
    case SHUNT_LOGS_HEADER:
        *once = true;
        show_header(text, event);
        return true;
    case SHUNT_LOGS_COMMUNICATOR:
        *once = true;
        show_set_up(text, event);
        return true;
    case SHUNT_LOGS_CAP:
        show_cap(text, event);
        return true;
    case SHUNT_LOGS_SUMMARY:
        show_summary(text, event);
        return true;
    default: /* clocks have been applied to the times already */
        return false;
    }
}

bool shunt_logs_show(struct shunt_log_text *text, enum shunt_logs_form form,
                     const struct shunt_logs_event *event, const char *line, size_t length,
                     bool *once)
{
    *once = false;
    if (form == SHUNT_LOGS_PEOPLE)
        return show_for_people(text, event, once);
    if (form == SHUNT_LOGS_JSON) {
        shunt_log_text_put(text, line, length);
        shunt_log_text_put(text, "\n", 1);
        return true;
    }
    if (event->kind == SHUNT_LOGS_CALL)
        shunt_logs_csv_call(text, event);
    return event->kind == SHUNT_LOGS_CALL;
}
