/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.c: what the candidates of a call cost, in order, those that nothing beats, and the
 * choice under the caps. */
#include "tools/predict/predict.h"

#include <stdlib.h>

#include "tools/common/tool.h"

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

/* The algorithms that were asked for, native before them. */
static int make_chosen(struct shunt_candidates *candidates, const struct shunt_predict *predict,
                       const struct shunt_case *c)
{
    const struct bench_options *chosen = predict->chosen;
    candidates->candidate =
        calloc((size_t)chosen->selection_count + 1, sizeof *candidates->candidate);
    if (!candidates->candidate)
        return -1;
    candidates->candidate[candidates->count++].algorithm = shunt_registry_row(0);
    for (int i = 0; i < chosen->selection_count; i++) {
        const struct shunt_candidate next =
            shunt_predict_selected(&chosen->selections[i], predict->op, &c->layout);
        const struct shunt_algorithm *row = next.algorithm;
        const char *obstacle = row->infeasible ? row->infeasible(&c->layout, &next.params) : NULL;
        if (obstacle && predict->form == SHUNT_FORM_CALL)
            shunt_tool_say("%s is left out: %s", row->name, obstacle);
        if (shunt_predict_can(row) && row->kind != SHUNT_KIND_NATIVE && !obstacle)
            candidates->candidate[candidates->count++] = next;
    }
    return 0;
}

static int make_all(struct shunt_candidates *candidates, const struct shunt_predict *predict,
                    const struct shunt_case *c)
{
    return shunt_candidates_make(candidates, predict->op, &c->layout, c->block, -1) ||
           shunt_candidates_add_library(candidates, predict->op, &c->layout, c->block, -1);
}

/* Parameters that it takes. */
static int parameters(const struct shunt_algorithm *algorithm)
{
    int count = 0;
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++)
        count += algorithm->params[i].used;
    return count;
}

/* Costs of all candidates; those that are too large to run, and those that cannot be the choice
 * where no more is asked for, are left out. */
static int predict_all(struct shunt_predictions *predictions, const struct shunt_predict *predict,
                       const struct shunt_case *c, const struct shunt_candidates *candidates)
{
    struct shunt_costs costs;
    int code = shunt_costs_make(&costs, predict, c, candidates);
    predictions->prediction = calloc(candidates->count, sizeof *predictions->prediction);
    predictions->left = calloc(candidates->count, sizeof *predictions->left);
    if (code == SHUNT_EXIT_OK && (!predictions->prediction || !predictions->left))
        code = no_memory();
    for (size_t i = 0; code == SHUNT_EXIT_OK && i < candidates->count; i++) {
        const struct shunt_candidate *candidate = &candidates->candidate[i];
        if (costs.state[i] == SHUNT_COSTS_LARGE)
            predictions->left[predictions->large++] = *candidate;
        if (costs.state[i] == SHUNT_COSTS_KNOWN)
            predictions->prediction[predictions->count++] =
                (struct shunt_prediction){.candidate = *candidate,
                                          .cost = costs.cost[i],
                                          .parameters = parameters(candidate->algorithm)};
    }
    shunt_costs_clear(&costs);
    return code;
}

/* What is not known is equal to all. */
static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* The objective first; then the others, what is simpler, and the order of the registry. */
static int compare(const struct shunt_prediction *a, const struct shunt_prediction *b,
                   enum shunt_objective objective)
{
    const int time = compare_numbers(a->cost.time, b->cost.time),
              energy = compare_numbers(a->cost.energy, b->cost.energy),
              memory = (a->cost.memory > b->cost.memory) - (a->cost.memory < b->cost.memory),
              first = objective == SHUNT_OBJECTIVE_TIME     ? time
                      : objective == SHUNT_OBJECTIVE_ENERGY ? energy
                                                            : memory;
    if (first || time || energy || memory)
        return first ? first : time ? time : energy ? energy : memory;
    return a->parameters - b->parameters;
}

/* Insertion, for equal ones stay in their order and there are some hundreds. */
static void sort(struct shunt_predictions *predictions, enum shunt_objective objective)
{
    for (size_t i = 1; i < predictions->count; i++) {
        const struct shunt_prediction next = predictions->prediction[i];
        size_t at = i;
        for (; at > 0 && compare(&next, &predictions->prediction[at - 1], objective) < 0; at--)
            predictions->prediction[at] = predictions->prediction[at - 1];
        predictions->prediction[at] = next;
    }
}

/* Whether one is better in something and worse in nothing. Energies that are not known are equal.
 */
static bool beats(const struct shunt_cost *a, const struct shunt_cost *b)
{
    const int energy = compare_numbers(a->energy, b->energy);
    return a->time <= b->time && energy <= 0 && a->memory <= b->memory &&
           (a->time < b->time || energy < 0 || a->memory < b->memory);
}

static bool is_native(const struct shunt_prediction *p)
{
    return p->candidate.algorithm == shunt_registry_row(0);
}

static void judge(struct shunt_predictions *predictions, const struct shunt_predict *predict)
{
    predictions->choice = predictions->native = predictions->count;
    for (size_t i = 0; i < predictions->count; i++) {
        struct shunt_prediction *p = &predictions->prediction[i];
        p->pareto = true;
        for (size_t j = 0; j < predictions->count && p->pareto; j++)
            p->pareto = !beats(&predictions->prediction[j].cost, &p->cost);
        p->allowed = (predict->energy_most < 0 || p->cost.energy <= predict->energy_most) &&
                     (predict->memory_most < 0 || p->cost.memory <= predict->memory_most);
        if (p->allowed && predictions->choice == predictions->count)
            predictions->choice = i;
        if (is_native(p))
            predictions->native = i;
    }
}

/* Native has no settings, so it is the first that is left out. */
static int check_native(const struct shunt_predictions *predictions,
                        const struct shunt_predict *predict, bool limited)
{
    if (predict->form == SHUNT_FORM_GRID)
        return SHUNT_EXIT_OK; /* one of many calls */
    for (size_t i = 0; i < predictions->count; i++)
        if (is_native(&predictions->prediction[i]))
            return SHUNT_EXIT_OK;
    if (limited)
        shunt_tool_say("not known: with more than %d ranks only what takes seconds is predicted, "
                       "and native takes longer: ask about fewer ranks",
                       SHUNT_LIMIT_RANKS);
    else
        shunt_tool_say("the call has too many messages to predict them one by one: ask about fewer "
                       "ranks, or about nodes that are all alike");
    return SHUNT_EXIT_USAGE;
}

int shunt_predictions_make(struct shunt_predictions *predictions,
                           const struct shunt_predict *predict, const struct shunt_case *c)
{
    struct shunt_candidates candidates = {0};
    *predictions = (struct shunt_predictions){0};
    int failed =
        predict->chosen ? make_chosen(&candidates, predict, c) : make_all(&candidates, predict, c);
    int code = failed ? no_memory() : predict_all(predictions, predict, c, &candidates);
    shunt_candidates_clear(&candidates);
    if (code == SHUNT_EXIT_OK)
        code = check_native(predictions, predict, shunt_limit_applies(c));
    if (code == SHUNT_EXIT_OK) {
        sort(predictions, predict->objective);
        judge(predictions, predict);
    }
    return code;
}

void shunt_predictions_clear(struct shunt_predictions *predictions)
{
    free(predictions->prediction);
    free(predictions->left);
    *predictions = (struct shunt_predictions){0};
}
