/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule_json.c: schedules for programs, one JSON document as schedule.schema.json describes it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tools/schedule.h"
#include "tools/tool.h"

/* A number, an array of them where each digit has a radix of its own, or a word. */
static void json_value(const struct shunt_params *params, enum shunt_param param)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const char *word = shunt_param_word(param, params->value[param]);
    if (word) {
        shunt_tool_json(stdout, word);
        return;
    }
    if (param != SHUNT_PARAM_RADIX || radices.count < 2) {
        printf("%" PRId64, params->value[param]);
        return;
    }
    for (int i = 0; i < radices.count; i++)
        printf("%s%" PRId64, i == 0 ? "[" : ",", radices.radix[i]);
    fputs("]", stdout);
}

/* -1: not known. */
static void json_bytes(int64_t bytes)
{
    if (bytes >= 0)
        printf("%" PRId64, bytes);
    else
        fputs("null", stdout);
}

static void json_parameters(const struct shunt_decision *decision)
{
    const char *separator = "";
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        if (!decision->algorithm->params[i].used)
            continue;
        printf("%s\"%s\":", separator, shunt_param_name((enum shunt_param)i));
        json_value(&decision->params, (enum shunt_param)i);
        separator = ",";
    }
}

void shunt_shown_json_begin(const struct shunt_shown *call)
{
    const struct shunt_question *question = call->question;
    const struct shunt_layout *layout = &question->layout;
    printf("{\"op\":\"%s\",\"algorithm\":", shunt_op_name(question->op));
    shunt_tool_json(stdout, call->decision->algorithm->name);
    fputs(",\"parameters\":{", stdout);
    json_parameters(call->decision);
    printf("},\"ranks\":%d,\"nodes\":[", layout->ranks);
    for (int node = 0; node < layout->nodes; node++)
        printf("%s%d", node > 0 ? "," : "", shunt_layout_ppn(layout, node));
    printf("],\"block\":%" PRId64 ",\"counts\":", question->block);
    if (question->counts)
        shunt_tool_json(stdout, question->counts);
    else
        fputs("null", stdout);
    printf(",\"agrees\":%s,\"schedules\":[", call->agrees ? "true" : "false");
}

static void json_event(const struct shunt_shown_rank *shown, size_t index)
{
    static const char *const kinds[] = {
        [SHUNT_EVENT_COPY] = "copy",         [SHUNT_EVENT_COPY_IN] = "copy_in",
        [SHUNT_EVENT_COPY_OUT] = "copy_out", [SHUNT_EVENT_BARRIER] = "barrier",
        [SHUNT_EVENT_AWAIT] = "await",       [SHUNT_EVENT_READ] = "read",
        [SHUNT_EVENT_AGREE] = "agree",       [SHUNT_EVENT_LENGTHS] = "lengths",
        [SHUNT_EVENT_SEND] = "send",         [SHUNT_EVENT_RECEIVE] = "receive"};
    static const char *const parts[] = {[SHUNT_PART_AGREEMENT] = "agreement",
                                        [SHUNT_PART_BEFORE] = "before",
                                        [SHUNT_PART_ROUND] = "round",
                                        [SHUNT_PART_READS] = "reads",
                                        [SHUNT_PART_AFTER] = "after"};
    const struct shunt_event *event = &shown->events.event[index];
    const enum shunt_part part = shunt_shown_part(shown, index);
    printf("{\"kind\":\"%s\",\"part\":\"%s\",\"round\":", kinds[event->kind], parts[part]);
    if (part == SHUNT_PART_ROUND)
        printf("%" PRIu32, event->round + 1);
    else
        fputs("null", stdout);
    fputs(",\"peer\":", stdout);
    json_bytes(event->peer);
    printf(",\"blocks\":%" PRIu64 ",\"bytes\":", event->blocks);
    json_bytes(event->bytes);
    fputs("}", stdout);
}

/* The members of `shunt explain --json`, by the same names. */
static void json_totals(const struct shunt_effort *e)
{
    printf("{\"rounds\":%" PRIu32 ",\"messages\":%" PRIu64 ",\"blocks\":%" PRIu64 ",\"bytes\":",
           e->rounds, e->messages, e->blocks);
    json_bytes(e->bytes);
    printf(",\"copies\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"barriers\":%" PRIu64
           ",\"agreement\":%" PRIu64 "}",
           e->copied, e->read, e->barriers, e->agreement);
}

void shunt_shown_json_rank(const struct shunt_shown *call, const struct shunt_shown_rank *shown)
{
    const struct shunt_layout *layout = &call->question->layout;
    const bool first = !call->question->all || shown->rank == 0;
    printf("%s\n{\"rank\":%d,\"node\":%d,\"local_rank\":%d,\"events\":[", first ? "" : ",",
           shown->rank, layout->node_of[shown->rank], layout->local_of[shown->rank]);
    for (size_t i = 0; i < shown->events.count; i++) {
        fputs(i > 0 ? ",\n " : "\n ", stdout);
        json_event(shown, i);
    }
    fputs("],\n \"totals\":", stdout);
    json_totals(&shown->effort);
    fputs("}", stdout);
}

void shunt_shown_json_end(void)
{
    puts("\n]}");
}
