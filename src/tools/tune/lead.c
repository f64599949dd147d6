/* SPDX-License-Identifier: BSD-3-Clause */
/* lead.c: the layouts one after the other: rank 0 leads, the others follow or rest. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "tools/common/tool.h"
#include "tools/measure/loop.h"
#include "tools/measure/program.h"
#include "tools/tune/halving.h"
#include "tools/tune/run.h"
#include "tools/tune/team.h"

enum { QUIET_REPETITIONS = 20, QUIET_TRIES = 3 };

/* Whether somebody else wants the processors: those that run beside the ranks of this node. */
static void look_around(struct tune_run *run)
{
    const struct measure_nodes *nodes = &run->job.facts.nodes;
    const int others = measure_running() - (nodes->ppn[nodes->node_of[0]] - 1);
    run->looks++;
    run->others += others > 0 ? others : 0;
}

static void begin_batch(void *context)
{
    struct tune_run *run = context;
    look_around(run);
    char text[320], layout[64], block[24];
    if (!run->now || !measure_progress_due())
        return;
    tune_place_print(&run->now->place, layout, sizeof layout);
    shunt_size_print(run->block, block, sizeof block);
    snprintf(text, sizeof text, "cell %d of %d: %s %s %s%s%s",
             run->done < run->cells ? run->done + 1 : run->cells, run->cells,
             shunt_op_name(run->now->op), layout, block, run->best[0] ? "; " : "", run->best);
    const double passed = shunt_clock() - run->begin, limit = run->options.time_limit - passed,
                 left = run->done > 0 ? passed / run->done * (run->cells - run->done) : limit;
    measure_progress_show(text, left < limit ? left : limit > 0 ? limit : 0);
}

static void told(void *context, const struct tune_sweep *sweep, int index)
{
    struct tune_run *run = context;
    const struct tune_outcome *outcome = &sweep->outcomes[index];
    run->done++;
    run->best_gain = 0;
    snprintf(run->best, sizeof run->best, "last: %s %.2f", outcome->text, outcome->gain.median);
}

/* What leads in the cell, by what has been measured for its decision. */
static void show_best(void *context, const struct tune_batch *batch,
                      const struct tune_samples *samples)
{
    struct tune_run *run = context;
    for (int k = 1; k < batch->count && batch->stage < TUNE_STAGE_HELD_OUT; k++) {
        const double gain = tune_gain(samples, k).times.median;
        if (!(gain > run->best_gain))
            continue;
        run->best_gain = gain;
        snprintf(run->best, sizeof run->best, "best so far: %s %.2f",
                 gain > 1 ? batch->candidates[k] : "native", gain > 1 ? gain : 1.0);
    }
}

/* Whether native's times at the smallest size say that nothing else runs here: some disturbance
 * passes, so a few tries. */
static bool is_quiet(const struct tune_run *run, const struct tune_lab *lab)
{
    const struct tune_sweep *sweep = &run->sweeps[0];
    struct measure_interval native = {0};
    for (int i = 0; i < QUIET_TRIES && sweep->count > 0; i++) {
        struct tune_samples samples;
        const struct tune_batch batch = {.op = sweep->op,
                                         .block = sweep->blocks[0],
                                         .stage = TUNE_STAGE_QUIET + i,
                                         .count = 1,
                                         .candidates = {"native"},
                                         .repetitions = QUIET_REPETITIONS};
        if (!lab->run(lab->context, &batch, &samples))
            measure_need(NULL);
        native = measure_interval(tune_samples_of(&samples, 0, 0), samples.repetitions);
        tune_samples_clear(&samples);
        if (!measure_busy(&native))
            return true;
    }
    if (sweep->count == 0)
        return true;
    fprintf(stderr,
            "shunt tune: busy machine: the median of native, %.1f us, is %.1f times its least, "
            "%.1f us; measure when nothing else runs, or go on all the same with --force\n",
            1e6 * native.median, native.median / native.least, 1e6 * native.least);
    return false;
}

/* What is left of the time, in proportion to what is left to do. */
static double share_of(const struct tune_run *run, int index, double left)
{
    double mine = 0, all = 0;
    for (int s = index; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++) {
            mine += s == index ? run->sweeps[s].weights[i] : 0;
            all += run->sweeps[s].weights[i];
        }
    return all > 0 ? left * mine / all : 0;
}

/* Rank 0: the sweeps of a layout. */
static int lead(struct tune_run *run, struct tune_team *team)
{
    const struct tune_lab lab = tune_team_lab(team);
    int code = SHUNT_EXIT_OK;
    team->store = run->store.stream ? &run->store : NULL;
    team->deadline = run->begin + run->options.time_limit;
    team->before = begin_batch;
    team->after = show_best;
    team->context = run;
    if (tune_place_same(&team->place, &run->places[0]) && !run->options.force &&
        !is_quiet(run, &lab))
        return SHUNT_EXIT_FINDINGS;
    if (!tune_run_layout(run, &team->place, &run->layout))
        measure_need(NULL);
    for (int s = 0; s < run->sweep_count && code == SHUNT_EXIT_OK; s++) {
        struct tune_sweep *sweep = &run->sweeps[s];
        if (!tune_place_same(&sweep->place, &team->place))
            continue;
        if (run->options.validate)
            code = tune_run_validate(run, sweep, &lab);
        else if (!tune_sweep_run(sweep, &lab, share_of(run, s, lab.left(lab.context)),
                                 tune_run_nominate, told, run))
            measure_need(NULL);
    }
    shunt_layout_clear(&run->layout);
    return team->wrong ? SHUNT_EXIT_FINDINGS : code;
}

int tune_run_measure(struct tune_run *run)
{
    static struct tune_team team;
    int code = SHUNT_EXIT_OK;
    run->begin = shunt_clock();
    for (int p = 0; p < run->place_count && code == SHUNT_EXIT_OK; p++) {
        if (tune_team_open(&team, &run->options, &run->job.facts, &run->places[p])) {
            if (run->job.rank == 0) {
                code = lead(run, &team);
                tune_team_end(&team);
            } else {
                tune_team_obey(&team);
            }
        }
        tune_team_close(&team);
        code = measure_agree(MPI_COMM_WORLD, code);
    }
    if (run->job.rank == 0)
        measure_progress_clear();
    return code;
}
