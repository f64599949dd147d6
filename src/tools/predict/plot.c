/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.c: see plot.h. */
#include "tools/predict/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/axis.h"
#include "tools/svg.h"
#include "tools/tool.h"

enum { LEFT = 96, TOP = 84, WIDTH = 460, HEIGHT = 170, GAP = 62, LEGEND = 70, LINE = 22 };

/* Of a letter of a label, on average. */
#define LETTER 7.4

/* An axis needs an extent, also where all values are the same or there is none. */
static void settle(struct shunt_drawing_axis *scale, double margin)
{
    if (scale->low > scale->high)
        scale->low = scale->high = 0;
    scale->low -= margin;
    scale->high += margin;
}

static void find_scales(const struct shunt_plot *plot, int measure, struct shunt_drawing_axis *x,
                        struct shunt_drawing_axis *y)
{
    for (int i = 0; i < plot->count; i++) {
        for (int k = 0; k < plot->line[i].count; k++) {
            shunt_drawing_axis_widen(x, (double)plot->line[i].point[k].at);
            shunt_drawing_axis_widen(y, plot->measure[measure].of(&plot->line[i].point[k].cost));
        }
    }
    settle(x, 0.03);
    settle(y, 0.12);
}

static int colour_of(const struct shunt_line *line, int index)
{
    return strcmp(line->name, "native") == 0 ? SHUNT_DRAWING_NATIVE : index + 1;
}

static void draw_line(struct shunt_log_text *svg, const struct shunt_plot *plot, int measure,
                      int line, const struct shunt_drawing_axis *x,
                      const struct shunt_drawing_axis *y)
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
        points[2 * count] = shunt_drawing_axis_place(x, (double)l->point[i].at);
        points[2 * count + 1] = shunt_drawing_axis_place(y, value);
        count++;
    }
    shunt_drawing_curve(svg, points, count, colour_of(l, line));
    free(points);
}

static void draw_panel(struct shunt_log_text *svg, const struct shunt_plot *plot, int measure)
{
    const double top = TOP + measure * (HEIGHT + GAP), bottom = top + HEIGHT;
    struct shunt_drawing_axis x = {.low = INFINITY,
                                   .high = -INFINITY,
                                   .from = LEFT,
                                   .to = LEFT + WIDTH,
                                   .unit = SHUNT_TICK_POWERS,
                                   .name = plot->across},
                              y = {.low = INFINITY,
                                   .high = -INFINITY,
                                   .from = bottom,
                                   .to = top,
                                   .unit = plot->measure[measure].unit,
                                   .upright = true};
    find_scales(plot, measure, &x, &y);
    shunt_drawing_axis_draw(svg, &x, bottom, top);
    shunt_drawing_axis_draw(svg, &y, LEFT, LEFT + WIDTH);
    for (int i = 0; i < plot->count; i++)
        draw_line(svg, plot, measure, i, &x, &y);
    shunt_drawing_upright(svg, 24, (top + bottom) / 2, "head", plot->measure[measure].name);
}

static void draw_legend(struct shunt_log_text *svg, const struct shunt_plot *plot)
{
    for (int i = 0; i < plot->count; i++) {
        shunt_drawing_box(svg, LEFT + WIDTH + 24, TOP + i * LINE, 14, 14,
                          shunt_drawing_fill(colour_of(&plot->line[i], i)), NULL);
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
