/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c: one algorithm over its radix, and algorithms over the number of ranks, as in
 * figure 5 of Hoefler and Moor. */
#include "tools/predict/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/words.h"
#include "tools/predict/plot.h"
#include "tools/predict/progress.h"
#include "tools/tool.h"

static double time_of(const struct shunt_cost *cost)
{
    return cost->time;
}
static double energy_of(const struct shunt_cost *cost)
{
    return cost->energy;
}
static double memory_of(const struct shunt_cost *cost)
{
    return (double)cost->memory;
}
static double descriptors_of(const struct shunt_cost *cost)
{
    return (double)cost->descriptors;
}
static double rounds_of(const struct shunt_cost *cost)
{
    return cost->rounds;
}
static double bytes_of(const struct shunt_cost *cost)
{
    return (double)cost->bytes;
}

static const struct shunt_measure of_radix[] = {{"time", SHUNT_TICK_SECONDS, time_of},
                                                {"energy", SHUNT_TICK_JOULES, energy_of},
                                                {"memory", SHUNT_TICK_BYTES, memory_of},
                                                {"rounds", SHUNT_TICK_NUMBERS, rounds_of},
                                                {"bytes sent", SHUNT_TICK_BYTES, bytes_of}};
static const struct shunt_measure of_ranks[] = {{"time", SHUNT_TICK_SECONDS, time_of},
                                                {"energy", SHUNT_TICK_JOULES, energy_of},
                                                {"descriptors", SHUNT_TICK_BYTES, descriptors_of}};

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

static void plot_clear(struct shunt_plot *plot)
{
    for (int i = 0; i < plot->count && plot->line; i++)
        free(plot->line[i].point);
    free(plot->line);
}

/* Room for so many lines of so many points. */
static bool plot_make(struct shunt_plot *plot, int lines, int points)
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
static int add_point(struct shunt_plot *plot, int line, int64_t at, const struct shunt_case *c,
                     const struct shunt_candidate *candidate)
{
    struct shunt_line *l = &plot->line[line];
    struct shunt_point *point = &l->point[l->count];
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

enum { WIDTH = 10 }; /* so that lines can be compared */

/* Over the ranks these are among the columns of every form. */
static bool is_over_radix(const struct shunt_plot *plot)
{
    return plot->predict->form == SHUNT_FORM_SWEEP;
}

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RANKS, .title = "ranks"},
    {.key = SHUNT_KEY_NODES, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PPN_MIN, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PPN_MAX, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_BLOCK, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_DISTRIBUTION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_ALGORITHM, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RADIX, .title = "radix"},
    {.key = SHUNT_KEY_TIME_S, .title = "time", .least = WIDTH, .digits = SHUNT_SIGNIFICANT(9)},
    {.key = SHUNT_KEY_SPEEDUP, .in = SHUNT_IN_NONE},
    {.key = SHUNT_KEY_ENERGY_J, .title = "energy", .least = WIDTH, .null = true},
    {.key = SHUNT_KEY_DYNAMIC_ENERGY_J, .null = true},
    {.key = SHUNT_KEY_MEMORY, .title = "memory", .least = WIDTH},
    {.key = SHUNT_KEY_DESCRIPTORS, .title = "descriptors"},
    {.key = SHUNT_KEY_MESSAGES, .title = "messages", .least = WIDTH},
    {.key = SHUNT_KEY_REMOTE_MESSAGES, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_BYTES, .title = "bytes", .least = WIDTH},
    {.key = SHUNT_KEY_REMOTE_BYTES, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_ROUNDS, .title = "rounds"},
    {.key = SHUNT_KEY_METHOD, .in = SHUNT_IN_JSON},
    {.key = SHUNT_KEY_SPEEDUP, .in = SHUNT_IN_NONE},
    {.key = SHUNT_KEY_MACHINE, .in = SHUNT_IN_CSV, .quoted = true},
};
enum { RANKS = 1, RADIX = SHUNT_PREDICT_PLACE + 1 };

static void put_point(struct shunt_sheet *sheet, const struct shunt_plot *plot, int line, int k)
{
    const struct shunt_point *point = &plot->line[line].point[k];
    struct shunt_field row[SHUNT_COUNT_OF(columns)],
        *at = shunt_predict_place_put(row, plot->predict, &point->place);
    *at++ = shunt_field_text(plot->line[line].name);
    *at++ = shunt_field_count(point->at);
    at = shunt_predict_cost_put(at, &point->cost, NULL);
    *at = shunt_field_text(plot->predict->machine.name);
    shunt_sheet_row(sheet, row);
}

static void put_points(struct shunt_sheet *sheet, const struct shunt_plot *plot, int line)
{
    for (int k = 0; k < plot->line[line].count; k++)
        put_point(sheet, plot, line, k);
}

/* In JSON and for people, each line has rows of its own. */
static int put_line(struct shunt_sheet *sheet, const struct shunt_plot *plot, int line)
{
    struct shunt_json *json = sheet->json;
    if (json) {
        shunt_json_line(json);
        shunt_json_object(json);
        shunt_json_put_string(json, SHUNT_KEY_CANDIDATE, plot->line[line].name);
    } else {
        printf("\n%s\n", plot->line[line].name);
    }
    shunt_sheet_begin(sheet);
    put_points(sheet, plot, line);
    const int code = shunt_sheet_end(sheet);
    if (json)
        shunt_json_close(json);
    return code;
}

static int put_lines(const struct shunt_plot *plot, struct shunt_json *json)
{
    struct shunt_column column[SHUNT_COUNT_OF(columns)];
    struct shunt_sheet sheet = SHUNT_SHEET(column, .form = shunt_predict_sheet_form(plot->predict),
                                           .json = json, .list = SHUNT_KEY_POINTS);
    int code = SHUNT_EXIT_OK;
    memcpy(column, columns, sizeof column);
    if (is_over_radix(plot))
        column[RANKS].in = SHUNT_IN_CSV;
    else
        column[RADIX].in = SHUNT_IN_NONE;
    if (sheet.form != SHUNT_SHEET_CSV) {
        for (int i = 0; i < plot->count && code == SHUNT_EXIT_OK; i++)
            code = put_line(&sheet, plot, i);
        return code;
    }
    shunt_sheet_begin(&sheet);
    for (int i = 0; i < plot->count; i++)
        put_points(&sheet, plot, i);
    return shunt_sheet_end(&sheet);
}

static int print_text(const struct shunt_plot *plot)
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
    return put_lines(plot, NULL);
}

static int print_json(const struct shunt_plot *plot)
{
    struct shunt_document document;
    struct shunt_json *json = shunt_predict_json_begin(&document, plot->predict);
    shunt_json_put_known(json, SHUNT_KEY_LEFT_OUT, plot->left);
    shunt_json_put_array(json, SHUNT_KEY_LINES);
    put_lines(plot, json);
    shunt_json_line(json);
    shunt_json_close(json);
    return shunt_document_end(&document);
}

/* An energy that nobody knows has no panel. */
static int draw(const struct shunt_plot *plot)
{
    struct shunt_measure known[sizeof of_radix / sizeof of_radix[0]];
    struct shunt_plot drawn = *plot;
    drawn.measures = 0;
    drawn.measure = known;
    for (int i = 0; i < plot->measures; i++)
        if (plot->measure[i].of != energy_of || shunt_predict_knows_energy(&plot->predict->machine))
            known[drawn.measures++] = plot->measure[i];
    return shunt_plot_draw(&drawn, plot->predict->svg);
}

static int show(const struct shunt_plot *plot)
{
    const struct shunt_predict *predict = plot->predict;
    int code = predict->svg ? draw(plot) : SHUNT_EXIT_OK;
    int points = 0;
    for (int i = 0; i < plot->count; i++)
        points += plot->line[i].count;
    if (plot->left > 0)
        shunt_tool_say("left out: %d of %d points, which cannot be served or have too many "
                       "messages",
                       plot->left, plot->left + points);
    if (code == SHUNT_EXIT_OK && predict->json)
        code = print_json(plot);
    else if (code == SHUNT_EXIT_OK && predict->csv)
        code = put_lines(plot, NULL);
    else if (code == SHUNT_EXIT_OK)
        code = print_text(plot);
    return code == SHUNT_EXIT_OK && points == 0 ? SHUNT_EXIT_FINDINGS : code;
}

/* All small ones, then steps of a sixteenth, and the last. */
static int64_t next_radix(int64_t radix, int64_t most)
{
    const int64_t next = radix < 64 ? radix + 1 : radix + radix / 16;
    return radix < most && next > most ? most : next;
}

static int sweep_case(struct shunt_plot *plot, const struct shunt_case *c,
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
    struct shunt_plot plot = {.predict = predict,
                              .across = "radix",
                              .measures = (int)(sizeof of_radix / sizeof of_radix[0]),
                              .measure = of_radix};
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

static int add_curve_points(struct shunt_plot *plot, const struct shunt_case *c)
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
    struct shunt_plot plot = {.predict = predict,
                              .across = "ranks",
                              .measures = (int)(sizeof of_ranks / sizeof of_ranks[0]),
                              .measure = of_ranks};
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
