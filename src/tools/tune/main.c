/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt tune`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "config.h"
#include "pmpi/pmpi.h"
#include "route/host.h"
#include "tools/bench/alone.h"
#include "tools/bench/command.h"
#include "tools/bench/fail.h"
#include "tools/bench/forget.h"
#include "tools/bench/machine.h"
#include "tools/tool.h"
#include "tools/tune/run.h"

enum { DIAGNOSTIC_SIZE = 800 };

/* Says the problem once. Returns the code. */
static int refuse(const struct tune_run *run, int code, const char *diagnostic)
{
    if (run->rank == 0 && diagnostic[0] != '\0')
        fprintf(stderr, "shunt tune: %s%s\n", diagnostic,
                code == SHUNT_EXIT_USAGE ? "; see \"shunt tune --help\"" : "");
    return code;
}

static int agree(int code)
{
    bench_must(PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return code;
}

/* One pattern for all hosts; those of several machines have none. */
static void find_hosts(struct tune_run *run)
{
    char leading[sizeof run->pattern];
    if (gethostname(run->host, sizeof run->host - 1) != 0)
        run->host[0] = '\0';
    shunt_host_pattern(run->host, run->pattern, sizeof run->pattern);
    memcpy(leading, run->pattern, sizeof leading);
    bench_must(PMPI_Bcast(leading, (int)sizeof leading, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
    int same = strcmp(leading, run->pattern) == 0;
    bench_must(PMPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
               "MPI_Allreduce");
    if (!same)
        run->pattern[0] = '\0';
}

/* What samples depend on: those of other conditions are not to be mixed with them. */
static void conditions_of(const struct tune_run *run, char *text, size_t capacity)
{
    const struct tune_allocation *a = &run->allocation;
    snprintf(text, capacity,
             "shunt tune samples 2; Shunt %s; %s; %d ranks, %d nodes of %d to %d; seed %llu; hosts "
             "%s",
             PACKAGE_VERSION, run->facts.library, a->ranks, a->nodes, a->ppn_min, a->ppn_max,
             (unsigned long long)run->options.cells.seed,
             run->pattern[0] ? run->pattern : run->host);
}

/* Rank 0, before anything is measured: what would be in vain. */
static int open_files(struct tune_run *run, char *diagnostic, size_t capacity)
{
    const struct tune_options *o = &run->options;
    char conditions[1000];
    conditions_of(run, conditions, sizeof conditions);
    if (o->output && !bench_output_open(&run->output, o->output))
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
    return refuse(run, code, diagnostic);
}

/* Rank 0: a table was measured. */
static int tell_losers(const struct tune_run *run)
{
    struct tune_evidence e = {0};
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
    return code;
}

/* Rank 0, after all was measured, or nothing could be: a table only in the first case. */
static int finish(struct tune_run *run, int code)
{
    if (code == SHUNT_EXIT_OK)
        code = run->options.validate ? tell_losers(run) : tune_run_finish(run);
    bench_output_drop(&run->output); /* what was measured is elsewhere */
    return tune_store_close(&run->store) || code != SHUNT_EXIT_OK ? code : SHUNT_EXIT_IO;
}

/* The layouts, which only rank 0 knows where they come from a log. */
static void share_places(struct tune_run *run)
{
    bench_must(PMPI_Bcast(&run->place_count, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    bench_must(PMPI_Bcast(run->places, (int)sizeof run->places, MPI_BYTE, 0, MPI_COMM_WORLD),
               "MPI_Bcast");
}

static int measure(struct tune_run *run)
{
    tune_allocation_find(&run->allocation);
    run->allocation.oversubscribed = run->facts.oversubscribed;
    find_hosts(run);
    int code = agree(run->rank == 0 ? prepare(run) : SHUNT_EXIT_OK);
    if (code == SHUNT_EXIT_OK && run->options.dry_run) {
        if (run->rank == 0)
            tune_run_show_plan(run);
        return code;
    }
    if (code == SHUNT_EXIT_OK) {
        share_places(run);
        code = tune_run_measure(run);
    }
    if (run->rank == 0)
        code = finish(run, code);
    return agree(code);
}

/* Nothing is measured: one rank is enough, and no launcher. */
static int simulate(struct tune_run *run)
{
    int nodes = 1, ppn = 1;
    for (int i = 0; i < run->options.layout_count; i++) {
        nodes = run->options.layouts[i].nodes > nodes ? run->options.layouts[i].nodes : nodes;
        ppn = run->options.layouts[i].ppn > ppn ? run->options.layouts[i].ppn : ppn;
    }
    if (run->rank != 0)
        return SHUNT_EXIT_OK;
    if (nodes * (int64_t)ppn > INT32_MAX / 64)
        return refuse(run, SHUNT_EXIT_USAGE, "--layout: too many ranks");
    tune_allocation_make(&run->allocation, nodes, ppn);
    int code = prepare(run);
    if (code == SHUNT_EXIT_OK && run->options.dry_run)
        tune_run_show_plan(run);
    else if (code == SHUNT_EXIT_OK)
        code = tune_run_simulate(run);
    bench_output_drop(&run->output); /* what was measured is elsewhere */
    return code;
}

static int start(struct tune_run *run, int argc, char **argv)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    int size = 1;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &run->rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    if (!tune_options_read(&run->options, argc, argv, diagnostic, sizeof diagnostic))
        return refuse(run, SHUNT_EXIT_USAGE, diagnostic);
    bench_machine_find(&run->facts);
    if (run->options.simulated)
        return agree(simulate(run));
    if (size == 1 && bench_is_astray(run->facts.library, diagnostic, sizeof diagnostic)) {
        if (shunt_environment_first_of_job())
            shunt_tool_say("tune: %s", diagnostic);
        return SHUNT_EXIT_USAGE;
    }
    if (size == 1)
        return refuse(run, SHUNT_EXIT_USAGE, "one rank has nobody to exchange anything with");
    if (!shunt_pmpi_resolve(__builtin_return_address(0)))
        return SHUNT_EXIT_MPI;
    return measure(run);
}

int main(int argc, char **argv)
{
    static struct tune_run run;
    bench_subcommand = "tune";
    bench_forget_settings();
    /* Nodes are as they are: layouts are parts of them. */
    unsetenv("SHUNT_TEST_LAYOUT");
    bench_must(PMPI_Init(&argc, &argv), "MPI_Init");
    bench_must(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
    char *command = bench_command_join(argc, argv);
    run.command = command;
    const int code = start(&run, argc, argv);
    tune_allocation_clear(&run.allocation);
    tune_options_clear(&run.options);
    free(run.sweeps);
    free(run.table);
    free(command);
    PMPI_Finalize();
    return code;
}
