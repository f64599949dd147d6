/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: schedules for programs, one JSON document as schedule.schema.json describes it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "config.h"
#include "events/moves.h"
#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/schedule/shown.h"

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
    if (call->trace) {
        shunt_json_put_string(json, SHUNT_KEY_MACHINE, call->machine->name);
        shunt_json_put_real(json, SHUNT_KEY_TIME_S, call->trace->time);
    }
    shunt_json_put_array(json, SHUNT_KEY_SCHEDULES);
}

static void put_place(struct shunt_json *json, enum shunt_key key, struct shunt_place place)
{
    static const char *const words[] = {
        [SHUNT_PLACE_SEND] = "send",           [SHUNT_PLACE_RECEIVE] = "receive",
        [SHUNT_PLACE_SLOT] = "slot",           [SHUNT_PLACE_SHARED] = "shared",
        [SHUNT_PLACE_NEIGHBOUR] = "neighbour", [SHUNT_PLACE_MESSAGE] = "message"};
    char text[32];
    if (place.kind <= SHUNT_PLACE_SLOT)
        snprintf(text, sizeof text, "%s %" PRIu32, words[place.kind], place.index);
    else
        snprintf(text, sizeof text, "%s", words[place.kind]);
    shunt_json_put_string(json, key, text);
}

static void put_moves(struct shunt_json *json, const struct shunt_moves *moves)
{
    shunt_json_put_array(json, SHUNT_KEY_MOVES);
    for (size_t i = 0; i < moves->count; i++) {
        const struct shunt_move *move = &moves->move[i];
        shunt_json_object(json);
        shunt_json_put_known(json, SHUNT_KEY_BLOCK_OF, move->source);
        shunt_json_put_known(json, SHUNT_KEY_BLOCK_FOR, move->target);
        put_place(json, SHUNT_KEY_OUT_OF, move->from);
        put_place(json, SHUNT_KEY_INTO, move->to);
        shunt_json_close(json);
    }
    shunt_json_close(json);
}

/* moves, done: NULL where nobody asks for them. */
static void put_event(struct shunt_json *json, const struct shunt_shown_rank *shown, size_t index,
                      const struct shunt_moves *moves, const double *done)
{
    static const char *const parts[] = {[SHUNT_PART_AGREEMENT] = "agreement",
                                        [SHUNT_PART_BEFORE] = "before",
                                        [SHUNT_PART_ROUND] = "round",
                                        [SHUNT_PART_READS] = "reads",
                                        [SHUNT_PART_AFTER] = "after"};
    const struct shunt_event *event = &shown->events.event[index];
    const enum shunt_part part = shunt_shown_part(shown, index);
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_KIND, shunt_shown_word(event->kind));
    shunt_json_put_string(json, SHUNT_KEY_PART, parts[part]);
    put_or_null(json, SHUNT_KEY_ROUND, part == SHUNT_PART_ROUND ? (int64_t)event->round + 1 : -1);
    put_or_null(json, SHUNT_KEY_PEER, event->peer);
    shunt_json_put_unsigned(json, SHUNT_KEY_BLOCKS, event->blocks);
    put_or_null(json, SHUNT_KEY_BYTES, event->bytes);
    if (done)
        shunt_json_put_real(json, SHUNT_KEY_DONE_S, *done);
    if (moves)
        put_moves(json, moves);
    shunt_json_close(json);
}

static int put_events(const struct shunt_shown *call, const struct shunt_shown_rank *shown,
                      struct shunt_json *json)
{
    const struct shunt_event_call events = shunt_shown_events(call);
    const bool asked = call->question->moves;
    const struct shunt_trace *trace = call->trace;
    const double *done = trace ? trace->done + trace->first[shown->rank] : NULL;
    struct shunt_moves moves;
    shunt_moves_begin(&moves, &events, call->carried, call->counts->bytes, shown->rank);
    shunt_json_put_array(json, SHUNT_KEY_EVENTS);
    for (size_t i = 0; i < shown->events.count && !moves.failed; i++) {
        if (asked)
            shunt_moves_next(&moves, &shown->events, i);
        put_event(json, shown, i, asked ? &moves : NULL, done ? done + i : NULL);
    }
    shunt_json_close(json);
    const int failed = moves.failed;
    shunt_moves_clear(&moves);
    return failed ? -1 : 0;
}

int shunt_shown_json_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown,
                          struct shunt_json *json)
{
    const struct shunt_layout *layout = &call->question->layout;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_known(json, SHUNT_KEY_RANK, shown->rank);
    shunt_json_put_known(json, SHUNT_KEY_NODE, layout->node_of[shown->rank]);
    shunt_json_put_known(json, SHUNT_KEY_LOCAL_RANK, layout->local_of[shown->rank]);
    if (put_events(call, shown, json))
        return -1;
    shunt_json_put_object(json, SHUNT_KEY_TOTALS);
    shunt_effort_json(&shown->effort, json);
    shunt_json_close(json);
    shunt_json_close(json);
    return 0;
}

void shunt_shown_json_end(struct shunt_json *json)
{
    shunt_json_close(json);
    shunt_json_close(json);
}
