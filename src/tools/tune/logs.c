/* SPDX-License-Identifier: BSD-3-Clause */
/* logs.c: sweeps of what an application called, as far as this allocation can have its layouts. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tools/common/tool.h"
#include "tools/measure/program.h"
#include "tools/tune/run.h"
#include "tools/tune/uses.h"

static bool find_place(const struct tune_run *run, const struct tune_use *use,
                       struct tune_place *place)
{
    const struct measure_nodes *job = &run->job.facts.nodes;
    *place = tune_place_whole(job);
    if (use->ranks == job->ranks && (use->nodes == 0 || use->nodes == job->count))
        return true;
    return use->nodes > 0 && use->nodes * (int64_t)use->ppn_max == use->ranks &&
           tune_place_part(job, use->nodes, use->ppn_max, place);
}

static int by_time(const void *a, const void *b)
{
    const struct tune_use *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static struct tune_sweep *sweep_of(struct tune_run *run, enum shunt_op op,
                                   const struct tune_place *place)
{
    for (int s = 0; s < run->sweep_count; s++)
        if (run->sweeps[s].op == op && tune_place_same(&run->sweeps[s].place, place))
            return &run->sweeps[s];
    bool known = false;
    for (int p = 0; p < run->place_count; p++)
        known |= tune_place_same(&run->places[p], place);
    if (!known && run->place_count == TUNE_LAYOUTS_MOST)
        return NULL;
    if (!known)
        run->places[run->place_count++] = *place;
    struct tune_sweep *sweep = &run->sweeps[run->sweep_count++];
    *sweep = (struct tune_sweep){.op = op, .place = *place};
    return sweep;
}

/* Sizes ascend. False: too many. */
static bool add_cell(struct tune_sweep *sweep, const struct tune_use *use)
{
    int at = sweep->count;
    for (int i = 0; i < sweep->count; i++)
        if (sweep->blocks[i] == use->block) {
            sweep->weights[i] += use->seconds;
            return true;
        }
    if (sweep->count == BENCH_LIST_MOST)
        return false;
    for (; at > 0 && sweep->blocks[at - 1] > use->block; at--) {
        sweep->blocks[at] = sweep->blocks[at - 1];
        sweep->weights[at] = sweep->weights[at - 1];
    }
    sweep->blocks[at] = use->block;
    sweep->weights[at] = use->seconds;
    sweep->count++;
    return true;
}

/* A cell gets time in proportion to what was spent there, but never less than a hundredth of the
 * most: nothing can be told in no time. */
static void level(struct tune_run *run)
{
    double most = 0;
    for (int s = 0; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++)
            most = run->sweeps[s].weights[i] > most ? run->sweeps[s].weights[i] : most;
    for (int s = 0; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++) {
            double *weight = &run->sweeps[s].weights[i];
            *weight = most > 0 ? (*weight > most / 100 ? *weight : most / 100) : 1;
        }
}

static void say_what_is_left_out(const struct tune_use *use)
{
    char block[24];
    shunt_size_print(use->block, block, sizeof block);
    if (use->nodes > 0)
        fprintf(stderr,
                "shunt tune: left out: %s of %d ranks on %d nodes, up to %s (%.3g s, %llu calls): "
                "this allocation has no such layout\n",
                shunt_op_name(use->op), use->ranks, use->nodes, block, use->seconds,
                (unsigned long long)use->calls);
    else
        fprintf(stderr,
                "shunt tune: left out: %s of %d ranks, up to %s (%.3g s, %llu calls): its nodes "
                "are not in the log (the communicator was not set up)\n",
                shunt_op_name(use->op), use->ranks, block, use->seconds,
                (unsigned long long)use->calls);
}

static void add_uses(struct tune_run *run, struct tune_uses *uses)
{
    if (uses->count > 0)
        qsort(uses->use, uses->count, sizeof *uses->use, by_time);
    run->sweeps = measure_need(calloc(uses->count + 1, sizeof *run->sweeps));
    for (size_t i = 0; i < uses->count; i++) {
        struct tune_place place;
        struct tune_sweep *sweep = NULL;
        if (!run->options.cells.op[uses->use[i].op])
            continue;
        if (find_place(run, &uses->use[i], &place))
            sweep = sweep_of(run, uses->use[i].op, &place);
        if (!sweep || !add_cell(sweep, &uses->use[i]))
            say_what_is_left_out(&uses->use[i]);
    }
    level(run);
}

int tune_run_read_logs(struct tune_run *run, char *diagnostic, size_t capacity)
{
    struct tune_uses uses = {0};
    const int code = tune_uses_read(&uses, run->options.logs, run->options.log_count);
    if (code == SHUNT_EXIT_OK || code == SHUNT_EXIT_FINDINGS)
        add_uses(run, &uses);
    if (uses.unsized > 0)
        fprintf(
            stderr,
            "shunt tune: left out: %llu calls whose sizes are not in the log, as before set-up; "
            "one of a run with SHUNT_WARMUP=1 has nearly all\n",
            (unsigned long long)uses.unsized);
    if (uses.library[0] != '\0' && strcmp(uses.library, run->job.facts.library) != 0) {
        shunt_tool_fit(uses.library, run->logged, sizeof run->logged);
        fprintf(
            stderr,
            "shunt tune: warning: the logs are of %s, and what is measured is %s: the table may "
            "be wrong for these programs, so it does not claim to be measured; a Shunt that is "
            "built for their library (configure MPICC=...) measures it\n",
            run->logged, run->job.facts.library);
    }
    tune_uses_clear(&uses);
    if (code != SHUNT_EXIT_OK && code != SHUNT_EXIT_FINDINGS)
        return code;
    if (run->sweep_count > 0)
        return SHUNT_EXIT_OK;
    snprintf(diagnostic, capacity,
             "the logs have no call that can be measured here: they need records of calls "
             "(SHUNT_LOG=calls, SHUNT_LOG_FORMAT=json), and the application's layouts");
    return SHUNT_EXIT_FINDINGS;
}
