/* SPDX-License-Identifier: BSD-3-Clause */
/* whole.c: see whole.h. */
#include "tools/report/whole.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text)
{
    return strdup(text ? text : "");
}

static struct shunt_whole_call *find(struct shunt_whole *whole,
                                     const struct shunt_logs_event *event)
{
    for (int i = 0; i < whole->count; i++)
        if (whole->call[i].call == event->record.call && strcmp(whole->call[i].id, event->id) == 0)
            return &whole->call[i];
    return NULL;
}

static bool begin(struct shunt_whole_call *call, const struct shunt_logs_event *event)
{
    const struct shunt_record *r = &event->record;
    const size_t ranks = (size_t)event->send_count;
    *call = (struct shunt_whole_call){.call = r->call, .ranks = event->send_count};
    memcpy(call->id, event->id, sizeof call->id);
    call->name = copy_of(r->communicator);
    call->algorithm = copy_of(r->algorithm);
    call->parameters = copy_of(r->params);
    call->world = calloc(ranks, sizeof *call->world);
    call->bytes = calloc(ranks * ranks, sizeof *call->bytes);
    return call->name && call->algorithm && call->parameters && call->world && call->bytes;
}

static bool was_heard(const struct shunt_whole_call *call, int rank)
{
    for (int i = 0; i < call->heard; i++)
        if (call->world[i] == rank)
            return true;
    return false;
}

static bool is_of_interest(const struct shunt_logs_event *event)
{
    const char *operation = event->record.operation;
    return event->send_count > 1 && event->send_count <= SHUNT_WHOLE_RANKS && event->rank >= 0 &&
           event->id[0] != '\0' && operation && strcmp(operation, "alltoallv") == 0;
}

bool shunt_whole_add(struct shunt_whole *whole, const struct shunt_logs_event *event)
{
    const int ranks = event->send_count;
    if (!is_of_interest(event))
        return true;
    struct shunt_whole_call *call = find(whole, event);
    if (!call && whole->count == SHUNT_WHOLE_CALLS)
        return true;
    if (!call) {
        call = &whole->call[whole->count++];
        if (!begin(call, event))
            return false;
    }
    if (call->ranks != ranks || call->heard == ranks || was_heard(call, event->rank))
        return true;
    memcpy(call->bytes + (size_t)call->heard * (size_t)ranks, event->send_bytes,
           (size_t)ranks * sizeof *call->bytes);
    call->world[call->heard++] = event->rank;
    return true;
}

/* The heard rank that comes behind `rank` in the world; all of them are different. */
static int next_of(const struct shunt_whole_call *call, int rank)
{
    int next = -1;
    for (int i = 0; i < call->heard; i++)
        if (call->world[i] > rank && (next < 0 || call->world[i] < call->world[next]))
            next = i;
    return next;
}

/* The log tells ranks of the world: those of a communicator are taken to be in their order. */
static void put_bytes(struct shunt_json *json, const struct shunt_whole_call *call)
{
    shunt_json_put_array(json, SHUNT_KEY_SEND_BYTES);
    for (int i = next_of(call, -1); i >= 0; i = next_of(call, call->world[i])) {
        shunt_json_array(json);
        for (int target = 0; target < call->ranks; target++)
            shunt_json_integer(json, call->bytes[i * call->ranks + target]);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

static void put_layout(struct shunt_json *json, const struct shunt_whole_call *call,
                       shunt_whole_layout layout, const void *context)
{
    const int *sizes = NULL;
    const int nodes = layout(context, strtoull(call->id, NULL, 16), &sizes);
    int64_t sum = 0;
    for (int i = 0; i < nodes; i++)
        sum += sizes[i];
    if (nodes == 0 || sum != call->ranks)
        return;
    shunt_json_put_array(json, SHUNT_KEY_LAYOUT);
    for (int i = 0; i < nodes; i++)
        shunt_json_integer(json, sizes[i]);
    shunt_json_close(json);
}

static bool is_empty(const struct shunt_whole_call *call)
{
    const size_t ranks = (size_t)call->ranks;
    for (size_t i = 0; i < ranks * ranks; i++)
        if (call->bytes[i] > 0)
            return false;
    return true;
}

void shunt_whole_put(struct shunt_json *json, const struct shunt_whole *whole,
                     shunt_whole_layout layout, const void *context)
{
    shunt_json_put_array(json, SHUNT_KEY_WHOLE);
    for (int i = 0; i < whole->count; i++) {
        const struct shunt_whole_call *call = &whole->call[i];
        if (call->heard < call->ranks || is_empty(call))
            continue;
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_COMMUNICATOR, call->name);
        shunt_json_put_string(json, SHUNT_KEY_COMMUNICATOR_ID, call->id);
        shunt_json_put_unsigned(json, SHUNT_KEY_CALL, call->call);
        shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, call->algorithm);
        shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, call->parameters);
        put_layout(json, call, layout, context);
        put_bytes(json, call);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

void shunt_whole_clear(struct shunt_whole *whole)
{
    for (int i = 0; i < whole->count; i++) {
        free(whole->call[i].name);
        free(whole->call[i].algorithm);
        free(whole->call[i].parameters);
        free(whole->call[i].world);
        free(whole->call[i].bytes);
    }
    whole->count = 0;
}
