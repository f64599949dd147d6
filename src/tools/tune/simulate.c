/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.c: the cost model as a lab: the same search for the best, without a machine. */
#include <math.h>
#include <stdlib.h>

#include "model/cost.h"
#include "route/route.h"
#include "tools/common/tool.h"
#include "tools/measure/program.h"
#include "tools/tune/run.h"

/* A prediction has no spread. So much faster at least must a candidate be predicted to be. */
static const double MARGIN = 1.2;

struct model {
    const struct tune_run *run;
    const struct shunt_layout *layout;
};

/* What a text stands for on the layout; false: it cannot run. */
static bool resolve(const struct model *model, const struct tune_batch *batch, const char *text,
                    struct shunt_cost_call *call, struct shunt_params *params)
{
    char forced[TUNE_TEXT_ROOM + 32];
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_map map;
    snprintf(forced, sizeof forced, "%s=%s", shunt_op_name(batch->op), text);
    struct shunt_table *table = shunt_table_from_force(forced, &diagnostics);
    shunt_diagnostics_clear(&diagnostics);
    if (!table || shunt_map_build(&map, table, batch->op, model->layout, tune_run_memory()) != 0) {
        free(table);
        return false;
    }
    const struct shunt_decision *decision = shunt_map_find(&map, batch->block);
    const bool found = decision->rule != NULL;
    *params = decision->params;
    call->call = (struct shunt_event_call){.op = batch->op,
                                           .algorithm = decision->algorithm,
                                           .params = params,
                                           .layout = model->layout,
                                           .block = batch->block};
    shunt_map_clear(&map);
    free(table);
    return found;
}

static bool predict(void *context, const struct tune_batch *batch, struct tune_samples *samples)
{
    const struct model *model = context;
    if (!tune_samples_make(samples, batch->count, 1, batch->repetitions))
        return false;
    samples->largest = batch->block;
    samples->calls[TUNE_MODE_ROW] = 1;
    for (int k = 0; k < batch->count; k++) {
        struct shunt_cost_call call = {.machine = &model->run->model};
        struct shunt_cost cost;
        struct shunt_params params;
        const bool predicted = resolve(model, batch, batch->candidates[k], &call, &params) &&
                               shunt_cost_predict(&cost, &call) == SHUNT_COST_OK;
        const double seconds = !predicted ? INFINITY : k == 0 ? cost.time : cost.time * MARGIN;
        for (int i = 0; i < batch->repetitions; i++)
            tune_samples_of(samples, k, 0)[i] = seconds;
    }
    return true;
}

/* A budget of seconds means nothing here: there is always enough. */
static double left(void *context)
{
    (void)context;
    return 1e9;
}

int tune_run_simulate(struct tune_run *run)
{
    struct model model = {run, &run->layout};
    const struct tune_lab lab = {&model, predict, left};
    for (int s = 0; s < run->sweep_count; s++) {
        struct tune_sweep *sweep = &run->sweeps[s];
        measure_nodes_clear(&run->job.facts.nodes);
        measure_nodes_make(&run->job.facts.nodes, sweep->place.nodes, sweep->place.ppn_max);
        if (!tune_run_layout(run, &sweep->place, &run->layout) ||
            !tune_sweep_run(sweep, &lab, 1e6, tune_run_nominate, NULL, run))
            measure_need(NULL);
        shunt_layout_clear(&run->layout);
    }
    return tune_run_finish(run);
}
