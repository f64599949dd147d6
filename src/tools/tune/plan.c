/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c: which cells there are, and about how long they take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/size.h"
#include "route/machine.h"
#include "tools/common/tool.h"
#include "tools/measure/exchange.h"
#include "tools/tune/run.h"

/* What a description is there for: that of --machine, of --simulated, or of this host's table; or
 * else the numbers of a paper, which order candidates well enough. */
static int find_model(struct tune_run *run)
{
    const struct tune_options *o = &run->options;
    const char *name = o->simulated ? o->simulated : o->machine;
    struct shunt_diagnostics problems = {0};
    struct shunt_parse_path path;
    struct shunt_table *table = NULL;
    int code = SHUNT_EXIT_OK;
    shunt_machine_paper(&run->model);
    run->model.processors = run->job.facts.oversubscribed ? run->job.facts.processors : 0;
    if (name) {
        if (!shunt_machine_find(&run->model, name, &problems))
            code = shunt_machine_readable(name) ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
        for (size_t i = 0; i < problems.count; i++)
            fprintf(stderr, "shunt tune: --%s: %s\n", o->simulated ? "simulated" : "machine",
                    problems.text[i]);
    } else {
        shunt_parse_here(&path, NULL, shunt_environment());
        shunt_parse_search(&path.request, &table, &problems);
        if (table && table->modelled)
            run->model = table->model;
        free(table);
    }
    shunt_diagnostics_clear(&problems);
    return code;
}

/* A table to be measured: its own sizes, unless some are asked for. */
static int read_table(struct tune_run *run)
{
    const char *path = run->options.validate;
    struct shunt_diagnostics problems = {0};
    if (!path || strcmp(path, SHUNT_BUILTIN_NAME) == 0)
        return SHUNT_EXIT_OK;
    const struct shunt_parse_request request = {.config = path, .by_name = true};
    const enum shunt_parse_outcome outcome = shunt_parse_search(&request, &run->table, &problems);
    for (size_t i = 0; i < problems.count; i++)
        fprintf(stderr, "shunt tune: %s\n", problems.text[i]);
    shunt_diagnostics_clear(&problems);
    if (outcome == SHUNT_PARSE_UNREADABLE)
        return SHUNT_EXIT_IO;
    return run->table ? SHUNT_EXIT_OK : SHUNT_EXIT_TABLE;
}

static bool fill(struct tune_run *run, struct tune_sweep *sweep)
{
    const struct bench_options *cells = &run->options.cells;
    if (run->options.validate && !run->options.blocks_given)
        return tune_run_sizes(run, sweep);
    sweep->count = cells->block_count;
    for (int i = 0; i < sweep->count; i++) {
        sweep->blocks[i] = cells->blocks[i];
        sweep->weights[i] = 1;
    }
    return true;
}

static int add_sweeps(struct tune_run *run)
{
    const struct bench_options *cells = &run->options.cells;
    run->sweeps =
        measure_need(calloc((size_t)run->place_count * SHUNT_OP_COUNT + 1, sizeof *run->sweeps));
    for (int p = 0; p < run->place_count; p++)
        for (int op = 0; op < SHUNT_OP_COUNT; op++) {
            if (!cells->op[op])
                continue;
            struct tune_sweep *sweep = &run->sweeps[run->sweep_count++];
            *sweep = (struct tune_sweep){.op = (enum shunt_op)op, .place = run->places[p]};
            if (!fill(run, sweep))
                measure_need(NULL);
        }
    return SHUNT_EXIT_OK;
}

static int check_sizes(const struct tune_run *run, char *diagnostic, size_t capacity)
{
    for (int s = 0; s < run->sweep_count; s++)
        for (int i = 0; i < run->sweeps[s].count; i++)
            if (!measure_block_fits(run->sweeps[s].blocks[i], run->sweeps[s].place.ranks,
                                    diagnostic, capacity))
                return SHUNT_EXIT_USAGE;
    return SHUNT_EXIT_OK;
}

bool tune_run_layout(const struct tune_run *run, const struct tune_place *place,
                     struct shunt_layout *layout)
{
    return tune_place_layout(&run->job.facts.nodes, place,
                             run->job.facts.oversubscribed && !run->options.simulated, layout);
}

int tune_run_plan(struct tune_run *run, char *diagnostic, size_t capacity)
{
    int code = find_model(run);
    if (code == SHUNT_EXIT_OK)
        code = read_table(run);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (run->options.from_log)
        code = tune_run_read_logs(run, diagnostic, capacity);
    else if (!tune_place_list(&run->job.facts.nodes, &run->options, run->places, &run->place_count,
                              diagnostic, capacity))
        return SHUNT_EXIT_USAGE;
    else
        code = add_sweeps(run);
    for (int s = 0; s < run->sweep_count; s++)
        run->cells += run->sweeps[s].count;
    return code != SHUNT_EXIT_OK ? code : check_sizes(run, diagnostic, capacity);
}

bool tune_run_nominate(void *context, const struct tune_sweep *sweep, int64_t block,
                       struct tune_entries *entries)
{
    struct tune_run *run = context;
    struct tune_field field = {.machine = &run->model,
                               .layout = &run->layout,
                               .memory = tune_run_memory(),
                               .names = run->options.algorithms,
                               .most = run->options.candidates};
    for (int i = 0; i < sweep->count && sweep->blocks[i] < block; i++)
        if (sweep->outcomes[i].measured)
            field.also = sweep->outcomes[i].simplicity > 0 ? sweep->outcomes[i].text : NULL;
    run->now = sweep;
    run->block = block;
    return tune_nominate_all(&field, sweep->op, block, entries);
}

static double show_cell(struct tune_run *run, const struct tune_sweep *sweep, int index)
{
    struct tune_entries entries;
    char layout[64], block[24];
    const int distributions =
        sweep->op == SHUNT_OP_ALLTOALL ? 1 : run->options.cells.distribution_count;
    if (!tune_run_nominate(run, sweep, sweep->blocks[index], &entries))
        measure_need(NULL);
    tune_place_print(&sweep->place, layout, sizeof layout);
    shunt_size_print(sweep->blocks[index], block, sizeof block);
    const double seconds = tune_cell_estimate(&entries, distributions);
    printf("%-9s  %-8s  %6s  %10d  %7.1f  %s\n", shunt_op_name(sweep->op), layout, block,
           entries.count - 1, seconds, entries.count > 1 ? entries.entry[1].text : "none");
    return seconds;
}

void tune_run_show_plan(struct tune_run *run)
{
    double seconds = 0;
    printf("%-9s  %-8s  %6s  %10s  %7s  %s\n", "operation", "layout", "block", "candidates",
           "seconds", "predicted to be best");
    for (int s = 0; s < run->sweep_count; s++) {
        struct tune_sweep *sweep = &run->sweeps[s];
        if (!tune_run_layout(run, &sweep->place, &run->layout))
            measure_need(NULL);
        for (int i = 0; i < sweep->count; i++)
            seconds += show_cell(run, sweep, i);
        shunt_layout_clear(&run->layout);
    }
    const double most = run->options.time_limit;
    printf("\n%d cell%s, about %.0f seconds by the model of machine ", run->cells,
           shunt_tool_plural((uint64_t)run->cells), fmin(seconds, most));
    shunt_tool_put(stdout, run->model.name);
    printf(", and thresholds between sizes; at most about %.0f (--time-limit)\n", most);
}
