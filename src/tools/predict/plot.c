/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.c: see plot.h. */
#include "tools/predict/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/predict/svg.h"
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

/* Powers of ten, or 1, 2 and 5 of each where those are few. */
static void draw_rules(FILE *file, const struct scale *scale, bool upright,
                       const struct scale *other)
{
    const double steps[] = {1, 2, 5};
    const int count = scale->high - scale->low < 2 ? 3 : 1;
    char text[32];
    for (int power = (int)floor(scale->low); power <= scale->high; power++) {
        for (int i = 0; i < count; i++) {
            const double value = steps[i] * pow(10, power), at = place(scale, value);
            if (log10(value) < scale->low || log10(value) > scale->high)
                continue;
            snprintf(text, sizeof text, value >= 1 && value < 1e6 ? "%.0f" : "%.0e", value);
            if (upright) {
                shunt_svg_rule(file, other->from, at, other->to, at, false);
                shunt_svg_text(file, other->from - 8, at + 4, SHUNT_ANCHOR_END, "small", text);
            } else {
                shunt_svg_rule(file, at, other->from, at, other->to, false);
                shunt_svg_text(file, at, other->from + 16, SHUNT_ANCHOR_MIDDLE, "small", text);
            }
        }
    }
}

static bool draw_line(FILE *file, const struct shunt_plot *plot, int measure, int line,
                      const struct scale *x, const struct scale *y)
{
    const struct shunt_line *l = &plot->line[line];
    double *points = calloc((size_t)l->count + 1, 2 * sizeof *points);
    size_t count = 0;
    if (!points)
        return false;
    for (int i = 0; i < l->count; i++) {
        const double value = plot->measure[measure].of(&l->point[i].cost);
        if (!(value > 0))
            continue;
        points[2 * count] = place(x, (double)l->point[i].at);
        points[2 * count + 1] = place(y, value);
        count++;
    }
    shunt_svg_curve(file, points, count, line + 1);
    free(points);
    return true;
}

static bool draw_panel(FILE *file, const struct shunt_plot *plot, int measure)
{
    const double top = TOP + measure * (HEIGHT + GAP), bottom = top + HEIGHT;
    struct scale x = {.low = INFINITY, .high = -INFINITY, .from = LEFT, .to = LEFT + WIDTH},
                 y = {.low = INFINITY, .high = -INFINITY, .from = bottom, .to = top};
    bool drawn = true;
    find_scales(plot, measure, &x, &y);
    draw_rules(file, &x, false, &y);
    draw_rules(file, &y, true, &x);
    shunt_svg_rule(file, LEFT, top, LEFT, bottom, true);
    shunt_svg_rule(file, LEFT, bottom, LEFT + WIDTH, bottom, true);
    for (int i = 0; i < plot->count && drawn; i++)
        drawn = draw_line(file, plot, measure, i, &x, &y);
    shunt_svg_upright(file, 24, (top + bottom) / 2, "head", plot->measure[measure].name);
    shunt_svg_text(file, LEFT + WIDTH / 2.0, bottom + 34, SHUNT_ANCHOR_MIDDLE, "head",
                   plot->across);
    return drawn;
}

static void draw_legend(FILE *file, const struct shunt_plot *plot)
{
    for (int i = 0; i < plot->count; i++) {
        shunt_svg_box(file, LEFT + WIDTH + 24, TOP + i * LINE, 14, 14, i + 1, NULL);
        shunt_svg_text(file, LEFT + WIDTH + 46, TOP + i * LINE + 12, SHUNT_ANCHOR_START, "label",
                       plot->line[i].name);
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

static bool draw(FILE *file, const struct shunt_plot *plot)
{
    const int panels = plot->measures * (HEIGHT + GAP), legend = (plot->count + 1) * LINE;
    const struct shunt_predict *predict = plot->predict;
    char title[96], subtitle[320];
    bool drawn = true;
    snprintf(title, sizeof title, "MPI_%s: costs over the %s",
             predict->op == SHUNT_OP_ALLTOALL ? "Alltoall" : "Alltoallv", plot->across);
    describe(plot, subtitle, sizeof subtitle);
    shunt_svg_begin(file, LEFT + WIDTH + legend_width(plot),
                    TOP + (panels > legend ? panels : legend), title, subtitle);
    for (int i = 0; i < plot->measures && drawn; i++)
        drawn = draw_panel(file, plot, i);
    draw_legend(file, plot);
    shunt_svg_end(file);
    return drawn;
}

int shunt_plot_draw(const struct shunt_plot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    const bool drawn = !file || draw(file, plot);
    const int code = shunt_predict_close(file, path);
    if (drawn)
        return code;
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}
