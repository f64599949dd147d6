/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c: see cost.h. */
#include "tools/predict/predict.h"

#include <math.h>
#include <string.h>

#include "tools/common/tool.h"

int shunt_predict_stuck(const struct shunt_algorithm *row)
{
    shunt_tool_say("%s: ranks wait for messages that nobody sends: its schedule is wrong",
                   row->name);
    return SHUNT_EXIT_IO;
}

bool shunt_predict_knows_energy(const struct shunt_machine *machine)
{
    bool known = machine->static_power > 0;
    for (int i = 0; i < SHUNT_LEVEL_COUNT; i++)
        known |= machine->link[i].message_energy > 0 || machine->link[i].byte_energy > 0;
    return known;
}

struct shunt_event_call shunt_predict_event_call(enum shunt_op op, const struct shunt_case *c,
                                                 const struct shunt_candidate *candidate)
{
    return (struct shunt_event_call){.op = op,
                                     .algorithm = candidate->algorithm,
                                     .layout = &c->layout,
                                     .params = &candidate->params,
                                     .block = c->block,
                                     .agrees = op == SHUNT_OP_ALLTOALLV &&
                                               shunt_kind_agrees(candidate->algorithm->kind)};
}

bool shunt_predict_cost(struct shunt_cost *cost, const struct shunt_machine *machine,
                        enum shunt_op op, const struct shunt_case *c,
                        const struct shunt_candidate *candidate, uint64_t most,
                        enum shunt_cost_result *result)
{
    const struct shunt_cost_call call = {.machine = machine,
                                         .call = shunt_predict_event_call(op, c, candidate),
                                         .counts = c->counts,
                                         .most = most};
    *result = shunt_cost_predict(cost, &call);
    if (!shunt_predict_knows_energy(machine))
        cost->energy = cost->dynamic_energy = NAN;
    return *result == SHUNT_COST_OK;
}

double shunt_predict_gain(const struct shunt_cost *cost, const struct shunt_cost *native)
{
    return cost->time > 0 ? native->time / cost->time : -1;
}

struct shunt_candidate shunt_predict_selected(const struct bench_selection *selection,
                                              enum shunt_op op, const struct shunt_layout *layout)
{
    const struct shunt_rule *rule = &selection->force->rules[selection->force->rule_first[op]];
    struct shunt_candidate c = {.algorithm = selection->algorithm, .present = rule->present};
    memcpy(c.given, rule->given, sizeof c.given);
    c.params = shunt_params_evaluate(c.algorithm, c.present, c.given, layout);
    return c;
}
