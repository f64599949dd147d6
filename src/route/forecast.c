/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c: see forecast.h. */
#include "route/forecast.h"

#include "model/cost.h"
#include "model/plausible.h"

struct machines {
    int count;
    struct shunt_machine machine[SHUNT_PLAUSIBLE_COUNT];
};

static void find_machines(struct machines *machines, const struct shunt_forecast_ask *ask)
{
    machines->count = ask->machine ? 1 : SHUNT_PLAUSIBLE_COUNT;
    for (int m = 0; m < machines->count; m++) {
        if (ask->machine)
            machines->machine[m] = *ask->machine;
        else
            shunt_plausible(&machines->machine[m], m, ask->processors);
    }
}

/* Seconds; 0: not known. */
static double predict(const struct shunt_forecast_ask *ask, const struct shunt_machine *machine,
                      const struct shunt_algorithm *algorithm, const struct shunt_params *params,
                      uint64_t most)
{
    struct shunt_cost cost;
    const struct shunt_cost_call call = {.machine = machine,
                                         .call = {.op = ask->op,
                                                  .algorithm = algorithm,
                                                  .layout = ask->layout,
                                                  .params = params,
                                                  .block = ask->size},
                                         .most = most};
    return shunt_cost_predict(&cost, &call) == SHUNT_COST_OK ? cost.time : 0;
}

/* What machines say of a proposal: shares of native's time are added to *sum. */
static void hear(struct shunt_forecast_one *one, double native, double mine, double *sum)
{
    const double times = native > 0 && mine > 0 ? native / mine : 0;
    *sum += times > 0 ? 1 / times : 1;
    if (!(times > 0))
        return;
    one->low = one->low > 0 && one->low < times ? one->low : times;
    one->high = one->high > times ? one->high : times;
}

/* Puts the proposals in their order; equal ones keep theirs. */
static void sort(struct shunt_forecast *forecast, double *sum)
{
    for (int i = 1; i < forecast->count; i++) {
        const struct shunt_forecast_one one = forecast->one[i];
        const double mine = sum[i];
        int at = i;
        for (; at > 0 && sum[at - 1] > mine; at--) {
            forecast->one[at] = forecast->one[at - 1];
            sum[at] = sum[at - 1];
        }
        forecast->one[at] = one;
        sum[at] = mine;
    }
}

void shunt_forecast(struct shunt_forecast *forecast, const struct shunt_forecast_ask *ask)
{
    struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
    struct shunt_params params[SHUNT_PROPOSALS_MOST];
    struct machines machines;
    double sum[SHUNT_PROPOSALS_MOST] = {0};
    const struct shunt_algorithm *native = shunt_registry_find("native");
    const struct shunt_params none = {0};
    *forecast = (struct shunt_forecast){
        .count = shunt_proposals(rules, params, ask->op, ask->layout, ask->block, ask->memory)};
    find_machines(&machines, ask);
    for (int i = 0; i < forecast->count; i++)
        forecast->one[i] =
            (struct shunt_forecast_one){.rule = rules[i], .params = params[i], .number = i};
    const uint64_t most = /* never 0: see cost.h */
        ask->work / ((uint64_t)machines.count * (uint64_t)(forecast->count + 1));
    for (int m = 0; m < machines.count && most > 0; m++) {
        const struct shunt_machine *machine = &machines.machine[m];
        const double theirs = predict(ask, machine, native, &none, most);
        double best = 0;
        for (int i = 0; i < forecast->count; i++) {
            struct shunt_forecast_one *one = &forecast->one[i];
            const struct shunt_algorithm *row = shunt_registry_row(one->rule.algorithm);
            const double mine = theirs > 0 ? predict(ask, machine, row, &one->params, most) : 0;
            hear(one, theirs, mine, &sum[i]);
            best = mine > 0 && theirs / mine > best ? theirs / mine : best;
        }
        forecast->low = m == 0 || best < forecast->low ? best : forecast->low;
        forecast->high = best > forecast->high ? best : forecast->high;
    }
    if (ask->machine) {
        forecast->low /= SHUNT_FORECAST_BOX;
        forecast->high *= SHUNT_FORECAST_BOX;
    }
    sort(forecast, sum);
}
