/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c: one algorithm over its radix, and algorithms over the number of ranks, as in
 * figure 5 of Hoefler and Moor. */
#include "tools/predict/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "route/words.h"
#include "tools/predict/cost.h"
#include "tools/predict/csv.h"
#include "tools/predict/json.h"
#include "tools/predict/progress.h"
#include "tools/predict/text.h"
#include "tools/tool.h"

struct point {
    int64_t at; /* radix, or ranks */
    struct shunt_place place;
    struct shunt_cost cost;
};

struct line {
    char name[SHUNT_PREDICT_ROOM]; /* "bruck:radix=sqrt(P)" */
    int count;
    struct point *point; /* array of count, owned */
};

struct plot {
    const struct shunt_predict *predict;
    const char *across; /* "radix" or "ranks" */
    int count;
    struct line *line; /* array of count, owned */
    int left;          /* points that cannot be predicted */
};

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

static void plot_clear(struct plot *plot)
{
    for (int i = 0; i < plot->count && plot->line; i++)
        free(plot->line[i].point);
    free(plot->line);
}

/* Room for so many lines of so many points. */
static bool plot_make(struct plot *plot, int lines, int points)
{
    plot->line = calloc((size_t)lines, sizeof *plot->line);
    plot->count = plot->line ? lines : 0;
    for (int i = 0; i < plot->count; i++) {
        plot->line[i].point = calloc((size_t)points, sizeof *plot->line[i].point);
        if (!plot->line[i].point)
            return false;
    }
    return plot->line != NULL;
}

/* The cost of one more point; what can not serve a call has none there, nor has what is too large.
 */
static int add_point(struct plot *plot, int line, int64_t at, const struct shunt_case *c,
                     const struct shunt_candidate *candidate)
{
    struct line *l = &plot->line[line];
    struct point *point = &l->point[l->count];
    const struct shunt_algorithm *row = candidate->algorithm;
    enum shunt_cost_result result;
    if (row->infeasible && row->infeasible(&c->layout, &candidate->params)) {
        plot->left++;
        return SHUNT_EXIT_OK;
    }
    point->at = at;
    point->place = shunt_case_place(c);
    if (shunt_predict_cost(&point->cost, &plot->predict->machine, plot->predict->op, c, candidate,
                           0, &result))
        l->count++;
    else
        plot->left++;
    return result == SHUNT_COST_MEMORY  ? no_memory()
           : result == SHUNT_COST_STUCK ? shunt_predict_stuck(row)
                                        : SHUNT_EXIT_OK;
}

/* Over the ranks these are among the columns of every form. */
static bool is_over_radix(const struct plot *plot)
{
    return plot->predict->form == SHUNT_FORM_SWEEP;
}

#define COSTS "time_s,energy_j,dynamic_energy_j,memory,descriptors,messages,bytes,rounds"

static void print_csv(const struct plot *plot)
{
    const bool radix = is_over_radix(plot);
    shunt_predict_csv_head(radix ? "algorithm,radix," COSTS : "algorithm," COSTS);
    for (int i = 0; i < plot->count; i++) {
        for (int k = 0; k < plot->line[i].count; k++) {
            const struct point *point = &plot->line[i].point[k];
            const struct shunt_cost *cost = &point->cost;
            shunt_predict_csv_place(plot->predict, &point->place);
            printf("%s,", plot->line[i].name);
            if (radix)
                printf("%" PRId64 ",", point->at);
            shunt_predict_csv_real(cost->time);
            shunt_predict_csv_real(cost->energy);
            shunt_predict_csv_real(cost->dynamic_energy);
            printf("%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRId64 ",%" PRIu32, cost->memory,
                   cost->descriptors, cost->messages, cost->bytes, cost->rounds);
            shunt_predict_csv_end(plot->predict);
        }
    }
}

static void print_line(const struct line *line, const char *across)
{
    char time[32], energy[32], memory[32], descriptors[32], bytes[32];
    printf("\n%s\n%8s  %10s  %10s  %11s  %11s  %8s  %12s  %10s\n", line->name, across, "time",
           "energy", "memory", "descriptors", "rounds", "messages", "bytes");
    for (int k = 0; k < line->count; k++) {
        const struct shunt_cost *cost = &line->point[k].cost;
        shunt_seconds_print(cost->time, time, sizeof time);
        shunt_joules_print(cost->energy, energy, sizeof energy);
        shunt_volume_print(cost->memory, memory, sizeof memory);
        shunt_volume_print(cost->descriptors, descriptors, sizeof descriptors);
        shunt_volume_print(cost->bytes, bytes, sizeof bytes);
        printf("%8" PRId64 "  %10s  %10s  %11s  %11s  %8" PRIu32 "  %12" PRIu64 "  %10s\n",
               line->point[k].at, time, energy, memory, descriptors, cost->rounds, cost->messages,
               bytes);
    }
}

static void print_text(const struct plot *plot)
{
    printf("%-10s %s", "call", shunt_op_name(plot->predict->op));
    if (is_over_radix(plot) && plot->line[0].count > 0)
        printf(", ranks %d, nodes %d", plot->line[0].point[0].place.ranks,
               plot->line[0].point[0].place.nodes);
    if (plot->predict->block.count > 0)
        printf(", block %" PRId64, plot->predict->block.value[0]);
    if (plot->predict->distribution)
        printf(", sizes %s", plot->predict->distribution);
    printf("\n%-10s %s\n", "machine", plot->predict->machine.name);
    for (int i = 0; i < plot->count; i++)
        print_line(&plot->line[i], plot->across);
}

static void put_line(struct shunt_json *json, const struct plot *plot, int line)
{
    const bool radix = is_over_radix(plot);
    const struct line *l = &plot->line[line];
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_CANDIDATE, l->name);
    shunt_json_put_array(json, SHUNT_KEY_POINTS);
    for (int k = 0; k < l->count; k++) {
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_known(json, radix ? SHUNT_KEY_RADIX : SHUNT_KEY_RANKS, l->point[k].at);
        shunt_predict_json_cost(json, &l->point[k].cost);
        shunt_json_close(json);
    }
    shunt_json_close(json);
    shunt_json_close(json);
}

static void put_lines(struct shunt_json *json, const void *context)
{
    const struct plot *plot = context;
    shunt_json_put_known(json, SHUNT_KEY_LEFT_OUT, plot->left);
    shunt_json_put_array(json, SHUNT_KEY_LINES);
    for (int i = 0; i < plot->count; i++)
        put_line(json, plot, i);
    shunt_json_line(json);
    shunt_json_close(json);
}

static int show(const struct plot *plot)
{
    const struct shunt_predict *predict = plot->predict;
    int code = predict->html ? shunt_predict_html(predict, put_lines, plot) : SHUNT_EXIT_OK;
    int points = 0;
    for (int i = 0; i < plot->count; i++)
        points += plot->line[i].count;
    if (plot->left > 0)
        shunt_tool_say("left out: %d of %d points, which cannot be served or have too many "
                       "messages",
                       plot->left, plot->left + points);
    if (code == SHUNT_EXIT_OK && predict->json)
        code = shunt_predict_json(predict, put_lines, plot);
    else if (code == SHUNT_EXIT_OK && predict->csv)
        print_csv(plot);
    else if (code == SHUNT_EXIT_OK)
        print_text(plot);
    return code == SHUNT_EXIT_OK && points == 0 ? SHUNT_EXIT_FINDINGS : code;
}

/* All small ones, then steps of a sixteenth, and the last. */
static int64_t next_radix(int64_t radix, int64_t most)
{
    const int64_t next = radix < 64 ? radix + 1 : radix + radix / 16;
    return radix < most && next > most ? most : next;
}

static int sweep_case(struct plot *plot, const struct shunt_case *c,
                      struct shunt_candidate candidate)
{
    const struct shunt_algorithm *row = candidate.algorithm;
    const struct shunt_param_spec *spec = &row->params[SHUNT_PARAM_RADIX];
    const int64_t bound = shunt_value_eval((struct shunt_value){.formula = spec->max}, &c->layout);
    const int64_t most = bound < spec->min ? spec->min : bound;
    int points = 0, code = SHUNT_EXIT_OK;
    for (int64_t radix = spec->min; radix <= most; radix = next_radix(radix, most))
        points++;
    if (!plot_make(plot, 1, points))
        return no_memory();
    snprintf(plot->line[0].name, sizeof plot->line[0].name, "%s",
             plot->predict->chosen->selections[0].text);
    candidate.present |= 1U << SHUNT_PARAM_RADIX;
    for (int64_t radix = spec->min, done = 0; radix <= most && code == SHUNT_EXIT_OK;
         radix = next_radix(radix, most), done++) {
        candidate.given[SHUNT_PARAM_RADIX] = (struct shunt_value){SHUNT_FORMULA_NUMBER, radix};
        candidate.params =
            shunt_params_evaluate(row, candidate.present, candidate.given, &c->layout);
        shunt_progress_show("radices", (size_t)done, (size_t)points);
        code = add_point(plot, 0, radix, c, &candidate);
    }
    shunt_progress_clear();
    return code;
}

int shunt_predict_sweep(const struct shunt_predict *predict)
{
    struct plot plot = {.predict = predict, .across = "radix"};
    const struct bench_selection *selection = &predict->chosen->selections[0];
    struct shunt_case c;
    if (!selection->algorithm->params[SHUNT_PARAM_RADIX].used)
        return shunt_tool_usage(predict->asker,
                                "--sweep: %s has no radix; \"shunt algorithms\" tells which have",
                                selection->algorithm->name);
    int code = shunt_case_make(&c, predict, 0, 0);
    struct shunt_candidate candidate = {0};
    if (code == SHUNT_EXIT_OK) {
        candidate = shunt_predict_selected(selection, predict->op, &c.layout);
        if (candidate.present >> SHUNT_PARAM_COUNT != 0)
            code = shunt_tool_usage(predict->asker,
                                    "--sweep: %s has radices of single digits: give one for all, "
                                    "or none",
                                    selection->text);
    }
    if (code == SHUNT_EXIT_OK)
        code = sweep_case(&plot, &c, candidate);
    if (code == SHUNT_EXIT_OK)
        code = show(&plot);
    plot_clear(&plot);
    shunt_case_clear(&c);
    return code;
}

static int add_curve_points(struct plot *plot, const struct shunt_case *c)
{
    const struct shunt_predict *predict = plot->predict;
    int code = SHUNT_EXIT_OK;
    for (int i = 0; i < plot->count && code == SHUNT_EXIT_OK; i++) {
        const struct shunt_candidate candidate =
            shunt_predict_selected(&predict->chosen->selections[i], predict->op, &c->layout);
        code = add_point(plot, i, c->layout.ranks, c, &candidate);
    }
    return code;
}

int shunt_predict_curves(const struct shunt_predict *predict)
{
    struct plot plot = {.predict = predict, .across = "ranks"};
    const int points = predict->ranks.count > 1 ? predict->ranks.count : predict->nodes.count,
              lines = predict->chosen->selection_count;
    int code = plot_make(&plot, lines, points) ? SHUNT_EXIT_OK : no_memory();
    for (int i = 0; i < lines && code == SHUNT_EXIT_OK; i++)
        snprintf(plot.line[i].name, sizeof plot.line[i].name, "%s",
                 predict->chosen->selections[i].text);
    for (int i = 0; i < points && code == SHUNT_EXIT_OK; i++) {
        struct shunt_case c;
        shunt_progress_show("calls", (size_t)i, (size_t)points);
        code = shunt_case_make(&c, predict, i, 0);
        if (code == SHUNT_EXIT_OK)
            code = add_curve_points(&plot, &c);
        shunt_case_clear(&c);
    }
    shunt_progress_clear();
    if (code == SHUNT_EXIT_OK)
        code = show(&plot);
    plot_clear(&plot);
    return code;
}
