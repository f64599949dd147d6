/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.c: lines, and boxes of what all settings reach, over ranks, radix or block; both axes are
 * logarithmic. */
#include "tools/papers/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/axis.h"
#include "tools/svg.h"
#include "tools/tool.h"

enum { LEFT = 92, TOP = 78, WIDTH = 520, HEIGHT = 300, BOTTOM = 60, LINE = 22 };

/* Of a letter of a label, on average. */
#define LETTER 7.4

struct plot {
    const struct papers_figure *figure;
    const struct papers_rows *rows;
    struct papers_words series, across;
    struct shunt_drawing_axis x, y;
};

static double number(const struct plot *plot, size_t row, const char *name)
{
    return strtod(papers_rows_get(plot->rows, row, name), NULL);
}

static void find_scales(struct plot *plot)
{
    const double across = strcmp(plot->figure->kind, "boxes") == 0 ? 0.15 : 0.03;
    plot->x = (struct shunt_drawing_axis){
        .low = INFINITY,
        .high = -INFINITY,
        .from = LEFT,
        .to = LEFT + WIDTH,
        .unit = strcmp(plot->figure->across, "block") == 0 ? SHUNT_TICK_BYTES : SHUNT_TICK_POWERS};
    plot->y = (struct shunt_drawing_axis){.low = INFINITY,
                                          .high = -INFINITY,
                                          .from = TOP + HEIGHT,
                                          .to = TOP,
                                          .unit = SHUNT_TICK_SECONDS,
                                          .upright = true};
    for (size_t i = 0; i < plot->rows->count; i++) {
        shunt_drawing_axis_widen(&plot->x, number(plot, i, "x"));
        shunt_drawing_axis_widen(&plot->y, number(plot, i, "y") * 1e-6);
    }
    struct shunt_drawing_axis *const both[] = {&plot->x, &plot->y};
    for (int k = 0; k < 2; k++) {
        if (both[k]->low > both[k]->high)
            both[k]->low = both[k]->high = 0;
        both[k]->low -= k == 0 ? across : 0.1;
        both[k]->high += k == 0 ? across : 0.1;
    }
}

/* Rows of a series stand in the order of x. */
static void draw_line(struct shunt_log_text *svg, const struct plot *plot, int series)
{
    double *points = calloc(plot->rows->count + 1, 2 * sizeof *points);
    size_t count = 0;
    if (!points) {
        svg->cut = true;
        return;
    }
    for (size_t i = 0; i < plot->rows->count; i++) {
        const double x = number(plot, i, "x"), y = number(plot, i, "y") * 1e-6;
        if (strcmp(papers_rows_get(plot->rows, i, "series"), plot->series.word[series]) != 0 ||
            !(x > 0) || !(y > 0))
            continue;
        points[2 * count] = shunt_drawing_axis_place(&plot->x, x);
        points[2 * count + 1] = shunt_drawing_axis_place(&plot->y, y);
        count++;
    }
    shunt_drawing_curve(svg, points, count, series + 1);
    free(points);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values; between two of them in proportion. */
static double quantile(const double *value, size_t count, double part)
{
    const double at = part * (double)(count - 1);
    const size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return value[low] + (at - (double)low) * (value[high] - value[low]);
}

/* One box: the quarters between the least and the most. A single value is a line. */
static void draw_box(struct shunt_log_text *svg, const struct plot *plot, int series, double x,
                     const double *value, size_t count)
{
    const double width = 30.0 / plot->series.count,
                 left = shunt_drawing_axis_place(&plot->x, x) +
                        (series - plot->series.count / 2.0) * (width + 2),
                 middle = left + width / 2;
    double at[5];
    char hint[160];
    for (int k = 0; k < 5; k++)
        at[k] = shunt_drawing_axis_place(&plot->y, quantile(value, count, k / 4.0) * 1e-6);
    snprintf(hint, sizeof hint, "%.60s: %zu settings, %.4g to %.4g us, median %.4g us",
             plot->series.word[series], count, value[0], value[count - 1],
             quantile(value, count, 0.5));
    shunt_drawing_line(svg, middle, at[0], middle, at[4], "frame");
    shunt_drawing_box(svg, left, at[3], width, fmax(at[1] - at[3], 2),
                      shunt_drawing_fill(series + 1), hint);
    shunt_drawing_line(svg, left, at[2], left + width, at[2], "frame");
}

static void draw_boxes(struct shunt_log_text *svg, const struct plot *plot)
{
    double *value = calloc(plot->rows->count + 1, sizeof *value);
    if (!value) {
        svg->cut = true;
        return;
    }
    for (int s = 0; s < plot->series.count; s++) {
        for (int k = 0; k < plot->across.count; k++) {
            size_t count = 0;
            for (size_t i = 0; i < plot->rows->count; i++)
                if (strcmp(papers_rows_get(plot->rows, i, "series"), plot->series.word[s]) == 0 &&
                    strcmp(papers_rows_get(plot->rows, i, "x"), plot->across.word[k]) == 0)
                    value[count++] = number(plot, i, "y");
            if (count == 0)
                continue;
            qsort(value, count, sizeof *value, compare);
            draw_box(svg, plot, s, strtod(plot->across.word[k], NULL), value, count);
        }
    }
    free(value);
}

static void draw_legend(struct shunt_log_text *svg, const struct plot *plot)
{
    for (int i = 0; i < plot->series.count; i++) {
        shunt_drawing_box(svg, LEFT + WIDTH + 20, TOP + i * LINE, 14, 14, shunt_drawing_fill(i + 1),
                          NULL);
        shunt_drawing_text(svg, LEFT + WIDTH + 40, TOP + i * LINE + 12, SHUNT_DRAWING_START,
                           "label", plot->series.word[i]);
    }
}

/* The legend takes what its longest name needs. */
static int whole_width(const struct plot *plot)
{
    size_t most = 14;
    for (int i = 0; i < plot->series.count; i++)
        most = strlen(plot->series.word[i]) > most ? strlen(plot->series.word[i]) : most;
    return LEFT + WIDTH + 56 + (int)(LETTER * (double)most);
}

int papers_plot_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                     const char *path)
{
    struct shunt_log_text svg = {.grows = true};
    struct plot plot = {.figure = figure, .rows = rows};
    papers_words_find(&plot.series, rows, "series");
    papers_words_find(&plot.across, rows, "x");
    find_scales(&plot);
    shunt_drawing_begin_file(&svg, whole_width(&plot), TOP + HEIGHT + BOTTOM, figure->title,
                             figure->subtitle);
    shunt_drawing_axis_draw(&svg, &plot.x, TOP + HEIGHT, TOP);
    shunt_drawing_axis_draw(&svg, &plot.y, LEFT, LEFT + WIDTH);
    if (strcmp(figure->kind, "boxes") == 0)
        draw_boxes(&svg, &plot);
    else
        for (int i = 0; i < plot.series.count; i++)
            draw_line(&svg, &plot, i);
    shunt_drawing_upright(&svg, 22, TOP + HEIGHT / 2.0, "head", figure->upwards);
    shunt_drawing_text(&svg, LEFT + WIDTH / 2.0, TOP + HEIGHT + 40, SHUNT_DRAWING_MIDDLE, "head",
                       figure->across);
    draw_legend(&svg, &plot);
    shunt_drawing_end(&svg);
    return shunt_drawing_write(&svg, path);
}
