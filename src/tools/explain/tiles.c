/* SPDX-License-Identifier: BSD-3-Clause */
/* tiles.c: see tiles.h. */
#include "tools/explain/tiles.h"

#include <stdio.h>
#include <string.h>

#include "tools/svg.h"

enum { UPRIGHT = 44, TOP = 90, CELL_WIDTH = 58, CELL_HEIGHT = 28, LINE = 22, CHARACTER = 8 };

/* Where the boxes begin: behind the name of the axis and its longest label. */
static int left_of(const struct shunt_tiles *drawing)
{
    char text[SHUNT_TILES_TEXT];
    int longest = 0;
    for (int row = 0; row < drawing->rows; row++) {
        drawing->row(drawing->data, row, text);
        const int length = (int)strlen(text);
        longest = length > longest ? length : longest;
    }
    return UPRIGHT + CHARACTER * longest;
}

static void draw_boxes(struct shunt_log_text *svg, const struct shunt_tiles *drawing, int left)
{
    char hint[SHUNT_TILES_TEXT];
    for (int row = 0; row < drawing->rows; row++) {
        for (int column = 0; column < drawing->columns; column++) {
            const double x = left + column * CELL_WIDTH, y = TOP + row * CELL_HEIGHT;
            const int entry = drawing->box(drawing->data, row, column, hint);
            const char letter[] = {drawing->letter(drawing->data, entry), '\0'};
            shunt_drawing_box(svg, x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2,
                              shunt_drawing_fill(drawing->colour(drawing->data, entry)), hint);
            shunt_drawing_text(svg, x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0 + 4,
                               SHUNT_DRAWING_MIDDLE, "cell", letter);
        }
    }
}

static void draw_axes(struct shunt_log_text *svg, const struct shunt_tiles *drawing, int left)
{
    const double right = left + drawing->columns * CELL_WIDTH,
                 bottom = TOP + drawing->rows * CELL_HEIGHT;
    char text[SHUNT_TILES_TEXT];
    for (int column = 0; column < drawing->columns; column++) {
        drawing->column(drawing->data, column, text);
        shunt_drawing_text(svg, left + (column + 0.5) * CELL_WIDTH, bottom + 18,
                           SHUNT_DRAWING_MIDDLE, "label", text);
    }
    for (int row = 0; row < drawing->rows; row++) {
        drawing->row(drawing->data, row, text);
        shunt_drawing_text(svg, left - 8, TOP + (row + 0.5) * CELL_HEIGHT + 4, SHUNT_DRAWING_END,
                           "label", text);
    }
    shunt_drawing_line(svg, left, TOP, left, bottom, "frame");
    shunt_drawing_line(svg, left, bottom, right, bottom, "frame");
    shunt_drawing_text(svg, (left + right) / 2, bottom + 40, SHUNT_DRAWING_MIDDLE, "head",
                       drawing->across);
    shunt_drawing_upright(svg, 20, (TOP + bottom) / 2, "head", drawing->down);
}

/* "a  bruck:radix=4". */
static void legend_text(const struct shunt_tiles *drawing, int entry, char *text)
{
    char name[SHUNT_TILES_TEXT];
    drawing->entry(drawing->data, entry, name);
    snprintf(text, SHUNT_TILES_TEXT, "%c  %.*s", drawing->letter(drawing->data, entry),
             SHUNT_TILES_TEXT - 4, name);
}

static void draw_legend(struct shunt_log_text *svg, const struct shunt_tiles *drawing, double x)
{
    char text[SHUNT_TILES_TEXT];
    for (int i = 0; i < drawing->entries; i++) {
        shunt_drawing_box(svg, x, TOP + i * LINE, 14, 14,
                          shunt_drawing_fill(drawing->colour(drawing->data, i)), NULL);
        legend_text(drawing, i, text);
        shunt_drawing_text(svg, x + 22, TOP + i * LINE + 12, SHUNT_DRAWING_START, "label", text);
    }
}

/* As wide as its longest line. */
static int legend_width(const struct shunt_tiles *drawing)
{
    char text[SHUNT_TILES_TEXT];
    int longest = 0;
    for (int i = 0; i < drawing->entries; i++) {
        legend_text(drawing, i, text);
        const int length = (int)strlen(text);
        longest = length > longest ? length : longest;
    }
    return 40 + CHARACTER * longest;
}

static void draw(struct shunt_log_text *svg, const struct shunt_tiles *drawing)
{
    const int left = left_of(drawing), boxes = drawing->rows * CELL_HEIGHT,
              legend = drawing->entries * LINE, right = left + drawing->columns * CELL_WIDTH + 24,
              width = right + legend_width(drawing);
    shunt_drawing_begin_file(svg, width < 520 ? 520 : width,
                             TOP + (boxes > legend ? boxes : legend) + 60, drawing->title,
                             drawing->subtitle);
    draw_boxes(svg, drawing, left);
    draw_axes(svg, drawing, left);
    draw_legend(svg, drawing, right);
    shunt_drawing_end(svg);
}

int shunt_tiles_draw(const struct shunt_tiles *drawing, const char *path)
{
    struct shunt_log_text svg = {.grows = true};
    draw(&svg, drawing);
    return shunt_drawing_write(&svg, path);
}
