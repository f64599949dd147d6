/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * promised OPERATION ALGORITHM[:PARAMETER=VALUE]... BLOCK SIZE...: the messages that the events of
 * a call promise, a line for each pair of ranks that has some: sender, receiver, messages, bytes.
 * Sizes are those of the nodes, whose ranks lie side by side; MPI is not needed. The exit status is
 * 3 where the algorithm does not serve the operation or the layout, or is the library's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/events.h"
#include "algorithms/registry.h"
#include "route/words.h"

struct sum {
    long messages;
    int64_t bytes;
};

static int print_rank(const struct shunt_event_call *call, int rank)
{
    struct shunt_events events;
    struct sum *sums = calloc((size_t)call->layout->ranks, sizeof *sums);
    if (!sums || shunt_events_build(&events, call, rank)) {
        free(sums);
        return 99;
    }
    for (size_t i = 0; i < events.count; i++) {
        const struct shunt_event *event = &events.event[i];
        if (event->kind != SHUNT_EVENT_SEND && event->kind != SHUNT_EVENT_LENGTHS &&
            event->kind != SHUNT_EVENT_AGREE)
            continue;
        sums[event->peer].messages++;
        sums[event->peer].bytes = event->bytes < 0 || sums[event->peer].bytes < 0
                                      ? -1
                                      : sums[event->peer].bytes + event->bytes;
    }
    for (int peer = 0; peer < call->layout->ranks; peer++)
        if (sums[peer].messages > 0)
            printf("%d %d %ld %" PRId64 "\n", rank, peer, sums[peer].messages, sums[peer].bytes);
    shunt_events_clear(&events);
    free(sums);
    return 0;
}

int main(int argc, char **argv)
{
    char text[256];
    enum shunt_op op;
    int keys[256], ranks = 0, status = 0;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_layout layout;
    if (argc < 5 || !shunt_op_parse(argv[1], &op))
        return 2;
    snprintf(text, sizeof text, "%s=%s", argv[1], argv[2]);
    struct shunt_table *table = shunt_table_from_force(text, &diagnostics);
    if (!table)
        return 3;
    for (int i = 4; i < argc; i++)
        for (int q = atoi(argv[i]); q > 0 && ranks < 256; q--)
            keys[ranks++] = i;
    if (shunt_layout_from_keys(&layout, ranks, keys))
        return 99;
    const struct shunt_rule *rule = &table->rules[table->rule_first[op]];
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    const struct shunt_params params =
        shunt_params_evaluate(algorithm, rule->present, rule->given, &layout);
    if (!algorithm->build || (algorithm->infeasible && algorithm->infeasible(&layout, &params)))
        return 3;
    const struct shunt_event_call call = {.op = op,
                                          .algorithm = algorithm,
                                          .layout = &layout,
                                          .params = &params,
                                          .block = atol(argv[3]),
                                          .agrees = op == SHUNT_OP_ALLTOALLV &&
                                                    shunt_kind_agrees(algorithm->kind)};
    for (int rank = 0; rank < ranks && status == 0; rank++)
        status = print_rank(&call, rank);
    shunt_layout_clear(&layout);
    free(table);
    return status;
}
