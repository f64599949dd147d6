/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * promised OPERATION[,OPERATION] ALGORITHM[:PARAMETER=VALUE]... LAYOUT RANKS[,RANKS]... BYTES...:
 * what every rank does in these calls, as their events promise it, in the form and the order of the
 * traces of traced.c. LAYOUT: as SHUNT_TEST_LAYOUT, of one node; MPI is not needed. MEMORY=bytes in
 * the environment stands for SHUNT_MEMORY. The exit status is 3 where the algorithm does not
 * serve the operation, or is the library's; sets of ranks that it cannot serve are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/registry.h"
#include "event_lines.h"
#include "events/events.h"
#include "route/settings.h"
#include "route/words.h"

enum { SETS = 16 };

struct promise {
    const struct shunt_table *table[SHUNT_OP_COUNT]; /* NULL: not asked for */
    int sets, ranks[SETS];
    struct shunt_layout layout[SETS];
    int64_t memory;
};

/* Of what are messages of one round: they are waited for together. 0: no message. */
static int wave_kind(const struct shunt_event *event)
{
    switch (event->kind) {
    case SHUNT_EVENT_AGREE:
    case SHUNT_EVENT_AGREE_RECEIVE:
        return 1;
    case SHUNT_EVENT_LENGTHS:
    case SHUNT_EVENT_LENGTHS_RECEIVE:
        return 2;
    case SHUNT_EVENT_SEND:
    case SHUNT_EVENT_RECEIVE:
        return 3;
    default:
        return 0;
    }
}

static bool is_last_of_wave(const struct shunt_events *events, size_t i)
{
    const struct shunt_event *event = &events->event[i];
    if (wave_kind(event) == 0)
        return false;
    for (size_t k = i + 1; k < events->count; k++)
        if (wave_kind(&events->event[k]) == wave_kind(event) &&
            events->event[k].round == event->round)
            return false;
    return true;
}

/* What is copied in behind the messages of a round is copied while they are on their way. */
static bool is_waited_for(const struct shunt_events *events, size_t i)
{
    const struct shunt_event *event = &events->event[i];
    if (event->kind == SHUNT_EVENT_COPY_IN && i > 0 && event[-1].round == event->round)
        return is_last_of_wave(events, i - 1);
    if (i + 1 < events->count && event[1].kind == SHUNT_EVENT_COPY_IN &&
        event[1].round == event->round)
        return false;
    return is_last_of_wave(events, i);
}

static void print_events(const struct shunt_events *events, const char *call)
{
    struct event_lines lines = {.file = stdout, .call = call};
    for (size_t i = 0; i < events->count; i++) {
        const struct shunt_event *event = &events->event[i];
        if (event->kind <= SHUNT_EVENT_COPY_OUT)
            event_lines_copy(&lines, event->kind, (int64_t)event->blocks, event->bytes);
        else
            event_lines_add(&lines, event->kind, event->peer, event->bytes);
        if (is_waited_for(events, i))
            event_lines_wait(&lines);
    }
    event_lines_flush(&lines);
}

static int print_call(const struct promise *promise, int set, enum shunt_op op, int rank,
                      int64_t block)
{
    const struct shunt_table *table = promise->table[op];
    const struct shunt_rule *rule = &table->rules[table->rule_first[op]];
    const struct shunt_layout *layout = &promise->layout[set];
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    const struct shunt_params params =
        shunt_params_evaluate(algorithm, rule->present, rule->given, layout);
    const struct shunt_event_call event_call = {.op = op,
                                                .algorithm = algorithm,
                                                .layout = layout,
                                                .params = &params,
                                                .block = block,
                                                .memory = promise->memory,
                                                .agrees = op == SHUNT_OP_ALLTOALLV &&
                                                          shunt_kind_agrees(algorithm->kind)};
    struct shunt_events events;
    char call[96];
    if (!algorithm->build)
        return 3;
    if (algorithm->infeasible && algorithm->infeasible(layout, &params))
        return 0;
    if (shunt_events_build(&events, &event_call, rank))
        return 99;
    snprintf(call, sizeof call, "%s of %d ranks, %" PRId64 " bytes, rank %d: ", shunt_op_name(op),
             layout->ranks, block, rank);
    print_events(&events, call);
    shunt_events_clear(&events);
    return 0;
}

static int print_rank(const struct promise *promise, int rank, char **sizes)
{
    for (int set = 0; set < promise->sets; set++)
        for (char **size = sizes; *size && rank < promise->ranks[set]; size++)
            for (int op = 0; op < SHUNT_OP_COUNT; op++) {
                const int status = promise->table[op] ? print_call(promise, set, (enum shunt_op)op,
                                                                   rank, atol(*size))
                                                      : 0;
                if (status)
                    return status;
            }
    return 0;
}

/* One rule for each operation. */
static bool read_operations(struct promise *promise, char *operations, const char *algorithm)
{
    char text[256];
    enum shunt_op op;
    struct shunt_diagnostics diagnostics = {0};
    for (char *word = strtok(operations, ","); word; word = strtok(NULL, ",")) {
        if (!shunt_op_parse(word, &op))
            return false;
        snprintf(text, sizeof text, "%s=%s", word, algorithm);
        promise->table[op] = shunt_table_from_force(text, &diagnostics);
        if (!promise->table[op])
            return false;
    }
    return true;
}

static bool read_layouts(struct promise *promise, const char *layout, char *ranks)
{
    char variable[256];
    char *environment[] = {variable, NULL};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_settings settings;
    snprintf(variable, sizeof variable, "SHUNT_TEST_LAYOUT=%s", layout);
    shunt_settings_read(&settings, environment, &diagnostics);
    for (char *word = strtok(ranks, ","); word && promise->sets < SETS; word = strtok(NULL, ",")) {
        struct shunt_layout *made = &promise->layout[promise->sets];
        promise->ranks[promise->sets++] = atoi(word);
        if (diagnostics.count > 0 || atoi(word) < 1 || shunt_layout_blocks(made, atoi(word), 1) ||
            shunt_layout_subdivide(made, settings.layout, settings.layout_count,
                                   settings.layout_cyclic))
            return false;
    }
    return promise->sets > 0;
}

int main(int argc, char **argv)
{
    const char *memory = getenv("MEMORY");
    struct promise promise = {.memory = memory ? atol(memory) : 0};
    int most = 0, status = 0;
    if (argc < 6)
        return 2;
    if (!read_operations(&promise, argv[1], argv[2]))
        return 3;
    if (!read_layouts(&promise, argv[3], argv[4]))
        return 2;
    for (int set = 0; set < promise.sets; set++)
        most = promise.ranks[set] > most ? promise.ranks[set] : most;
    for (int rank = 0; rank < most && status == 0; rank++)
        status = print_rank(&promise, rank, argv + 5);
    return status;
}
