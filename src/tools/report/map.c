/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c: what the table says for the shapes of the run and every block size, and on it the calls
 * that there were. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/report/sections.h"

enum { WIDTH = 820, LEFT = 110, RIGHT = 20, TOP = 12, ROW = 46, BOTTOM = 40 };
enum { SHAPES = 16, COLOURS = SHUNT_DRAWING_COLOURS - 1, ALGORITHMS = 64 };

/* Classes of the discs. */
#define ROUTED "disc f5"
#define NATIVE "disc f0"
_Static_assert(SHUNT_DRAWING_ROUTED == 5 && SHUNT_DRAWING_NATIVE == 0, "colours of calls");

struct map {
    const struct shunt_report *report;
    enum shunt_op op;
    int shape[SHAPES]; /* places of those that took the longest */
    int count;
    double seconds; /* of the operation */
    int classes;    /* of sizes: the width */
    /* In the order in which they come, over both operations. */
    const char **algorithm; /* array of ALGORITHMS */
    int *algorithms;
};

/* The place of an algorithm in the legend; native is 0. */
static int letter_of(const struct map *map, const char *name)
{
    for (int i = 0; i < *map->algorithms; i++)
        if (strcmp(map->algorithm[i], name) == 0)
            return i;
    if (*map->algorithms == ALGORITHMS)
        return 0;
    map->algorithm[*map->algorithms] = name;
    return (*map->algorithms)++;
}

/* Algorithms have not the colour of routed calls, for these lie on them. */
static int colour_of(int letter)
{
    const int colour = letter == 0 ? SHUNT_DRAWING_NATIVE : 1 + (letter - 1) % (COLOURS - 1);
    return colour + (letter > 0 && colour >= SHUNT_DRAWING_ROUTED);
}

/* "a" to "z", then "a1" and so on. */
static void letter_print(int letter, char text[3])
{
    text[0] = (char)('a' + letter % 26);
    text[1] = (char)(letter < 26 ? '\0' : '0' + letter / 26);
    text[2] = '\0';
}

/* A size to a place: 0 bytes, then powers of two. */
static double place(const struct map *map, double bytes)
{
    const double step = (double)(WIDTH - LEFT - RIGHT) / map->classes;
    const double at = bytes < 1 ? 0 : 1 + log2(bytes);
    return LEFT + step * (at < map->classes ? at : map->classes);
}

static double seconds_of(const struct map *map, int shape)
{
    double seconds = 0;
    for (uint32_t i = 0; i < map->report->calls.count; i++) {
        const struct shunt_report_row *row = &map->report->calls.rows[i];
        if (row->op == map->op && (int)row->shape == shape)
            seconds += row->cell.seconds;
    }
    return seconds;
}

/* Those with the longest times. */
static void choose_shapes(struct map *map)
{
    double kept[SHAPES];
    map->count = 0;
    map->seconds = 0;
    for (uint32_t i = 0; i < map->report->calls.shape_count; i++) {
        const double seconds = seconds_of(map, (int)i);
        int at = map->count;
        map->seconds += seconds;
        if (!(seconds > 0) || !map->report->calls.shapes[i].placed)
            continue;
        while (at > 0 && seconds > kept[at - 1])
            at--;
        if (at == SHAPES)
            continue;
        map->count += map->count < SHAPES;
        memmove(&kept[at + 1], &kept[at], (size_t)(map->count - at - 1) * sizeof kept[0]);
        memmove(&map->shape[at + 1], &map->shape[at],
                (size_t)(map->count - at - 1) * sizeof map->shape[0]);
        kept[at] = seconds;
        map->shape[at] = (int)i;
    }
}

/* As far as calls go, and the borders of the table near them. */
static void choose_width(struct map *map)
{
    int most = 12;
    for (uint32_t i = 0; i < map->report->calls.count; i++) {
        const struct shunt_report_row *row = &map->report->calls.rows[i];
        most = row->op == map->op && row->cell.key.size > most ? row->cell.key.size : most;
    }
    const int seen = most;
    for (int k = 0; k < map->count; k++) {
        const struct shunt_report_shape *shape = &map->report->calls.shapes[map->shape[k]];
        if (!shape->used_mapped[map->op])
            continue;
        for (size_t i = 0; i < shape->used[map->op].count; i++) {
            const int class = shunt_log_class(shape->used[map->op].from[i]);
            most = class > most && class <= seen + 6 ? class : most;
        }
    }
    map->classes = most + 2;
}

static void put_decision(struct shunt_log_text *text, const struct map *map,
                         const struct shunt_map *decisions, size_t entry, double y)
{
    const struct shunt_decision *decision = &decisions->decisions[entry];
    const int64_t from = decisions->from[entry];
    const bool last = entry + 1 == decisions->count;
    const double x = place(map, (double)from),
                 end = last ? WIDTH - RIGHT : place(map, (double)decisions->from[entry + 1]);
    const int letter = letter_of(map, decision->algorithm->name);
    char hint[768], params[256], size[32], to[32] = "", name[3];
    if (end - x < 0.05)
        return;
    shunt_params_print(decision->algorithm, &decision->params, params, sizeof params);
    shunt_bytes_print((uint64_t)from, size, sizeof size);
    if (!last)
        shunt_bytes_print((uint64_t)decisions->from[entry + 1] - 1, to, sizeof to);
    snprintf(hint, sizeof hint, "%s %s %s: %s %s%s%s", size, last ? "and more" : "to", to,
             decision->algorithm->name, params, decision->rule ? ", rule of line " : "", "");
    if (decision->rule)
        snprintf(hint + strlen(hint), sizeof hint - strlen(hint), "%d \"%.100s\"",
                 decision->rule->line, shunt_table_string(decision->table, decision->rule->id));
    shunt_drawing_box(text, x, y, end - x, ROW - 4, shunt_drawing_fill(colour_of(letter)), hint);
    letter_print(letter, name);
    if (end - x > 12)
        shunt_drawing_text(text, x + 6, y + 14, SHUNT_DRAWING_START, "cell", name);
}

/* Calls of a shape by size; half as routed, half as native ones. */
struct dots {
    double seconds[66][2];
    uint64_t calls[66][2];
};

static void put_dot(struct shunt_log_text *text, const struct map *map, const struct dots *dots,
                    int class, int routed, double y)
{
    const double from = class == 0 ? 0 : (double)shunt_log_class_from(class);
    const double x = class == 0 ? (place(map, 0) + place(map, 1)) / 2
                                : (place(map, from) + place(map, 2 * from)) / 2;
    const double share = map->seconds > 0 ? dots->seconds[class][routed] / map->seconds : 0;
    char hint[192], size[32], to[32], seconds[48];
    struct shunt_log_text words = {.bytes = seconds, .capacity = sizeof seconds - 1};
    if (dots->calls[class][routed] == 0)
        return;
    shunt_log_text_seconds(&words, dots->seconds[class][routed]);
    seconds[words.used] = '\0';
    shunt_bytes_print((uint64_t)shunt_log_class_from(class), size, sizeof size);
    shunt_bytes_print((uint64_t)shunt_log_class_to(class), to, sizeof to);
    snprintf(hint, sizeof hint, "%s to %s: %llu %s calls, %s", size, to,
             (unsigned long long)dots->calls[class][routed], routed ? "routed" : "native", seconds);
    shunt_drawing_disc(text, x, y + (ROW - 4) * (routed ? 0.62 : 0.38), 3 + 11 * sqrt(share),
                       routed ? ROUTED : NATIVE, hint);
}

static void put_dots(struct shunt_log_text *text, const struct map *map, int shape, double y)
{
    struct dots dots = {0};
    for (uint32_t i = 0; i < map->report->calls.count; i++) {
        const struct shunt_report_row *row = &map->report->calls.rows[i];
        const int class = row->cell.key.size;
        if (row->op != map->op || (int)row->shape != shape || class < 0)
            continue;
        dots.seconds[class][shunt_report_row_routed(row)] += row->cell.seconds;
        dots.calls[class][shunt_report_row_routed(row)] += row->cell.calls;
    }
    for (int class = 0; class < 66; class ++)
        for (int routed = 0; routed < 2; routed++)
            put_dot(text, map, &dots, class, routed, y);
}

static void put_shape(struct shunt_log_text *text, const struct map *map, int line)
{
    const struct shunt_report_shape *shape = &map->report->calls.shapes[map->shape[line]];
    const double y = TOP + line * ROW;
    char label[96];
    snprintf(label, sizeof label, "%d ranks", shape->ranks);
    shunt_drawing_text(text, LEFT - 10, y + 18, SHUNT_DRAWING_END, "label", label);
    if (shape->nodes == 1)
        snprintf(label, sizeof label, "on one node");
    else
        snprintf(label, sizeof label, "on %d nodes", shape->nodes);
    shunt_drawing_text(text, LEFT - 10, y + 34, SHUNT_DRAWING_END, "small", label);
    if (shape->used_mapped[map->op])
        for (size_t i = 0; i < shape->used[map->op].count; i++)
            put_decision(text, map, &shape->used[map->op], i, y);
    else
        shunt_drawing_box(text, LEFT, y, WIDTH - LEFT - RIGHT, ROW - 4, "ground", NULL);
    put_dots(text, map, map->shape[line], y);
}

static void put_sizes(struct shunt_log_text *text, const struct map *map, double bottom)
{
    const int every = map->classes > 24 ? 3 : map->classes > 14 ? 2 : 1;
    char size[32];
    for (int class = 0; class < map->classes; class += class == 0 ? 1 : every) {
        const double bytes = class == 0 ? 0 : (double)shunt_log_class_from(class);
        const double x = place(map, bytes);
        shunt_drawing_line(text, x, bottom, x, bottom + 5, "frame");
        shunt_size_print((int64_t)bytes, size, sizeof size);
        shunt_drawing_text(text, x, bottom + 18, SHUNT_DRAWING_MIDDLE, "small", size);
    }
    shunt_drawing_line(text, LEFT, bottom, WIDTH - RIGHT, bottom, "frame");
    shunt_drawing_text(text, (LEFT + WIDTH - RIGHT) / 2.0, bottom + 34, SHUNT_DRAWING_MIDDLE,
                       "head", "bytes of the largest block");
}

static void put_map(struct shunt_log_text *text, const struct map *map)
{
    const double bottom = TOP + map->count * ROW;
    char id[32], title[96];
    snprintf(id, sizeof id, "p-table-%s", shunt_op_name(map->op));
    snprintf(title, sizeof title, "The table for %s, and its calls", shunt_op_name(map->op));
    shunt_log_text_string(text, "<h3>");
    shunt_drawing_escape(text, title);
    shunt_log_text_string(text, "</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                                "aria-label=\"");
    shunt_drawing_escape(text, title);
    shunt_log_text_string(text, "\">\n");
    shunt_drawing_begin(text, WIDTH, (int)bottom + BOTTOM, id, title,
                        "A line for each number of ranks and nodes; from left to right larger "
                        "blocks. Boxes are the algorithms of the table, discs the calls.");
    for (int i = 0; i < map->count; i++)
        put_shape(text, map, i);
    put_sizes(text, map, bottom);
    shunt_drawing_end(text);
    shunt_log_text_string(text, "</div>\n");
}

static void put_legend(struct shunt_log_text *text, const struct map *map)
{
    char letter[3];
    shunt_log_text_string(text, "<ul class=\"keys\">\n");
    for (int i = 0; map->report->used && i < *map->algorithms; i++) {
        letter_print(i, letter);
        shunt_html_key(text, shunt_drawing_fill(colour_of(i)), letter, map->algorithm[i]);
    }
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_ROUTED), NULL,
                   "discs: routed calls, the larger, the more time");
    shunt_html_key(text, shunt_drawing_fill(SHUNT_DRAWING_NATIVE), NULL, "discs: native calls");
    shunt_log_text_string(text, "</ul>\n");
}

void shunt_html_map(struct shunt_log_text *text, const struct shunt_report *report)
{
    const char *algorithm[ALGORITHMS] = {"native"};
    int algorithms = 1, drawn = 0;
    struct map map = {.report = report, .algorithm = algorithm, .algorithms = &algorithms};
    shunt_html_section(text, "table", "The table, and the calls");
    if (report->used_note[0] != '\0')
        shunt_html_say(text, "muted", report->used_note);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        map.op = (enum shunt_op)op;
        choose_shapes(&map);
        choose_width(&map);
        if (map.count == 0)
            continue;
        put_map(text, &map);
        drawn++;
    }
    if (drawn > 0)
        put_legend(text, &map);
    else
        shunt_html_say(text, "muted",
                       "The logs do not tell on which nodes the ranks are: no "
                       "communicator was set up.");
    shunt_html_section_end(text);
}
