/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule_json.c: schedules for programs, one JSON document as schedule.schema.json describes it.
 */
#include <stdio.h>

#include "config.h"
#include "route/words.h"
#include "tools/shown.h"
#include "tools/tool.h"

/* -1: not known, or none. */
static void put_or_null(struct shunt_json *json, enum shunt_key key, int64_t value)
{
    shunt_json_key(json, key);
    if (value >= 0)
        shunt_json_integer(json, value);
    else
        shunt_json_null(json);
}

void shunt_shown_json_begin(const struct shunt_shown *call, struct shunt_json *json)
{
    const struct shunt_question *question = call->question;
    const struct shunt_layout *layout = &question->layout;
    char parameters[512];
    shunt_params_print(call->decision->algorithm, &call->decision->params, parameters,
                       sizeof parameters);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(question->op));
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, call->decision->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, layout->ranks);
    shunt_json_put_array(json, SHUNT_KEY_LAYOUT);
    for (int node = 0; node < layout->nodes; node++)
        shunt_json_integer(json, shunt_layout_ppn(layout, node));
    shunt_json_close(json);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, question->block);
    shunt_json_put_string(json, SHUNT_KEY_COUNTS, question->counts);
    shunt_json_put_flag(json, SHUNT_KEY_AGREES, call->agrees);
    shunt_json_put_array(json, SHUNT_KEY_SCHEDULES);
}

static void put_event(struct shunt_json *json, const struct shunt_shown_rank *shown, size_t index)
{
    static const char *const kinds[] = {[SHUNT_EVENT_COPY] = "copy",
                                        [SHUNT_EVENT_COPY_IN] = "copy_in",
                                        [SHUNT_EVENT_COPY_OUT] = "copy_out",
                                        [SHUNT_EVENT_BARRIER] = "barrier",
                                        [SHUNT_EVENT_AWAIT] = "await",
                                        [SHUNT_EVENT_READ] = "read",
                                        [SHUNT_EVENT_AGREE] = "agree",
                                        [SHUNT_EVENT_LENGTHS] = "lengths",
                                        [SHUNT_EVENT_SEND] = "send",
                                        [SHUNT_EVENT_RECEIVE] = "receive",
                                        [SHUNT_EVENT_AGREE_RECEIVE] = "agree_receive",
                                        [SHUNT_EVENT_LENGTHS_RECEIVE] = "lengths_receive"};
    static const char *const parts[] = {[SHUNT_PART_AGREEMENT] = "agreement",
                                        [SHUNT_PART_BEFORE] = "before",
                                        [SHUNT_PART_ROUND] = "round",
                                        [SHUNT_PART_READS] = "reads",
                                        [SHUNT_PART_AFTER] = "after"};
    const struct shunt_event *event = &shown->events.event[index];
    const enum shunt_part part = shunt_shown_part(shown, index);
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_KIND, kinds[event->kind]);
    shunt_json_put_string(json, SHUNT_KEY_PART, parts[part]);
    put_or_null(json, SHUNT_KEY_ROUND, part == SHUNT_PART_ROUND ? (int64_t)event->round + 1 : -1);
    put_or_null(json, SHUNT_KEY_PEER, event->peer);
    shunt_json_put_unsigned(json, SHUNT_KEY_BLOCKS, event->blocks);
    put_or_null(json, SHUNT_KEY_BYTES, event->bytes);
    shunt_json_close(json);
}

void shunt_shown_json_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown,
                           struct shunt_json *json)
{
    const struct shunt_layout *layout = &call->question->layout;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_known(json, SHUNT_KEY_RANK, shown->rank);
    shunt_json_put_known(json, SHUNT_KEY_NODE, layout->node_of[shown->rank]);
    shunt_json_put_known(json, SHUNT_KEY_LOCAL_RANK, layout->local_of[shown->rank]);
    shunt_json_put_array(json, SHUNT_KEY_EVENTS);
    for (size_t i = 0; i < shown->events.count; i++)
        put_event(json, shown, i);
    shunt_json_close(json);
    shunt_json_put_object(json, SHUNT_KEY_TOTALS);
    shunt_effort_json(&shown->effort, json);
    shunt_json_close(json);
    shunt_json_close(json);
}

void shunt_shown_json_end(struct shunt_json *json)
{
    shunt_json_close(json);
    shunt_json_close(json);
}
