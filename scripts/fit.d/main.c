/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c: fits numbers of a machine description to figures that somebody measured, and predicts
 * figures that it was not fitted to. For scripts/fit, which makes the figures.
 *
 *   fit MACHINE [KEY=BEGIN]... <FIGURES
 *
 * MACHINE: a description. Each KEY ("card.message_ns") begins at that value, in its own unit, and
 * is changed so that figures whose use is "fitted" are predicted well; without keys nothing is.
 *
 * FIGURES: a line each, with tabs between name, use, operation, nodes, ranks per node, block in
 * bytes, algorithms, algorithms that these are beside or "-", and the number. Algorithms are as
 * `shunt predict --algorithm` takes them, or "native"; of several the fastest counts. The number:
 * how many times as fast as those beside, or, without these, seconds.
 *
 * Prints a line for each key (key, value), and for each figure (name, use, number, predicted), with
 * tabs between. Exit status: 0 good; 1 an input is wrong, or memory short.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/cost.h"
#include "route/machine.h"
#include "tools/bench/options.h"
#include "tools/common/shape.h"
#include "tools/machine/descend.h"
#include "tools/machine/results.h"
#include "tools/predict/work.h"

enum { FIELDS = 9, KEYS_MOST = DESCEND_NUMBERS_MOST, SIDES = 2 };
static const double HOURS = 12 * 3600.0; /* nobody waits longer */

/* One call of one algorithm. */
struct call {
    struct shunt_layout *layout;
    enum shunt_op op;
    int64_t block;
    const struct shunt_algorithm *algorithm;
    struct shunt_params params;
    double seconds; /* as predicted last */
    bool fitted;
};

struct figure {
    char *line, *name, *use; /* owned; parts of it */
    double number;
    size_t first[SIDES], count[SIDES]; /* calls of the algorithms, and of those beside them */
    struct shunt_layout layout;
};

struct fit {
    struct shunt_machine machine;
    size_t figures, calls;
    struct figure *figure;
    struct call *call;
    bool all; /* predict what is held out as well */
};

static void stop(const char *what, const char *about)
{
    fprintf(stderr, "fit: %s: %s\n", what, about);
    exit(1);
}

static void *need(void *memory)
{
    if (!memory)
        stop("memory", "too short");
    return memory;
}

static void add_call(struct fit *fit, struct call call)
{
    fit->call = need(realloc(fit->call, (fit->calls + 1) * sizeof *fit->call));
    fit->call[fit->calls++] = call;
}

/* As `shunt predict --algorithm` reads it. */
static void add_list(struct fit *fit, struct call call, char *list)
{
    static struct bench_options options;
    char diagnostic[300];
    options = (struct bench_options){0};
    options.op[call.op] = true;
    if (!bench_selections_add(&options, list, diagnostic, sizeof diagnostic) ||
        !bench_selections_prepare(&options, diagnostic, sizeof diagnostic))
        stop(list, diagnostic);
    for (int i = 0; i < options.selection_count; i++) {
        const struct bench_selection *selection = &options.selections[i];
        const struct shunt_rule *rule =
            &selection->force->rules[selection->force->rule_first[call.op]];
        call.algorithm = selection->algorithm;
        call.params =
            shunt_params_evaluate(call.algorithm, rule->present, rule->given, call.layout);
        if (!call.algorithm->infeasible || !call.algorithm->infeasible(call.layout, &call.params))
            add_call(fit, call);
    }
    bench_options_clear(&options);
}

/* One side of a figure: the calls of a list. */
static void add_side(struct fit *fit, struct figure *figure, int side, struct call call, char *list)
{
    figure->first[side] = fit->calls;
    if (strcmp(list, "native") == 0) {
        call.algorithm = shunt_registry_row(0);
        add_call(fit, call);
    } else if (strcmp(list, "-") != 0) {
        add_list(fit, call, list);
    }
    figure->count[side] = fit->calls - figure->first[side];
}

static void read_figure(struct fit *fit, struct figure *figure)
{
    char *field[FIELDS], *rest = figure->line;
    for (int i = 0; i < FIELDS; i++)
        if (!(field[i] = strsep(&rest, "\t")))
            stop(figure->name ? figure->name : "a line", "fields are lacking");
        else if (i == 0)
            figure->name = field[0];
    const int nodes = atoi(field[3]), ppn = atoi(field[4]);
    if (nodes < 1 || ppn < 1 || nodes > SHUNT_RANKS_MAX / ppn ||
        shunt_layout_blocks(&figure->layout, nodes * ppn, nodes) != 0)
        stop(figure->name, "no such layout");
    figure->use = field[1];
    figure->number = atof(field[8]);
    struct call call = {.layout = &figure->layout,
                        .op = strcmp(field[2], "alltoall") == 0 ? SHUNT_OP_ALLTOALL
                                                                : SHUNT_OP_ALLTOALLV,
                        .block = atoll(field[5]),
                        .fitted = strcmp(figure->use, "fitted") == 0};
    add_side(fit, figure, 0, call, field[6]);
    add_side(fit, figure, 1, call, field[7]);
    if (!(figure->number > 0) || figure->count[0] == 0)
        stop(figure->name, "no number, or no algorithm that can serve the call");
}

static void read_figures(struct fit *fit)
{
    char *line = NULL;
    size_t room = 0, most = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (fit->figures == most)
            fit->figure = need(realloc(fit->figure, (most = 2 * most + 64) * sizeof *fit->figure));
        line[strcspn(line, "\n")] = '\0';
        fit->figure[fit->figures++] = (struct figure){.line = need(strdup(line))};
    }
    free(line);
    /* Calls point to layouts, which do not move any more. */
    for (size_t i = 0; i < fit->figures; i++)
        read_figure(fit, &fit->figure[i]);
}

static void predict_one(void *context, size_t i)
{
    struct fit *fit = context;
    struct call *call = &fit->call[i];
    struct shunt_cost cost;
    const struct shunt_cost_call asked = {
        .machine = &fit->machine,
        .call = {.op = call->op,
                 .algorithm = call->algorithm,
                 .layout = call->layout,
                 .params = &call->params,
                 .block = call->block,
                 .agrees =
                     call->op == SHUNT_OP_ALLTOALLV && shunt_kind_agrees(call->algorithm->kind)}};
    if (!fit->all && !call->fitted)
        return;
    call->seconds = shunt_cost_predict(&cost, &asked) == SHUNT_COST_OK ? cost.time : 0;
}

/* The fastest of a side; 0: none could be predicted. */
static double least(const struct fit *fit, const struct figure *figure, int side)
{
    double found = 0;
    for (size_t i = 0; i < figure->count[side]; i++) {
        const double seconds = fit->call[figure->first[side] + i].seconds;
        if (seconds > 0 && (found <= 0 || seconds < found))
            found = seconds;
    }
    return found;
}

/* 0: it could not be predicted. */
static double predicted(const struct fit *fit, const struct figure *figure)
{
    const double left = least(fit, figure, 0), right = least(fit, figure, 1);
    return figure->count[1] == 0 ? left : left > 0 ? right / left : 0;
}

static double distance(void *context)
{
    struct fit *fit = context;
    double sum = 0;
    int used = 0;
    shunt_work(fit->calls, shunt_work_threads(), predict_one, fit, NULL);
    for (size_t i = 0; i < fit->figures; i++) {
        const double found = predicted(fit, &fit->figure[i]);
        if (strcmp(fit->figure[i].use, "fitted") != 0 || !(found > 0))
            continue;
        sum += descend_off(found, fit->figure[i].number);
        used++;
    }
    return used > 0 ? sum / used : 0;
}

/* "card.message_ns=10": where it begins. */
static double *begin_key(struct shunt_machine *machine, char *text,
                         const struct shunt_machine_key **key)
{
    char *value = strchr(text, '=');
    if (value)
        *value++ = '\0';
    *key = machine_key_find(text);
    if (!value || !*key || (*key)->kind != SHUNT_MACHINE_REAL)
        stop(text, "is no KEY=BEGIN of a number");
    double *number = shunt_machine_value(machine, *key);
    *number = atof(value) * machine_key_unit(*key);
    if (!(*number > 0))
        stop(text, "begins at no positive number");
    return number;
}

int main(int argc, char **argv)
{
    struct fit fit = {0};
    struct descend descend = {
        .distance = distance, .context = &fit, .until = shunt_now() + (int64_t)(1e9 * HOURS)};
    struct shunt_diagnostics problems = {0};
    const struct shunt_machine_key *key[KEYS_MOST];
    if (argc < 2 || argc - 2 > KEYS_MOST)
        stop("usage", "fit MACHINE [KEY=BEGIN]... <FIGURES");
    if (!shunt_machine_find(&fit.machine, argv[1], &problems))
        stop(argv[1], problems.count > 0 ? problems.text[0] : "memory is too short");
    read_figures(&fit);
    for (int i = 2; i < argc; i++)
        descend_add(&descend, begin_key(&fit.machine, argv[i], &key[i - 2]), 0);
    if (argc > 2)
        descend_run(&descend);
    for (int i = 2; i < argc; i++)
        printf("%s\t%.3g\n", argv[i], *descend.value[i - 2] / machine_key_unit(key[i - 2]));
    fit.all = true;
    distance(&fit);
    for (size_t i = 0; i < fit.figures; i++)
        printf("%s\t%s\t%g\t%.4g\n", fit.figure[i].name, fit.figure[i].use, fit.figure[i].number,
               predicted(&fit, &fit.figure[i]));
    for (size_t i = 0; i < fit.figures; i++) {
        shunt_layout_clear(&fit.figure[i].layout);
        free(fit.figure[i].line);
    }
    free(fit.figure);
    free(fit.call);
    return 0;
}
