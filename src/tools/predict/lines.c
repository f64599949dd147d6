/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c: one algorithm over its radix, and algorithms over the number of ranks, as in
 * figure 5 of Hoefler and Moor. */
#include "tools/predict/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/predict/progress.h"
#include "tools/view/view.h"

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

enum { WIDTH = 10 }; /* so that lines can be compared */

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

static void put_point(struct shunt_sheet *sheet, const struct plot *plot, int line, int k)
{
    const struct point *point = &plot->line[line].point[k];
    struct shunt_field row[SHUNT_COUNT_OF(columns)],
        *at = shunt_predict_place_put(row, plot->predict, &point->place);
    *at++ = shunt_field_text(plot->line[line].name);
    *at++ = shunt_field_count(point->at);
    at = shunt_predict_cost_put(at, &point->cost, NULL);
    *at = shunt_field_text(plot->predict->machine.name);
    shunt_sheet_row(sheet, row);
}

static void put_points(struct shunt_sheet *sheet, const struct plot *plot, int line)
{
    for (int k = 0; k < plot->line[line].count; k++)
        put_point(sheet, plot, line, k);
}

/* In JSON and for people, each line has rows of its own. */
static int put_line(struct shunt_sheet *sheet, const struct plot *plot, int line)
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

static int put_rows(const struct plot *plot, struct shunt_json *json)
{
    struct shunt_column column[SHUNT_COUNT_OF(columns)];
    struct shunt_sheet sheet =
        SHUNT_SHEET(column, .form = shunt_predict_sheet_form(plot->predict, json), .json = json,
                    .list = SHUNT_KEY_POINTS);
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

static int print_text(const struct plot *plot)
{
    printf("%-10s %s", "call", shunt_op_name(plot->predict->op));
    if (is_over_radix(plot) && plot->line[0].count > 0)
        printf(", ranks %d, nodes %d", plot->line[0].point[0].place.ranks,
               plot->line[0].point[0].place.nodes);
    if (plot->predict->block.count > 0)
        printf(", block %" PRId64, plot->predict->block.value[0]);
    if (plot->predict->distribution)
        printf(", sizes %s", plot->predict->distribution);
    putchar('\n');
    shunt_tool_put_labelled("machine", plot->predict->machine.name);
    return put_rows(plot, NULL);
}

static void put_lines(struct shunt_json *json, const void *context)
{
    const struct plot *plot = context;
    shunt_json_put_known(json, SHUNT_KEY_LEFT_OUT, plot->left);
    shunt_json_put_array(json, SHUNT_KEY_LINES);
    put_rows(plot, json);
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
    if (code != SHUNT_EXIT_OK || shunt_view_alone(predict->html))
        return code == SHUNT_EXIT_OK && points == 0 ? SHUNT_EXIT_FINDINGS : code;
    if (predict->json)
        code = shunt_predict_json(predict, put_lines, plot);
    else if (predict->csv)
        code = put_rows(plot, NULL);
    else
        code = print_text(plot);
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
