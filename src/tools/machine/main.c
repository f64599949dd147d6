/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt machine`. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "pmpi/pmpi.h"
#include "route/host.h"
#include "route/machine.h"
#include "tools/bench/alone.h"
#include "tools/bench/command.h"
#include "tools/bench/fail.h"
#include "tools/bench/forget.h"
#include "tools/bench/machine.h"
#include "tools/bench/output.h"
#include "tools/bench/progress.h"
#include "tools/machine/cards.h"
#include "tools/machine/complete.h"
#include "tools/machine/load.h"
#include "tools/machine/memory.h"
#include "tools/machine/native.h"
#include "tools/machine/node.h"
#include "tools/machine/pairs.h"
#include "tools/machine/processors.h"
#include "tools/machine/report.h"
#include "tools/machine/types.h"
#include "tools/tool.h"

enum { DIAGNOSTIC_SIZE = 600 };

/* What only the leader has. */
struct leader {
    struct machine_run *run;
    const char *command;
    struct bench_output output;
    struct shunt_machine energy;
    struct machine_warnings warnings;
};

/* From the leader to all. */
static int agree_code(const struct machine_run *run, int code)
{
    machine_tell(run, run->all, &code, (int)sizeof code);
    return code;
}

/* Says the problem once. Returns the code. */
static int refuse(bool speaks, int code, const char *diagnostic)
{
    if (speaks)
        fprintf(stderr, "shunt machine: %s%s\n", diagnostic,
                code == SHUNT_EXIT_USAGE ? "; see \"shunt machine --help\"" : "");
    return code;
}

/* On both ways to the end: what is wrong, and how to have it all the same. */
static int refuse_busy(const struct leader *leader)
{
    for (int i = 0; i < leader->warnings.count && leader->warnings.busy; i++)
        if (strncmp(leader->warnings.text[i], "busy", 4) == 0)
            fprintf(stderr, "shunt machine: %s\n", leader->warnings.text[i]);
    fputs("shunt machine: no description was written; measure when nothing else runs, or take "
          "these numbers with --force\n",
          stderr);
    return SHUNT_EXIT_FINDINGS;
}

static bool find_energy(struct leader *leader)
{
    struct shunt_diagnostics problems = {0};
    if (!leader->run->options.energy_from ||
        shunt_machine_find(&leader->energy, leader->run->options.energy_from, &problems))
        return true;
    for (size_t i = 0; i < problems.count; i++)
        fprintf(stderr, "shunt machine: --energy-from: %s\n", problems.text[i]);
    shunt_diagnostics_clear(&problems);
    return false;
}

/* Before anything is measured: what would be in vain. */
static int prepare(struct leader *leader)
{
    struct machine_run *run = leader->run;
    const char *output = run->options.output;
    char name[2 * MACHINE_HOST_ROOM], pattern[2 * MACHINE_HOST_ROOM];
    shunt_host_pattern(run->host, pattern, sizeof pattern);
    shunt_host_machine(run->hosts[0] != '\0' ? run->hosts : pattern, name, sizeof name);
    machine_results_begin(&run->results, run->options.name ? run->options.name : name,
                          run->facts.library);
    machine_warnings_find(run, &leader->warnings);
    if (leader->warnings.busy && !run->options.force)
        return refuse_busy(leader);
    if (!find_energy(leader))
        return SHUNT_EXIT_TABLE;
    if (output && !bench_output_open(&leader->output, output))
        return SHUNT_EXIT_IO;
    return SHUNT_EXIT_OK;
}

/* What is known without a measurement. */
static void add_known(struct machine_run *run)
{
    struct machine_results *results = &run->results;
    results->machine.processors = run->bound ? 0 : run->processors;
    machine_row_add(results, "processors", "", results->machine.processors, -1, 1,
                    run->bound ? "one for each rank, bound" : NULL);
    results->machine.sharing = run->sharing;
    machine_row_add(results, "sharing", "", run->sharing, -1, 1,
                    run->sharing > 1 ? "nodes that run under one kernel" : NULL);
    machine_native_find(run);
}

static void measure(struct machine_run *run)
{
    run->steps = machine_pairs_steps(run, SHUNT_LEVEL_INSIDE) +
                 machine_pairs_steps(run, SHUNT_LEVEL_BETWEEN) + MACHINE_MEMORY_STEPS +
                 MACHINE_TYPES_STEPS + MACHINE_NODE_STEPS + machine_cards_steps(run) +
                 MACHINE_LOAD_STEPS;
    machine_pairs_measure(run, SHUNT_LEVEL_INSIDE);
    machine_pairs_measure(run, SHUNT_LEVEL_BETWEEN);
    machine_memory_measure(run);
    machine_types_measure(run);
    machine_node_measure(run);
    machine_cards_measure(run);
    if (run->rank == 0)
        add_known(run);
    machine_load_measure(run);
}

/* What the numbers leave out. */
static void complete(struct leader *leader)
{
    struct machine_run *run = leader->run;
    struct machine_results *results = &run->results;
    machine_results_complete(results, machine_run_home(run), run->nodes);
    if (run->options.energy_from)
        machine_results_energy(results, &leader->energy, run->options.energy_from);
    machine_warnings_find(run, &leader->warnings);
}

/* The description, with the table as comments before it. */
static void write_description(const struct leader *leader, FILE *stream)
{
    machine_report_table(leader->run, &leader->warnings, leader->command, stream, "# ");
    putc('\n', stream);
    shunt_machine_write(stream, &leader->run->results.machine);
}

/* Prints and writes. Returns the code. */
static int finish(struct leader *leader)
{
    const struct machine_run *run = leader->run;
    const char *key = NULL, *wrong = shunt_machine_wrong(&run->results.machine, &key);
    const bool busy = leader->warnings.busy && !run->options.force, good = !wrong && !busy;
    FILE *stream = leader->output.stream;
    int code = SHUNT_EXIT_OK;
    if (run->options.json)
        code = machine_report_json(run, &leader->warnings, leader->command, stdout);
    else if (stream && stream != stdout)
        machine_report_table(run, &leader->warnings, leader->command, stdout, "");
    else if (good)
        write_description(leader, stdout);
    else
        machine_report_table(run, &leader->warnings, leader->command, stderr, "");
    if (stream && stream != stdout && good)
        write_description(leader, stream);
    if (!good)
        bench_output_drop(&leader->output);
    if (!bench_output_close(&leader->output, true) || fflush(stdout) != 0)
        code = SHUNT_EXIT_IO;
    if (wrong)
        fprintf(stderr, "shunt machine: %s %s: measure again\n", key, wrong);
    if (busy)
        return refuse_busy(leader);
    return wrong ? SHUNT_EXIT_FINDINGS : code;
}

/* With good options, on all ranks. */
static int run_all(struct machine_run *run, const char *command)
{
    static struct leader leader;
    leader = (struct leader){.run = run, .command = command};
    const bool leads = run->rank == 0;
    int code = agree_code(run, leads ? prepare(&leader) : SHUNT_EXIT_OK);
    if (code != SHUNT_EXIT_OK)
        return code;
    measure(run);
    bench_progress_clear();
    if (leads) {
        complete(&leader);
        code = finish(&leader);
    }
    return agree_code(run, code);
}

static int start(struct machine_run *run, int argc, char **argv, const char *command)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    int rank = 0, size = 1;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    if (!machine_options_read(&run->options, argc, argv, diagnostic, sizeof diagnostic))
        return refuse(rank == 0, SHUNT_EXIT_USAGE, diagnostic);
    bench_machine_find(&run->facts);
    if (size == 1 && bench_is_astray(run->facts.library, diagnostic, sizeof diagnostic)) {
        if (shunt_environment_first_of_job())
            shunt_tool_say("machine: %s", diagnostic);
        return SHUNT_EXIT_USAGE;
    }
    if (!machine_run_open(run, diagnostic, sizeof diagnostic))
        return refuse(rank == 0, SHUNT_EXIT_USAGE, diagnostic);
    machine_processors_find(run);
    if (!shunt_pmpi_resolve(__builtin_return_address(0)))
        return SHUNT_EXIT_MPI;
    return run_all(run, command);
}

int main(int argc, char **argv)
{
    static struct machine_run run;
    bench_subcommand = "machine";
    bench_forget_settings();
    bench_must(PMPI_Init(&argc, &argv), "MPI_Init");
    bench_must(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
               "MPI_Comm_set_errhandler");
    char *command = bench_command_join(argc, argv);
    const int code = start(&run, argc, argv, command);
    machine_run_close(&run);
    free(command);
    PMPI_Finalize();
    return code;
}
