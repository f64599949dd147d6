/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.c: see plot.h. */
#include "tools/predict/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/svg.h"
#include "tools/tool.h"

enum { LEFT = 96, TOP = 84, WIDTH = 460, HEIGHT = 170, GAP = 62, LEGEND = 70, LINE = 22 };

/* Of a letter of a label, on average. */
#define LETTER 7.4

/* From a number to a place; both ends are logarithms of 10. */
struct scale {
    double low, high, from, to;
};

static double place(const struct scale *scale, double value)
{
    return scale->from +
           (log10(value) - scale->low) / (scale->high - scale->low) * (scale->to - scale->from);
}

static void widen(struct scale *scale, double value)
{
    if (!(value > 0))
        return;
    const double exponent = log10(value);
    scale->low = exponent < scale->low ? exponent : scale->low;
    scale->high = exponent > scale->high ? exponent : scale->high;
}

/* An axis needs an extent, also where all values are the same or there is none. */
static void settle(struct scale *scale, double margin)
{
    if (scale->low > scale->high)
        scale->low = scale->high = 0;
    scale->low -= margin;
    scale->high += margin;
}

static void find_scales(const struct shunt_plot *plot, int measure, struct scale *x,
                        struct scale *y)
{
    for (int i = 0; i < plot->count; i++) {
        for (int k = 0; k < plot->line[i].count; k++) {
            widen(x, (double)plot->line[i].point[k].at);
            widen(y, plot->measure[measure].of(&plot->line[i].point[k].cost));
        }
    }
    settle(x, 0.03);
    settle(y, 0.12);
}

static void draw_rules(struct shunt_log_text *svg, const struct scale *scale,
                       enum shunt_tick_unit unit, bool upright, const struct scale *other)
{
    struct shunt_ticks ticks;
    shunt_ticks_make(&ticks, scale->low, scale->high, unit, fabs(scale->to - scale->from), upright);
    for (int i = 0; i < ticks.count; i++) {
        const double at = place(scale, ticks.tick[i].value);
        if (upright) {
            shunt_drawing_line(svg, other->from, at, other->to, at, "rule");
            shunt_drawing_text(svg, other->from - 8, at + 4, SHUNT_DRAWING_END, "small",
                               ticks.tick[i].label);
        } else {
            shunt_drawing_line(svg, at, other->from, at, other->to, "rule");
            shunt_drawing_text(svg, at, other->from + 16, SHUNT_DRAWING_MIDDLE, "small",
                               ticks.tick[i].label);
        }
    }
}

static void draw_line(struct shunt_log_text *svg, const struct shunt_plot *plot, int measure,
                      int line, const struct scale *x, const struct scale *y)
{
    const struct shunt_line *l = &plot->line[line];
    double *points = calloc((size_t)l->count + 1, 2 * sizeof *points);
    size_t count = 0;
    if (!points) {
        svg->cut = true;
        return;
    }
    for (int i = 0; i < l->count; i++) {
        const double value = plot->measure[measure].of(&l->point[i].cost);
        if (!(value > 0))
            continue;
        points[2 * count] = place(x, (double)l->point[i].at);
        points[2 * count + 1] = place(y, value);
        count++;
    }
    shunt_drawing_curve(svg, points, count, line + 1);
    free(points);
}

static void draw_panel(struct shunt_log_text *svg, const struct shunt_plot *plot, int measure)
{
    const double top = TOP + measure * (HEIGHT + GAP), bottom = top + HEIGHT;
    struct scale x = {.low = INFINITY, .high = -INFINITY, .from = LEFT, .to = LEFT + WIDTH},
                 y = {.low = INFINITY, .high = -INFINITY, .from = bottom, .to = top};
    find_scales(plot, measure, &x, &y);
    draw_rules(svg, &x, SHUNT_TICK_POWERS, false, &y);
    draw_rules(svg, &y, plot->measure[measure].unit, true, &x);
    shunt_drawing_line(svg, LEFT, top, LEFT, bottom, "frame");
    shunt_drawing_line(svg, LEFT, bottom, LEFT + WIDTH, bottom, "frame");
    for (int i = 0; i < plot->count; i++)
        draw_line(svg, plot, measure, i, &x, &y);
    shunt_drawing_upright(svg, 24, (top + bottom) / 2, "head", plot->measure[measure].name);
    shunt_drawing_text(svg, LEFT + WIDTH / 2.0, bottom + 34, SHUNT_DRAWING_MIDDLE, "head",
                       plot->across);
}

static void draw_legend(struct shunt_log_text *svg, const struct shunt_plot *plot)
{
    for (int i = 0; i < plot->count; i++) {
        shunt_drawing_box(svg, LEFT + WIDTH + 24, TOP + i * LINE, 14, 14, shunt_drawing_fill(i + 1),
                          NULL);
        shunt_drawing_text(svg, LEFT + WIDTH + 46, TOP + i * LINE + 12, SHUNT_DRAWING_START,
                           "label", plot->line[i].name);
    }
}

/* The legend takes what its longest name needs. */
static int legend_width(const struct shunt_plot *plot)
{
    size_t most = 16;
    for (int i = 0; i < plot->count; i++)
        most = strlen(plot->line[i].name) > most ? strlen(plot->line[i].name) : most;
    return LEGEND + (int)(LETTER * (double)most);
}

/* What the figures are about, but for what lies across. */
static void describe(const struct shunt_plot *plot, char *text, size_t capacity)
{
    const struct shunt_predict *predict = plot->predict;
    const struct shunt_place *place =
        plot->count > 0 && plot->line[0].count > 0 ? &plot->line[0].point[0].place : NULL;
    char call[64] = "", sizes[160] = "";
    if (place && predict->form == SHUNT_FORM_SWEEP)
        snprintf(call, sizeof call, ", %d rank%s on %d node%s", place->ranks,
                 shunt_tool_plural((uint64_t)place->ranks), place->nodes,
                 shunt_tool_plural((uint64_t)place->nodes));
    else if (predict->ppn > 0)
        snprintf(call, sizeof call, ", %d rank%s per node", predict->ppn,
                 shunt_tool_plural((uint64_t)predict->ppn));
    if (predict->counts)
        snprintf(sizes, sizeof sizes, ", sizes of %.100s", predict->counts);
    else
        snprintf(sizes, sizeof sizes, ", blocks of %s%" PRId64 " bytes%s%.64s",
                 predict->distribution ? "up to " : "",
                 predict->block.count > 0 ? predict->block.value[0] : 0,
                 predict->distribution ? ", " : "",
                 predict->distribution ? predict->distribution : "");
    snprintf(text, capacity, "predicted for %.64s%s%s", predict->machine.name, call, sizes);
}

static void draw(struct shunt_log_text *svg, const struct shunt_plot *plot)
{
    const int panels = plot->measures * (HEIGHT + GAP), legend = (plot->count + 1) * LINE;
    const struct shunt_predict *predict = plot->predict;
    char title[96], subtitle[320];
    snprintf(title, sizeof title, "MPI_%s: costs over the %s",
             predict->op == SHUNT_OP_ALLTOALL ? "Alltoall" : "Alltoallv", plot->across);
    describe(plot, subtitle, sizeof subtitle);
    shunt_drawing_begin_file(svg, LEFT + WIDTH + legend_width(plot),
                             TOP + (panels > legend ? panels : legend), title, subtitle);
    for (int i = 0; i < plot->measures; i++)
        draw_panel(svg, plot, i);
    draw_legend(svg, plot);
    shunt_drawing_end(svg);
}

int shunt_plot_draw(const struct shunt_plot *plot, const char *path)
{
    struct shunt_log_text svg = {.grows = true};
    draw(&svg, plot);
    return shunt_drawing_write(&svg, path);
}
