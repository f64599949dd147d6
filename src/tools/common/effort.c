/* SPDX-License-Identifier: BSD-3-Clause */
/* effort.c: sums over the events of one rank. */
#include "tools/common/effort.h"
#include "tools/common/tool.h"

#include <inttypes.h>
#include <stdio.h>

bool shunt_effort_agrees(enum shunt_op op, const struct shunt_map *map,
                         const struct shunt_decision *decision)
{
    /* As src/comm/setup.c decides it, but for threads and GPUs. */
    return op == SHUNT_OP_ALLTOALLV && !shunt_map_all_native(map) &&
           (map->count > 1 || map->sparser || shunt_kind_agrees(decision->algorithm->kind));
}

static void add_event(struct shunt_effort *effort, const struct shunt_event *event)
{
    switch (event->kind) {
    case SHUNT_EVENT_COPY:
    case SHUNT_EVENT_COPY_IN:
    case SHUNT_EVENT_COPY_OUT:
        effort->copied += event->blocks;
        break;
    case SHUNT_EVENT_READ:
        effort->read += event->blocks;
        break;
    case SHUNT_EVENT_BARRIER:
        effort->barriers++;
        break;
    case SHUNT_EVENT_AGREE:
        effort->agreement++;
        break;
    case SHUNT_EVENT_LENGTHS:
    case SHUNT_EVENT_SEND:
        effort->messages++;
        effort->blocks += event->blocks;
        if (effort->bytes < 0 || event->bytes < 0 ||
            __builtin_add_overflow(effort->bytes, event->bytes, &effort->bytes))
            effort->bytes = -1;
        break;
    case SHUNT_EVENT_RECEIVE:
    case SHUNT_EVENT_AGREE_RECEIVE:
    case SHUNT_EVENT_LENGTHS_RECEIVE:
    case SHUNT_EVENT_AWAIT:
        break;
    }
}

struct shunt_effort shunt_effort_sum(const struct shunt_events *events)
{
    struct shunt_effort effort = {.counted = true, .rounds = events->rounds};
    for (size_t i = 0; i < events->count; i++)
        add_event(&effort, &events->event[i]);
    return effort;
}

bool shunt_effort_count(struct shunt_effort *effort, const struct shunt_event_call *call, int rank)
{
    struct shunt_events events;
    const bool built = shunt_events_build(&events, call, rank) == 0;
    *effort = built ? shunt_effort_sum(&events) : (struct shunt_effort){0};
    shunt_events_clear(&events);
    return built;
}

void shunt_effort_json(const struct shunt_effort *effort, struct shunt_json *json)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_ROUNDS, effort->rounds);
    shunt_json_put_unsigned(json, SHUNT_KEY_MESSAGES, effort->messages);
    shunt_json_put_unsigned(json, SHUNT_KEY_BLOCKS, effort->blocks);
    shunt_json_put_known(json, SHUNT_KEY_BYTES, effort->bytes);
    shunt_json_put_unsigned(json, SHUNT_KEY_COPIES, effort->copied);
    shunt_json_put_unsigned(json, SHUNT_KEY_READS, effort->read);
    shunt_json_put_unsigned(json, SHUNT_KEY_BARRIERS, effort->barriers);
    shunt_json_put_unsigned(json, SHUNT_KEY_AGREEMENT_MESSAGES, effort->agreement);
}

void shunt_effort_print(const struct shunt_effort *effort, int rank, const char *label)
{
    printf("%-10s rank %d: %" PRIu32 " round%s, sends %" PRIu64 " message%s with %" PRIu64
           " block%s",
           label, rank, effort->rounds, shunt_tool_plural(effort->rounds), effort->messages,
           shunt_tool_plural(effort->messages), effort->blocks, shunt_tool_plural(effort->blocks));
    if (effort->bytes >= 0)
        printf(", %" PRId64 " byte%s", effort->bytes, shunt_tool_plural((uint64_t)effort->bytes));
    puts("");
    printf("%-10s rank %d: copies %" PRIu64 " block%s", "", rank, effort->copied,
           shunt_tool_plural(effort->copied));
    if (effort->read > 0)
        printf(", reads %" PRIu64 " from neighbours", effort->read);
    if (effort->barriers > 0)
        printf(", %" PRIu64 " barrier%s of the node", effort->barriers,
               shunt_tool_plural(effort->barriers));
    if (effort->agreement > 0)
        printf(", %" PRIu64 " message%s to agree about sizes", effort->agreement,
               shunt_tool_plural(effort->agreement));
    puts("");
}
