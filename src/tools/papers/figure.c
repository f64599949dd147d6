/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.c: see figure.h; bars of parts, and maps. */
#include "tools/papers/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/explain/tiles.h"
#include "tools/svg.h"
#include "tools/tool.h"

enum { LEFT = 250, TOP = 78, WIDTH = 560, BAR = 26, GAP = 14, KEYS = 8 };

static double number(const struct papers_rows *rows, size_t row, const char *name)
{
    return strtod(papers_rows_get(rows, row, name), NULL);
}

/* The longest bar: the sum of the parts of a series. */
static double longest(const struct papers_rows *rows, const struct papers_words *series)
{
    double sum[PAPERS_WORDS_MOST] = {0}, most = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const int s = papers_words_place(series, papers_rows_get(rows, i, "series"));
        if (s >= 0)
            sum[s] += number(rows, i, "y");
    }
    for (int s = 0; s < series->count; s++)
        most = sum[s] > most ? sum[s] : most;
    return most > 0 ? most : 1;
}

static void draw_bars(struct shunt_log_text *svg, const struct papers_rows *rows,
                      const struct papers_words *series, const struct papers_words *parts)
{
    const double scale = WIDTH / longest(rows, series);
    double end[PAPERS_WORDS_MOST] = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const int s = papers_words_place(series, papers_rows_get(rows, i, "series")),
                  p = papers_words_place(parts, papers_rows_get(rows, i, "part"));
        if (s < 0 || p < 0)
            continue;
        const double width = scale * number(rows, i, "y");
        char hint[128];
        snprintf(hint, sizeof hint, "%s: %s us", parts->word[p], papers_rows_get(rows, i, "y"));
        shunt_drawing_box(svg, LEFT + end[s], TOP + s * (BAR + GAP), width, BAR,
                          shunt_drawing_fill(p + 1), hint);
        end[s] += width;
    }
    for (int s = 0; s < series->count; s++) {
        const double middle = TOP + s * (BAR + GAP) + BAR / 2.0 + 4;
        char total[48];
        snprintf(total, sizeof total, "%.0f us", end[s] / scale);
        shunt_drawing_text(svg, LEFT - 10, middle, SHUNT_DRAWING_END, "label", series->word[s]);
        shunt_drawing_text(svg, LEFT + end[s] + 8, middle, SHUNT_DRAWING_START, "small", total);
    }
}

static int draw_parts(const struct papers_figure *figure, const struct papers_rows *rows,
                      const char *path)
{
    struct shunt_log_text svg = {.grows = true};
    struct papers_words series, parts;
    papers_words_find(&series, rows, "series");
    papers_words_find(&parts, rows, "part");
    const int bottom = TOP + series.count * (BAR + GAP) + 16;
    shunt_drawing_begin_file(&svg, LEFT + WIDTH + 90, bottom + 36, figure->title, figure->subtitle);
    shunt_drawing_line(&svg, LEFT, TOP - 8, LEFT, bottom - 16, "frame");
    draw_bars(&svg, rows, &series, &parts);
    for (int p = 0; p < parts.count; p++) {
        const int x = 20 + p * ((LEFT + WIDTH + 60) / KEYS);
        shunt_drawing_box(&svg, x, bottom, 14, 14, shunt_drawing_fill(p + 1), NULL);
        shunt_drawing_text(&svg, x + 20, bottom + 12, SHUNT_DRAWING_START, "label", parts.word[p]);
    }
    shunt_drawing_end(&svg);
    return shunt_drawing_write(&svg, path);
}

struct map {
    const struct papers_rows *rows;
    struct papers_words across, down, entries;
};

/* The number in "radix 8" or "8"; 0 where there is none. */
static double number_in(const char *word)
{
    const char *digits = strpbrk(word, "0123456789");
    return digits ? strtod(digits, NULL) : 0;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = number_in(*(const char *const *)a), y = number_in(*(const char *const *)b);
    return (x > y) - (x < y);
}

static void column_name(const void *data, int column, char *text)
{
    const struct map *map = data;
    snprintf(text, SHUNT_TILES_TEXT, "%s", map->across.word[column]);
}

static void row_name(const void *data, int row, char *text)
{
    const struct map *map = data;
    snprintf(text, SHUNT_TILES_TEXT, "%s", map->down.word[row]);
}

static void entry_name(const void *data, int entry, char *text)
{
    const struct map *map = data;
    snprintf(text, SHUNT_TILES_TEXT, "%s",
             entry < map->entries.count ? map->entries.word[entry] : "not known");
}

static int entry_colour(const void *data, int entry)
{
    const struct map *map = data;
    return entry < map->entries.count ? entry + 1 : 0;
}

static char entry_letter(const void *data, int entry)
{
    const struct map *map = data;
    return entry < map->entries.count ? (char)('A' + entry) : ' ';
}

static int box_entry(const void *data, int row, int column, char *text)
{
    const struct map *map = data;
    for (size_t i = 0; i < map->rows->count; i++) {
        if (strcmp(papers_rows_get(map->rows, i, "x"), map->across.word[column]) != 0 ||
            strcmp(papers_rows_get(map->rows, i, "y"), map->down.word[row]) != 0)
            continue;
        snprintf(text, SHUNT_TILES_TEXT, "%s ranks, %s bytes: %s, %s", map->across.word[column],
                 map->down.word[row], papers_rows_get(map->rows, i, "entry"),
                 papers_rows_get(map->rows, i, "hint"));
        return papers_words_place(&map->entries, papers_rows_get(map->rows, i, "entry"));
    }
    snprintf(text, SHUNT_TILES_TEXT, "not known");
    return map->entries.count;
}

/* Entries that are numbers, as radices are, stand in their order. */
static int draw_map(const struct papers_figure *figure, const struct papers_rows *rows,
                    const char *path)
{
    struct map map = {.rows = rows};
    papers_words_find(&map.across, rows, "x");
    papers_words_find(&map.down, rows, "y");
    papers_words_find(&map.entries, rows, "entry");
    qsort(map.across.word, (size_t)map.across.count, sizeof *map.across.word, compare_numbers);
    qsort(map.down.word, (size_t)map.down.count, sizeof *map.down.word, compare_numbers);
    if (strcmp(figure->kind, "radixmap") == 0)
        qsort(map.entries.word, (size_t)map.entries.count, sizeof *map.entries.word,
              compare_numbers);
    const struct shunt_tiles tiles = {.title = figure->title,
                                      .subtitle = figure->subtitle,
                                      .across = "ranks",
                                      .down = "bytes of a block",
                                      .columns = map.across.count,
                                      .rows = map.down.count,
                                      .entries = map.entries.count,
                                      .data = &map,
                                      .column = column_name,
                                      .row = row_name,
                                      .box = box_entry,
                                      .entry = entry_name,
                                      .colour = entry_colour,
                                      .letter = entry_letter};
    return shunt_tiles_draw(&tiles, path);
}

int papers_figure_draw(const struct papers_figure *figure, const struct papers_rows *rows,
                       const char *path)
{
    if (strcmp(figure->kind, "parts") == 0)
        return draw_parts(figure, rows, path);
    if (strstr(figure->kind, "map"))
        return draw_map(figure, rows, path);
    return papers_plot_draw(figure, rows, path);
}
