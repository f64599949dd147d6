/* SPDX-License-Identifier: BSD-3-Clause */
/* limit.c: what a prediction takes, about, without building a schedule. */
#include "tools/predict/predict.h"

#include <stdlib.h>

#include "model/bound.h"

/* Steps, messages and blocks of them that are looked at, some tens of nanoseconds each. */
#define WORK_MOST 1e8

/* Schedules that are built to see whether nodes do the same: events/family.c, symmetry.c. */
enum { SCHEDULES = 10 };

/* Where there is no formula: a block for each rank in every one of so many rounds. */
static double rounds_of(int ranks)
{
    double rounds = 1;
    for (int64_t reach = 2; reach < ranks; reach *= 2)
        rounds++;
    return rounds;
}

/* All events of node 0 are run, and what its ranks' schedules hold is looked at. */
static double price(const struct shunt_event_call *call)
{
    const struct shunt_layout *layout = call->layout;
    const double ranks = layout->ranks, ppn = layout->ppn_max;
    const enum shunt_kind kind = call->algorithm->kind;
    struct shunt_bound bound;
    if (shunt_bound_formula(&bound, call))
        return SCHEDULES * (double)bound.work + ppn * (double)bound.events;
    if (kind == SHUNT_KIND_SEGMENT || kind == SHUNT_KIND_READ) /* of nodes */
        return SCHEDULES * layout->nodes * rounds_of(layout->nodes) + 4 * layout->nodes * ppn;
    if (kind == SHUNT_KIND_DATATYPE)
        return SCHEDULES * ranks * rounds_of(layout->ranks);
    return SCHEDULES * ranks * rounds_of(layout->ranks) + 2 * ranks * ppn;
}

/* Of the setting, or of what the MPI library does. */
static double price_of(const struct shunt_predict *predict, const struct shunt_case *c,
                       const struct shunt_candidate *candidate)
{
    struct shunt_params params;
    struct shunt_event_call call = shunt_predict_event_call(predict->op, c, candidate);
    if (call.algorithm->build)
        return price(&call);
    call.algorithm =
        shunt_cost_native(&params, &predict->machine, call.op, call.layout, call.block);
    call.params = &params;
    return price(&call);
}

/* The cheapest that is not marked as taken; the list's count: there is none. Of equal ones the
 * first. */
static size_t cheapest(const double *prices, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (prices[i] >= 0 && (best == count || prices[i] < prices[best]))
            best = i;
    return best;
}

bool shunt_limit_find(bool *beyond, const struct shunt_predict *predict, const struct shunt_case *c,
                      const struct shunt_candidates *list)
{
    double left = WORK_MOST, *prices = calloc(list->count + 1, sizeof *prices);
    if (!prices)
        return false;
    for (size_t i = 0; i < list->count; i++)
        prices[i] = price_of(predict, c, &list->candidate[i]);
    for (size_t n = 0; n < list->count; n++) {
        const size_t next = n == 0 ? 0 : cheapest(prices, list->count);
        beyond[next] = prices[next] > left;
        left -= beyond[next] ? 0 : prices[next];
        prices[next] = -1;
    }
    free(prices);
    return true;
}
