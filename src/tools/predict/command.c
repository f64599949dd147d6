/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: options of `shunt predict`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/shape.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"

/* "0.02", "20mJ", "5 uJ". */
static bool read_energy(struct shunt_option_value *value)
{
    static const struct {
        const char *name;
        double joules;
    } units[] = {{"", 1}, {"J", 1}, {"mJ", 1e-3}, {"uJ", 1e-6}, {"nJ", 1e-9}, {"kJ", 1e3}};
    char *end;
    const double number = strtod(value->text, &end);
    const char *unit = end + strspn(end, " ");
    const bool decimal = strpbrk(value->text, "xX") == NULL;
    for (size_t i = 0; decimal && end != value->text && i < sizeof units / sizeof units[0]; i++) {
        const double joules = number * units[i].joules;
        if (strcmp(unit, units[i].name) == 0 && isfinite(joules) && joules >= 0) {
            *(double *)value->field = joules;
            return true;
        }
    }
    return shunt_option_refuse(value, NULL, "is not an energy such as 0.5, 20mJ or 5uJ");
}

static bool read_distribution(struct shunt_option_value *value)
{
    struct shunt_predict *predict = value->options;
    predict->distribution = value->text;
    return measure_distribution_parse(value->text, &predict->sizes) ||
           shunt_option_refuse(value, NULL, "is not %s", measure_distribution_names);
}

/* Direct messages, and Bruck's algorithm with few rounds and with few bytes. */
static const char *curves_of(enum shunt_op op)
{
    return op == SHUNT_OP_ALLTOALL ? "spread-out,bruck:radix=2,sqrt(P)"
                                   : "spread-out,parlogna:radix=2,sqrt(P)";
}

/* Nothing is known of the messages of algorithms that leave them to the MPI library. */
static int check_algorithms(const struct shunt_predict *predict)
{
    for (int i = 0; i < predict->chosen->selection_count; i++) {
        const struct shunt_algorithm *row = predict->chosen->selections[i].algorithm;
        if (!shunt_predict_can(row) && !predict->chosen->all)
            return shunt_tool_usage(
                predict->asker, "--algorithm: %s has no schedule of ours to predict", row->name);
    }
    return SHUNT_EXIT_OK;
}

/* The algorithms of --algorithm, spelt as for `shunt bench`. */
static int read_algorithms(struct shunt_predict *predict)
{
    const char *list = predict->algorithms;
    char diagnostic[512];
    if (!list && predict->curves)
        list = curves_of(predict->op);
    if (!list)
        return SHUNT_EXIT_OK;
    predict->chosen = calloc(1, sizeof *predict->chosen);
    if (!predict->chosen)
        return shunt_tool_no_memory();
    predict->chosen->op[predict->op] = true;
    if (bench_selections_add(predict->chosen, list, diagnostic, sizeof diagnostic) &&
        bench_selections_prepare(predict->chosen, diagnostic, sizeof diagnostic))
        return check_algorithms(predict);
    return shunt_tool_usage(predict->asker, "%s", diagnostic);
}

/* A matrix of a distribution is a file of counts. */
static int check_sizes(struct shunt_predict *predict, const struct shunt_words *words)
{
    if (predict->distribution && predict->sizes.shape == MEASURE_MATRIX) {
        if (predict->counts)
            return shunt_tool_usage(predict->asker, "--counts and --distribution=matrix:FILE say "
                                                    "the same twice");
        predict->counts = predict->sizes.file;
        predict->distribution = NULL;
    }
    const char *given = predict->counts         ? "--counts"
                        : predict->distribution ? "--distribution"
                                                : NULL;
    if (given && predict->op != SHUNT_OP_ALLTOALLV)
        return shunt_tool_usage(predict->asker,
                                "%s goes with --op=alltoallv: all blocks of an "
                                "alltoall are equal",
                                given);
    if (predict->counts && (predict->block.count > 0 || predict->distribution))
        return shunt_tool_usage(predict->asker, "--counts goes without --block and "
                                                "--distribution: the file has all sizes");
    if (shunt_given(words, "seed") && !predict->distribution)
        return shunt_tool_usage(predict->asker, "--seed goes with --distribution");
    if (!predict->counts && predict->block.count == 0)
        return shunt_tool_usage(predict->asker, "--block is missing");
    return SHUNT_EXIT_OK;
}

/* What a form can not have. */
static int check_form(const struct shunt_predict *predict, const struct shunt_words *words)
{
    const int calls = predict->ranks.count > 1 || predict->nodes.count > 1;
    const enum shunt_form form = predict->form;
    if (predict->ranks.count > 1 && predict->nodes.count > 1)
        return shunt_tool_usage(predict->asker, "--ranks and --nodes can not both have several "
                                                "values");
    if (predict->sweep && predict->curves)
        return shunt_tool_usage(predict->asker, "--sweep and --curves are two forms: give one");
    if (predict->counts && (calls || form == SHUNT_FORM_CURVES))
        return shunt_tool_usage(predict->asker, "--counts is about one number of ranks");
    if (form == SHUNT_FORM_CURVES && !calls)
        return shunt_tool_usage(predict->asker,
                                "--curves: give --ranks or --nodes several values, such as 2-1024");
    if (form == SHUNT_FORM_CURVES && predict->block.count > 1)
        return shunt_tool_usage(predict->asker, "--curves: give --block one value");
    if (form == SHUNT_FORM_SWEEP && (calls || predict->block.count > 1))
        return shunt_tool_usage(predict->asker, "--sweep is about one call: give --ranks, --nodes "
                                                "and --block one value each");
    if (form == SHUNT_FORM_SWEEP && (!predict->chosen || predict->chosen->selection_count != 1))
        return shunt_tool_usage(predict->asker, "--sweep: give one --algorithm");
    if (predict->html && form == SHUNT_FORM_CALL)
        return shunt_tool_usage(predict->asker, "--html draws several calls: give --ranks, --nodes "
                                                "or --block several values, or --sweep");
    if (predict->all && form != SHUNT_FORM_CALL)
        return shunt_tool_usage(predict->asker, "--all is about one call");
    return shunt_tool_exclusive(words, "csv,json");
}

static enum shunt_form form_of(const struct shunt_predict *predict)
{
    return predict->sweep    ? SHUNT_FORM_SWEEP
           : predict->curves ? SHUNT_FORM_CURVES
           : predict->ranks.count > 1 || predict->nodes.count > 1 || predict->block.count > 1
               ? SHUNT_FORM_GRID
               : SHUNT_FORM_CALL;
}

/* What is not known can neither be least nor keep a cap. */
static int check_energy(const struct shunt_predict *predict)
{
    const bool least = predict->objective == SHUNT_OBJECTIVE_ENERGY;
    if (shunt_predict_knows_energy(&predict->machine) || (!least && predict->energy_most < 0))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(predict->asker,
                            "%s: the description of %s says nothing of energy: it needs "
                            "message_pj or byte_nj of inside or between, or energy.static_w",
                            least ? "--objective=energy" : "--energy-at-most",
                            predict->machine.name);
}

static int complete(struct shunt_predict *predict, const struct shunt_words *words)
{
    predict->asker = words->command;
    predict->sweep = shunt_given(words, "sweep");
    int code = check_sizes(predict, words);
    if (code == SHUNT_EXIT_OK)
        code = read_algorithms(predict);
    predict->form = form_of(predict);
    predict->best_only = predict->form == SHUNT_FORM_GRID;
    if (code == SHUNT_EXIT_OK)
        code = check_form(predict, words);
    predict->file = words->count > 0 ? words->word[0] : NULL;
    if (code == SHUNT_EXIT_OK && predict->file && predict->machine_name)
        return shunt_tool_usage(predict->asker, "%s and --machine name two machines: give one",
                                predict->file);
    if (code == SHUNT_EXIT_OK)
        code = shunt_predict_machine(&predict->machine, predict->asker, predict->machine_name,
                                     predict->file);
    return code == SHUNT_EXIT_OK ? check_energy(predict) : code;
}

static int answer(const struct shunt_predict *predict)
{
    switch (predict->form) {
    case SHUNT_FORM_GRID:
        return shunt_predict_grid(predict);
    case SHUNT_FORM_SWEEP:
        return shunt_predict_sweep(predict);
    case SHUNT_FORM_CURVES:
        return shunt_predict_curves(predict);
    case SHUNT_FORM_CALL:
        break;
    }
    return shunt_predict_call(predict);
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_predict *predict = options;
    const int code = complete(predict, words);
    return code == SHUNT_EXIT_OK ? answer(predict) : code;
}

static void clear(void *options)
{
    struct shunt_predict *predict = options;
    if (predict->chosen)
        bench_options_clear(predict->chosen);
    free(predict->chosen);
}

static const struct shunt_option list[] = {
    SHUNT_OPTION_OP(struct shunt_predict, op),
    SHUNT_VALUE("block", "SIZES", struct shunt_predict, block, shunt_read_sizes,
                "bytes per destination, for alltoallv the largest; takes K, M and G; 8,512,4K, or "
                "8-64K: doubled from end to end"),
    SHUNT_VALUE("ranks", "P", struct shunt_predict, ranks, shunt_read_counts,
                "SHAPE: ranks; they or the nodes may be several: 16,64,256, or 16-256"),
    SHUNT_VALUE("nodes", "N", struct shunt_predict, nodes, shunt_read_counts, "SHAPE: nodes"),
    SHUNT_OPTION_PPN(struct shunt_predict, ppn),
    SHUNT_OPTION_LAYOUT(struct shunt_predict, layout),
    SHUNT_FILE("machine", "FILE", struct shunt_predict, machine_name,
               "the description, or the name of one that is installed"),
    SHUNT_FILE("counts", "FILE", struct shunt_predict, counts,
               "instead of --block: a line per rank with the bytes for each rank"),
    SHUNT_VALUE("distribution", "DISTRIBUTION", struct shunt_predict, distribution,
                read_distribution,
                "sizes up to --block, as in shunt bench: uniform, power-law, ..."),
    SHUNT_LONG("seed", "N", struct shunt_predict, seed, 0, INT64_MAX,
               "of the random sizes (default 1)"),
    SHUNT_TEXT("algorithm", "LIST", struct shunt_predict, algorithms,
               "these and native alone, such as parlogna:radix=2,8,scattered"),
    SHUNT_WORD("objective", "WORD", struct shunt_predict, objective, "time,energy,memory",
               "time, energy or memory: what is to be least (default time)"),
    SHUNT_VALUE("energy-at-most", "JOULES", struct shunt_predict, energy_most, read_energy,
                "the choice needs no more; takes kJ, mJ, uJ and nJ"),
    SHUNT_SIZE("memory-at-most", "SIZE", struct shunt_predict, memory_most,
               "the choice needs no more scratch memory on any rank"),
    SHUNT_FLAG(0, "all", struct shunt_predict, all,
               "all settings of each algorithm, not only its best"),
    SHUNT_WORD("sweep", "radix", struct shunt_predict, sweep_over, "radix",
               "one algorithm over its radix instead"),
    SHUNT_FLAG(0, "curves", struct shunt_predict, curves,
               "algorithms over the number of ranks instead"),
    SHUNT_FILE("html", "FILE", struct shunt_predict, html,
               "a page with drawings of the grid, the sweep or the curves as well"),
    SHUNT_FLAG(0, "csv", struct shunt_predict, csv, "for programs and spreadsheets"),
    SHUNT_JSON(struct shunt_predict, json, "for programs; predict.schema.json describes the form"),
};

const struct shunt_subcommand shunt_subcommand_predict = {
    .name = "predict",
    .summary = "predict time, energy and memory of calls on a described machine",
    .usage = "shunt predict --op=OP --block=SIZE SHAPE [OPTION]... [FILE | built-in]",
    .about = "Predicts what a call costs with every algorithm on the machine that FILE describes, "
             "or another one. Without FILE: the table of a job whose rank 0 runs on this host. "
             "With several values of --ranks, --nodes or --block: which algorithm wins "
             "where. " SHUNT_SHAPE_ABOUT ".",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_predict),
    .defaults = &(const struct shunt_predict){.energy_most = -1, .memory_most = -1, .seed = 1},
    .words_most = 1,
    .run = run,
    .clear = clear,
};
