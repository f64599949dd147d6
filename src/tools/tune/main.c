/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt tune`. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"
#include "tools/tune/run.h"

enum { DIAGNOSTIC_SIZE = 800 };

/* What samples depend on: those of other conditions are not to be mixed with them. */
static void conditions_of(const struct tune_run *run, char *text, size_t capacity)
{
    const struct measure_facts *facts = &run->job.facts;
    snprintf(text, capacity,
             "shunt tune samples 2; Shunt %s; %s; %d ranks, %d nodes of %d to %d; seed %llu; hosts "
             "%s",
             PACKAGE_VERSION, facts->library, facts->nodes.ranks, facts->nodes.count,
             facts->nodes.ppn_min, facts->nodes.ppn_max,
             (unsigned long long)run->options.cells.seed,
             facts->hosts[0] ? facts->hosts : facts->host);
}

/* Rank 0, before anything is measured: what would be in vain. */
static int open_files(struct tune_run *run, char *diagnostic, size_t capacity)
{
    const struct tune_options *o = &run->options;
    char conditions[1000];
    conditions_of(run, conditions, sizeof conditions);
    if (o->output && !measure_output_open(&run->output, o->output))
        return SHUNT_EXIT_IO;
    if (o->validate || !o->csv)
        return SHUNT_EXIT_OK;
    return tune_store_open(&run->store, o->csv, conditions, o->resume, diagnostic, capacity)
               ? SHUNT_EXIT_OK
               : SHUNT_EXIT_IO;
}

/* Rank 0. */
static int prepare(struct tune_run *run)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    int code = tune_run_plan(run, diagnostic, sizeof diagnostic);
    if (code == SHUNT_EXIT_OK && !run->options.dry_run)
        code = open_files(run, diagnostic, sizeof diagnostic);
    return measure_refuse(&run->job, code, diagnostic);
}

/* Rank 0: a table was measured. */
static int tell_losers(const struct tune_run *run)
{
    struct tune_evidence e = {.others = tune_run_others(run)};
    tune_evidence_add(&e, run->sweeps, run->sweep_count);
    const int code = run->losers > 0 ? SHUNT_EXIT_FINDINGS : SHUNT_EXIT_OK;
    if (run->options.json)
        return tune_run_print_json(run, &e) == SHUNT_EXIT_OK ? code : SHUNT_EXIT_IO;
    printf("\nmean gain over %d cell%s: %.2f times as fast as native (the built-in table: "
           "%.2f); %d lose%s\n",
           e.measured, shunt_tool_plural((uint64_t)e.measured), e.gain, e.builtin_gain, run->losers,
           run->losers == 1 ? "s" : "");
    if (e.measured < e.cells)
        printf("warning: %d of %d cells were not measured: there was no time\n",
               e.cells - e.measured, e.cells);
    if (strcmp(run->options.validate, "built-in") != 0) {
        char advice[TUNE_ADVICE_ROOM];
        tune_advise(&e, advice, sizeof advice);
        shunt_fold_print(stdout, "%s\n", advice);
    }
    return code;
}

/* Rank 0, after all was measured, or nothing could be: a table only in the first case. */
static int finish(struct tune_run *run, int code)
{
    if (code == SHUNT_EXIT_OK)
        code = run->options.validate ? tell_losers(run) : tune_run_finish(run);
    measure_output_drop(&run->output); /* what was measured is elsewhere */
    return tune_store_close(&run->store) || code != SHUNT_EXIT_OK ? code : SHUNT_EXIT_IO;
}

/* The layouts, which only rank 0 knows where they come from a log. */
static void share_places(struct tune_run *run)
{
    measure_must(PMPI_Bcast(&run->place_count, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    measure_must(PMPI_Bcast(run->places, (int)sizeof run->places, MPI_BYTE, 0, MPI_COMM_WORLD),
                 "MPI_Bcast");
}

static int measure_all(struct tune_run *run)
{
    const bool leads = run->job.rank == 0;
    int code = measure_agree(MPI_COMM_WORLD, leads ? prepare(run) : SHUNT_EXIT_OK);
    if (code == SHUNT_EXIT_OK && run->options.dry_run) {
        if (leads)
            tune_run_show_plan(run);
        return code;
    }
    if (code == SHUNT_EXIT_OK) {
        share_places(run);
        code = tune_run_measure(run);
    }
    return measure_agree(MPI_COMM_WORLD, leads ? finish(run, code) : code);
}

/* The largest of the layouts that are asked for. False: there are too many ranks. */
static bool make_nodes(struct tune_run *run)
{
    int nodes = 1, ppn = 1;
    for (int i = 0; i < run->options.layout_count; i++) {
        nodes = run->options.layouts[i].nodes > nodes ? run->options.layouts[i].nodes : nodes;
        ppn = run->options.layouts[i].ppn > ppn ? run->options.layouts[i].ppn : ppn;
    }
    if (nodes * (int64_t)ppn > INT32_MAX / 64)
        return false;
    measure_nodes_clear(&run->job.facts.nodes);
    measure_nodes_make(&run->job.facts.nodes, nodes, ppn);
    return true;
}

/* Rank 0: nothing is measured. */
static int simulate(struct tune_run *run)
{
    int code = prepare(run);
    if (code == SHUNT_EXIT_OK && run->options.dry_run)
        tune_run_show_plan(run);
    else if (code == SHUNT_EXIT_OK)
        code = tune_run_simulate(run);
    measure_output_drop(&run->output); /* what was measured is elsewhere */
    return code;
}

static bool read_options(void *context, struct shunt_words *words, int argc, char **argv,
                         char *diagnostic, size_t capacity)
{
    struct tune_run *run = context;
    const bool good = tune_options_read(&run->options, words, argc, argv, diagnostic, capacity);
    run->job.alone = run->options.simulated != NULL;
    return good;
}

static int check(void *context, char *diagnostic, size_t capacity)
{
    struct tune_run *run = context;
    const char *wrong = NULL;
    if (run->options.simulated)
        wrong = make_nodes(run) ? NULL : "--layout: too many ranks";
    else if (run->job.size == 1)
        wrong = "one rank has nobody to exchange anything with";
    snprintf(diagnostic, capacity, "%s", wrong ? wrong : "");
    return wrong ? SHUNT_EXIT_USAGE : SHUNT_EXIT_OK;
}

static int measure(void *context)
{
    struct tune_run *run = context;
    if (run->options.simulated)
        return measure_agree(MPI_COMM_WORLD, run->job.rank == 0 ? simulate(run) : SHUNT_EXIT_OK);
    return measure_all(run);
}

static void end(void *context)
{
    struct tune_run *run = context;
    tune_options_clear(&run->options);
    free(run->sweeps);
    free(run->table);
}

int main(int argc, char **argv)
{
    static struct tune_run run;
    static const struct measure_program program = {"tune", read_options, check, measure, end};
    /* Nodes are as they are: layouts are parts of them. */
    unsetenv("SHUNT_TEST_LAYOUT");
    return measure_program_run(&program, &run.job, &run, argc, argv);
}
