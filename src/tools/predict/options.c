/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: options of `shunt predict`. */
#include "tools/predict/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/predict/cost.h"
#include "tools/predict/machine.h"
#include "tools/shape.h"
#include "tools/tool.h"

struct state {
    struct shunt_predict *predict;
    const char *algorithm; /* as given */
    bool op_given, seed_given;
};

static int read_objective(struct shunt_predict *predict, const char *text)
{
    for (int i = 0; i < SHUNT_OBJECTIVE_COUNT; i++) {
        if (strcmp(text, shunt_objective_name((enum shunt_objective)i)) == 0) {
            predict->objective = (enum shunt_objective)i;
            return SHUNT_EXIT_OK;
        }
    }
    return shunt_tool_usage(predict->asker, "--objective: \"%s\" is not time, energy or memory",
                            text);
}

/* "0.02", "20mJ", "5 uJ". */
static int read_energy(struct shunt_predict *predict, const char *text)
{
    static const struct {
        const char *name;
        double joules;
    } units[] = {{"", 1}, {"J", 1}, {"mJ", 1e-3}, {"uJ", 1e-6}, {"nJ", 1e-9}, {"kJ", 1e3}};
    char *end;
    const double value = strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    const bool decimal = strpbrk(text, "xX") == NULL;
    for (size_t i = 0; decimal && end != text && i < sizeof units / sizeof units[0]; i++) {
        const double joules = value * units[i].joules;
        if (strcmp(unit, units[i].name) == 0 && isfinite(joules) && joules >= 0) {
            predict->energy_most = joules;
            return SHUNT_EXIT_OK;
        }
    }
    return shunt_tool_usage(
        predict->asker, "--energy-at-most: \"%s\" is not an energy such as 0.5, 20mJ or 5uJ", text);
}

static int read_seed(struct shunt_predict *predict, const char *text)
{
    char *end;
    errno = 0;
    predict->seed = strtoull(text, &end, 10);
    if (text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && errno == 0)
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(predict->asker, "--seed: \"%s\" is not a number", text);
}

static int read_distribution(struct shunt_predict *predict, const char *text)
{
    predict->distribution = text;
    if (bench_distribution_parse(text, &predict->sizes))
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(predict->asker, "--distribution: \"%s\" is not %s", text,
                            bench_distribution_names);
}

static int read_sweep(struct shunt_predict *predict, const char *text)
{
    predict->sweep = true;
    return strcmp(text, "radix") == 0
               ? SHUNT_EXIT_OK
               : shunt_tool_usage(predict->asker, "--sweep: \"%s\" is not radix", text);
}

/* Options that say which calls. */
static int take_call(struct state *state, int option, const char *value)
{
    struct shunt_predict *predict = state->predict;
    switch (option) {
    case 'o':
        state->op_given = true;
        return shunt_shape_op(predict->asker, value, &predict->op);
    case 'r':
        return shunt_axis_read(predict->asker, "ranks", value, false, &predict->ranks);
    case 'n':
        return shunt_axis_read(predict->asker, "nodes", value, false, &predict->nodes);
    case 'b':
        return shunt_axis_read(predict->asker, "block", value, true, &predict->block);
    case 'p':
        return shunt_shape_number(predict->asker, "ppn", value, &predict->ppn);
    case 'd':
        return read_distribution(predict, value);
    case 'S':
        state->seed_given = true;
        return read_seed(predict, value);
    case 'f':
        predict->counts = value;
        return SHUNT_EXIT_OK;
    default:
        predict->layout = value;
        return SHUNT_EXIT_OK;
    }
}

/* Options that are flags, or texts that are looked at later. */
static bool take_plain(struct state *state, int option, const char *value)
{
    struct shunt_predict *predict = state->predict;
    const char **text = option == 'm'   ? &predict->machine_name
                        : option == 'a' ? &state->algorithm
                        : option == 'v' ? &predict->html
                                        : NULL;
    bool *flag = option == 'A'   ? &predict->all
                 : option == 'u' ? &predict->curves
                 : option == 'c' ? &predict->csv
                 : option == 'j' ? &predict->json
                 : option == 'h' ? &predict->help
                                 : NULL;
    if (text)
        *text = value;
    if (flag)
        *flag = true;
    return text || flag;
}

static int take(struct state *state, int option, const char *value, const char *word)
{
    struct shunt_predict *predict = state->predict;
    if (take_plain(state, option, value))
        return SHUNT_EXIT_OK;
    if (strchr("ornbpdSfy", option))
        return take_call(state, option, value);
    switch (option) {
    case 'x':
        return read_objective(predict, value);
    case 'e':
        return read_energy(predict, value);
    case 'M':
        return shunt_shape_size(predict->asker, "memory-at-most", value, &predict->memory_most);
    case 's':
        return read_sweep(predict, value);
    default:
        return shunt_tool_usage(predict->asker, "%s is not an option, or lacks its value", word);
    }
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
static int read_algorithms(struct shunt_predict *predict, const char *list)
{
    char diagnostic[512];
    if (!list && predict->curves)
        list = curves_of(predict->op);
    if (!list)
        return SHUNT_EXIT_OK;
    predict->chosen = calloc(1, sizeof *predict->chosen);
    if (!predict->chosen) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    predict->chosen->op[predict->op] = true;
    if (bench_selections_add(predict->chosen, list, diagnostic, sizeof diagnostic) &&
        bench_selections_prepare(predict->chosen, diagnostic, sizeof diagnostic))
        return check_algorithms(predict);
    return shunt_tool_usage(predict->asker, "%s", diagnostic);
}

/* A matrix of a distribution is a file of counts. */
static int check_sizes(struct state *state)
{
    struct shunt_predict *predict = state->predict;
    if (predict->distribution && predict->sizes.shape == BENCH_MATRIX) {
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
    if (state->seed_given && !predict->distribution)
        return shunt_tool_usage(predict->asker, "--seed goes with --distribution");
    if (!predict->counts && predict->block.count == 0)
        return shunt_tool_usage(predict->asker, "--block is missing");
    return SHUNT_EXIT_OK;
}

/* What a form can not have. */
static int check_form(const struct shunt_predict *predict)
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
    if (predict->csv && predict->json)
        return shunt_tool_usage(predict->asker, "--csv and --json: give one");
    return SHUNT_EXIT_OK;
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

static int finish(struct state *state, int argc, char **argv)
{
    struct shunt_predict *predict = state->predict;
    if (!state->op_given)
        return shunt_tool_usage(predict->asker, "--op is missing");
    int code = check_sizes(state);
    if (code == SHUNT_EXIT_OK)
        code = read_algorithms(predict, state->algorithm);
    predict->form = form_of(predict);
    predict->best_only = predict->form == SHUNT_FORM_GRID;
    if (code == SHUNT_EXIT_OK)
        code = check_form(predict);
    if (code == SHUNT_EXIT_OK && argc - optind > 1)
        return shunt_tool_usage(predict->asker, "\"%s\" is one word too many", argv[optind + 1]);
    predict->file = optind < argc ? argv[optind] : NULL;
    if (code == SHUNT_EXIT_OK && predict->file && predict->machine_name)
        return shunt_tool_usage(predict->asker, "%s and --machine name two machines: give one",
                                predict->file);
    if (code == SHUNT_EXIT_OK)
        code = shunt_predict_machine(&predict->machine, predict->asker, predict->machine_name,
                                     predict->file);
    if (code == SHUNT_EXIT_OK)
        code = check_energy(predict);
    return code;
}

int shunt_predict_read(struct shunt_predict *predict, const struct shunt_subcommand *asker,
                       int argc, char **argv)
{
    static const struct option options[] = {{"op", required_argument, NULL, 'o'},
                                            {"ranks", required_argument, NULL, 'r'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {"ppn", required_argument, NULL, 'p'},
                                            {"layout", required_argument, NULL, 'y'},
                                            {"block", required_argument, NULL, 'b'},
                                            {"machine", required_argument, NULL, 'm'},
                                            {"counts", required_argument, NULL, 'f'},
                                            {"distribution", required_argument, NULL, 'd'},
                                            {"seed", required_argument, NULL, 'S'},
                                            {"algorithm", required_argument, NULL, 'a'},
                                            {"objective", required_argument, NULL, 'x'},
                                            {"energy-at-most", required_argument, NULL, 'e'},
                                            {"memory-at-most", required_argument, NULL, 'M'},
                                            {"all", no_argument, NULL, 'A'},
                                            {"sweep", required_argument, NULL, 's'},
                                            {"curves", no_argument, NULL, 'u'},
                                            {"html", required_argument, NULL, 'v'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct state state = {.predict = predict};
    int option;
    opterr = 0;
    *predict =
        (struct shunt_predict){.asker = asker, .energy_most = -1, .memory_most = -1, .seed = 1};
    while ((option = getopt_long(argc, argv, "hj", options, NULL)) != -1) {
        const int code = take(&state, option, optarg, argv[optind - 1]);
        if (code != SHUNT_EXIT_OK || predict->help)
            return code;
    }
    return finish(&state, argc, argv);
}

void shunt_predict_clear(struct shunt_predict *predict)
{
    if (predict->chosen)
        bench_options_clear(predict->chosen);
    free(predict->chosen);
    predict->chosen = NULL;
}
