/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: the measuring program behind `shunt machine`. */
#include <string.h>

#include "route/host.h"
#include "route/machine.h"
#include "tools/common/tool.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

/* On both ways to the end: what is wrong, and how to have it all the same. */
static int refuse_busy(const struct machine_run *run)
{
    for (int i = 0; i < run->warnings.count && run->warnings.busy; i++)
        if (strncmp(run->warnings.text[i], "busy", 4) == 0)
            fprintf(stderr, "shunt machine: %s\n", run->warnings.text[i]);
    fputs("shunt machine: no description was written; measure when nothing else runs, or take "
          "these numbers with --force\n",
          stderr);
    return SHUNT_EXIT_FINDINGS;
}

static bool find_energy(struct machine_run *run)
{
    struct shunt_diagnostics problems = {0};
    if (!run->options.energy_from ||
        shunt_machine_find(&run->energy, run->options.energy_from, &problems))
        return true;
    for (size_t i = 0; i < problems.count; i++)
        fprintf(stderr, "shunt machine: --energy-from: %s\n", problems.text[i]);
    shunt_diagnostics_clear(&problems);
    return false;
}

/* Before anything is measured: what would be in vain. */
static int prepare(struct machine_run *run)
{
    const struct measure_facts *facts = &run->job.facts;
    const char *output = run->options.output;
    char name[2 * MEASURE_HOST_ROOM], pattern[2 * MEASURE_HOST_ROOM];
    shunt_host_pattern(facts->host, pattern, sizeof pattern);
    shunt_host_machine(facts->hosts[0] != '\0' ? facts->hosts : pattern, name, sizeof name);
    machine_results_begin(&run->results, run->options.name ? run->options.name : name,
                          facts->library);
    machine_warnings_find(run);
    if (run->warnings.busy && !run->options.force)
        return refuse_busy(run);
    if (!find_energy(run))
        return SHUNT_EXIT_TABLE;
    if (output && !measure_output_open(&run->output, output))
        return SHUNT_EXIT_IO;
    return SHUNT_EXIT_OK;
}

/* What is known without a measurement. */
static void add_known(struct machine_run *run)
{
    struct machine_results *results = &run->results;
    results->machine.processors = run->bound ? 0 : run->processors;
    machine_row_add(results, "processors", -1, 1, run->bound ? "one for each rank, bound" : NULL);
    results->machine.sharing = run->sharing;
    machine_row_add(results, "sharing", -1, 1,
                    run->sharing > 1 ? "nodes that run under one kernel" : NULL);
    machine_native_find(run);
}

static void measure_all(struct machine_run *run)
{
    run->steps = machine_pairs_steps(run, SHUNT_LEVEL_INSIDE) +
                 machine_pairs_steps(run, SHUNT_LEVEL_BETWEEN) + MACHINE_MEMORY_STEPS +
                 MACHINE_TYPES_STEPS + MACHINE_MATCH_STEPS + MACHINE_NODE_STEPS +
                 machine_cards_steps(run) + MACHINE_LOAD_STEPS;
    machine_pairs_measure(run, SHUNT_LEVEL_INSIDE);
    machine_pairs_measure(run, SHUNT_LEVEL_BETWEEN);
    machine_memory_measure(run);
    machine_types_measure(run);
    machine_match_measure(run);
    machine_node_measure(run);
    machine_cards_measure(run);
    if (run->rank == 0)
        add_known(run);
    machine_load_measure(run);
}

/* What the numbers leave out. */
static void complete(struct machine_run *run)
{
    machine_results_complete(&run->results, machine_run_home(run), run->nodes);
    if (run->options.energy_from)
        machine_results_energy(&run->results, &run->energy, run->options.energy_from);
    machine_warnings_find(run);
}

/* The description, with the table as comments before it. */
static void write_description(const struct machine_run *run, FILE *stream)
{
    machine_report_table(run, stream, "# ");
    putc('\n', stream);
    shunt_machine_write(stream, &run->results.machine);
}

/* Prints and writes. Returns the code. */
static int finish(struct machine_run *run)
{
    const char *key = NULL, *wrong = shunt_machine_wrong(&run->results.machine, &key);
    const bool busy = run->warnings.busy && !run->options.force, good = !wrong && !busy;
    FILE *stream = run->output.stream;
    int code = SHUNT_EXIT_OK;
    if (run->options.json)
        code = machine_report_json(run, stdout);
    else if (stream && stream != stdout)
        machine_report_table(run, stdout, "");
    else if (good)
        write_description(run, stdout);
    else
        machine_report_table(run, stderr, "");
    if (stream && stream != stdout && good)
        write_description(run, stream);
    if (!good)
        measure_output_drop(&run->output);
    if (!measure_output_close(&run->output, true) || fflush(stdout) != 0)
        code = SHUNT_EXIT_IO;
    if (wrong)
        fprintf(stderr, "shunt machine: %s %s: measure again\n", key, wrong);
    if (busy)
        return refuse_busy(run);
    return wrong ? SHUNT_EXIT_FINDINGS : code;
}

static bool read_options(void *context, struct shunt_words *words, int argc, char **argv,
                         char *diagnostic, size_t capacity)
{
    struct machine_run *run = context;
    return machine_options_read(&run->options, words, argc, argv, diagnostic, capacity);
}

static int check(void *context, char *diagnostic, size_t capacity)
{
    struct machine_run *run = context;
    if (run->job.size > 1)
        return SHUNT_EXIT_OK;
    snprintf(diagnostic, capacity,
             "one rank has nobody to send to: start it on all ranks of two nodes, or of one");
    return SHUNT_EXIT_USAGE;
}

static int measure(void *context)
{
    struct machine_run *run = context;
    machine_run_open(run);
    machine_processors_find(run);
    const bool leads = run->rank == 0;
    int code = measure_agree(run->all, leads ? prepare(run) : SHUNT_EXIT_OK);
    if (code != SHUNT_EXIT_OK)
        return code;
    measure_all(run);
    measure_progress_clear();
    if (leads) {
        complete(run);
        code = finish(run);
    }
    return measure_agree(run->all, code);
}

static void end(void *context)
{
    machine_run_close(context);
}

int main(int argc, char **argv)
{
    static struct machine_run run;
    static const struct measure_program program = {"machine", read_options, check, measure, end};
    return measure_program_run(&program, &run.job, &run, argc, argv);
}
