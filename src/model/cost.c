/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c: a first estimate: rank 0 alone, who never waits for anybody. */
#include "model/cost.h"

#include "algorithms/registry.h"

const struct shunt_algorithm *shunt_cost_native(struct shunt_params *params,
                                                const struct shunt_machine *machine,
                                                enum shunt_op op, const struct shunt_layout *layout,
                                                int64_t block)
{
    const bool bruck = op == SHUNT_OP_ALLTOALL && block <= machine->native_short &&
                       layout->ranks >= machine->native_ranks;
    const struct shunt_algorithm *row = shunt_registry_find(bruck ? "bruck-basic-dt" : "scattered");
    struct shunt_value given[SHUNT_VALUE_COUNT] = {
        [SHUNT_PARAM_BATCH_SIZE] = {SHUNT_FORMULA_NUMBER, machine->native_throttle}};
    *params = shunt_params_evaluate(row, bruck ? 0 : 1U << SHUNT_PARAM_BATCH_SIZE, given, layout);
    return row;
}

const char *shunt_cost_method_name(enum shunt_cost_method method)
{
    return method == SHUNT_COST_EXACT ? "exact" : "symmetric";
}

enum shunt_cost_result shunt_cost_predict(struct shunt_cost *cost,
                                          const struct shunt_cost_call *call)
{
    struct shunt_event_call native = call->call;
    struct shunt_params params;
    if (!native.algorithm->build) {
        native.algorithm =
            shunt_cost_native(&params, call->machine, native.op, native.layout, native.block);
        native.params = &params;
    }
    struct shunt_events events = {0};
    *cost = (struct shunt_cost){0};
    if (shunt_events_build(&events, &native, 0) != 0) {
        shunt_events_clear(&events);
        return SHUNT_COST_MEMORY;
    }
    cost->rounds = events.rounds;
    for (size_t i = 0; i < events.count; i++) {
        const struct shunt_event *e = &events.event[i];
        const struct shunt_link *link = &call->machine->link[SHUNT_LEVEL_BETWEEN];
        if (e->kind == SHUNT_EVENT_SEND) {
            cost->messages++;
            cost->bytes += e->bytes;
            cost->time += link->overhead + (double)e->bytes * link->byte;
        }
    }
    shunt_events_clear(&events);
    return SHUNT_COST_OK;
}
