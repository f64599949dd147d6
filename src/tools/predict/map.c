/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c: the drawing of a grid: a box for each call, in the colour and with the letter of
 * its choice. */
#include "tools/predict/map.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "tools/predict/predict.h"
#include "tools/svg.h"
#include "tools/tool.h"

char shunt_grid_letter(const struct shunt_cell *cell)
{
    return cell->unknown      ? '?'
           : !cell->found     ? '.'
           : cell->entry < 26 ? (char)('a' + cell->entry)
                              : (char)('A' + cell->entry - 26);
}

int shunt_grid_across(const struct shunt_grid *grid, int column)
{
    const struct shunt_cell *cell = shunt_grid_cell(grid, 0, column);
    return strcmp(grid->across, "nodes") == 0 ? cell->nodes : cell->ranks;
}

/* Of the objective: how many times as good as native; negative: it needs nothing. */
static double gain_of(const struct shunt_grid *grid, const struct shunt_cell *cell)
{
    if (grid->predict->objective != SHUNT_OBJECTIVE_ENERGY)
        return shunt_predict_gain(&cell->cost, &cell->native);
    return cell->cost.energy > 0 ? cell->native.energy / cell->cost.energy : -1;
}

void shunt_grid_text(const struct shunt_grid *grid, const struct shunt_cell *cell, char *text,
                     size_t capacity)
{
    char memory[32];
    const double gain = cell->found ? gain_of(grid, cell) : -1;
    const char *capped = cell->found && cell->capped ? "!" : "";
    snprintf(text, capacity, "%c%s", shunt_grid_letter(cell), capped);
    if (cell->found && grid->predict->objective == SHUNT_OBJECTIVE_MEMORY) {
        shunt_volume_print(cell->cost.memory, memory, sizeof memory);
        snprintf(text, capacity, "%c %s%s", shunt_grid_letter(cell), memory, capped);
    } else if (gain >= 0) {
        snprintf(text, capacity, "%c %.*fx%s", shunt_grid_letter(cell), gain < 99.5 ? 1 : 0, gain,
                 capped);
    }
}

const char *shunt_grid_capped(const struct shunt_grid *grid)
{
    for (int i = 0; i < grid->rows * grid->columns; i++)
        if (grid->cell[i].found && grid->cell[i].capped)
            return "!  something better is above the caps";
    return NULL;
}

const char *shunt_grid_empty(const struct shunt_grid *grid)
{
    for (int i = 0; i < grid->rows * grid->columns; i++)
        if (!grid->cell[i].found && !grid->cell[i].unknown)
            return ".  none is within the caps";
    return NULL;
}

const char *shunt_grid_meaning(const struct shunt_grid *grid)
{
    static const char *const meanings[] = {
        [SHUNT_OBJECTIVE_TIME] = "3.1x: times as fast as native",
        [SHUNT_OBJECTIVE_ENERGY] = "3.1x: native takes as many times the energy",
        [SHUNT_OBJECTIVE_MEMORY] = "64 B: scratch memory of a rank; native has none of ours"};
    return meanings[grid->predict->objective];
}

bool shunt_grid_left(const struct shunt_grid *grid, char *text, size_t capacity)
{
    int calls = 0, unknown = 0;
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        calls += grid->cell[i].left > 0 && !grid->cell[i].unknown;
        unknown += grid->cell[i].unknown;
    }
    if (unknown > 0)
        snprintf(text, capacity, "?  too many messages to predict: %d call%s", unknown,
                 shunt_tool_plural((uint64_t)unknown));
    else
        snprintf(text, capacity, "in %d call%s some settings have too many messages to predict",
                 calls, shunt_tool_plural((uint64_t)calls));
    return calls + unknown > 0;
}

/* Native is grey wherever it is in the legend. */
static int colour_of(const struct shunt_grid *grid, int entry)
{
    return grid->entry[entry]->kind == SHUNT_KIND_NATIVE ? 0
                                                         : 1 + entry % (SHUNT_DRAWING_COLOURS - 1);
}

enum { LEFT = 90, TOP = 90, CELL_WIDTH = 74, CELL_HEIGHT = 30, LEGEND = 360, LINE = 22 };

/* What the pointer tells: the choice, and what would be better without the caps. */
static void print_hint(const struct shunt_cell *cell, char *hint, size_t capacity)
{
    char name[SHUNT_PREDICT_ROOM], better[SHUNT_PREDICT_ROOM] = "", time[32];
    if (cell->capped)
        shunt_predict_name(&cell->better, better, sizeof better);
    if (cell->found) {
        shunt_predict_name(&cell->choice, name, sizeof name);
        shunt_seconds_print(cell->cost.time, time, sizeof time);
        snprintf(hint, capacity, "%s, %s%s%s", name, time,
                 cell->capped ? "; better, but above the caps: " : "", better);
    } else {
        snprintf(hint, capacity, "none is within the caps; the best: %s", better);
    }
}

static void draw_cell(struct shunt_log_text *svg, const struct shunt_grid *grid, int row,
                      int column)
{
    const struct shunt_cell *cell = shunt_grid_cell(grid, row, column);
    const double x = LEFT + column * CELL_WIDTH, y = TOP + row * CELL_HEIGHT;
    char hint[3 * SHUNT_PREDICT_ROOM], text[SHUNT_GRID_ROOM];
    shunt_grid_text(grid, cell, text, sizeof text);
    if (!cell->unknown) {
        print_hint(cell, hint, sizeof hint);
        shunt_drawing_box(svg, x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2,
                          cell->found ? shunt_drawing_fill(colour_of(grid, cell->entry)) : "ground",
                          hint);
    }
    shunt_drawing_text(svg, x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0 + 4, SHUNT_DRAWING_MIDDLE,
                       cell->found ? "cell" : "label", text);
}

static void draw_axes(struct shunt_log_text *svg, const struct shunt_grid *grid)
{
    const double right = LEFT + grid->columns * CELL_WIDTH, bottom = TOP + grid->rows * CELL_HEIGHT;
    char text[32];
    for (int column = 0; column < grid->columns; column++) {
        snprintf(text, sizeof text, "%d", shunt_grid_across(grid, column));
        shunt_drawing_text(svg, LEFT + (column + 0.5) * CELL_WIDTH, bottom + 18,
                           SHUNT_DRAWING_MIDDLE, "label", text);
    }
    for (int row = 0; row < grid->rows; row++) {
        shunt_size_print(shunt_grid_cell(grid, row, 0)->block, text, sizeof text);
        shunt_drawing_text(svg, LEFT - 8, TOP + (row + 0.5) * CELL_HEIGHT + 4, SHUNT_DRAWING_END,
                           "label", text);
    }
    shunt_drawing_line(svg, LEFT, TOP, LEFT, bottom, "frame");
    shunt_drawing_line(svg, LEFT, bottom, right, bottom, "frame");
    shunt_drawing_text(svg, (LEFT + right) / 2, bottom + 40, SHUNT_DRAWING_MIDDLE, "head",
                       grid->across);
    shunt_drawing_upright(svg, 24, (TOP + bottom) / 2, "head", "bytes of a block");
}

/* Lines behind the entries of the legend; how many. */
static int notes_of(const struct shunt_grid *grid, const char *notes[4], char *left,
                    size_t capacity)
{
    const char *const all[] = {shunt_grid_meaning(grid), shunt_grid_capped(grid),
                               shunt_grid_empty(grid),
                               shunt_grid_left(grid, left, capacity) ? left : NULL};
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (all[i])
            notes[count++] = all[i];
    return count;
}

static void draw_legend(struct shunt_log_text *svg, const struct shunt_grid *grid)
{
    const double x = LEFT + grid->columns * CELL_WIDTH + 24;
    const char *notes[4];
    char text[SHUNT_PREDICT_ROOM];
    for (int i = 0; i < grid->entries; i++) {
        const struct shunt_cell legend = {.found = true, .entry = i};
        shunt_drawing_box(svg, x, TOP + i * LINE, 14, 14, shunt_drawing_fill(colour_of(grid, i)),
                          NULL);
        snprintf(text, sizeof text, "%c  %s", shunt_grid_letter(&legend), grid->entry[i]->name);
        shunt_drawing_text(svg, x + 22, TOP + i * LINE + 12, SHUNT_DRAWING_START, "label", text);
    }
    const int count = notes_of(grid, notes, text, sizeof text);
    for (int i = 0; i < count; i++)
        shunt_drawing_text(svg, x, TOP + (grid->entries + i) * LINE + 12, SHUNT_DRAWING_START,
                           "small", notes[i]);
}

static void draw(struct shunt_log_text *svg, const struct shunt_grid *grid)
{
    const struct shunt_predict *predict = grid->predict;
    const int rows = grid->rows * CELL_HEIGHT, legend = (grid->entries + 4) * LINE;
    char title[160], subtitle[200], ppn[48] = "";
    if (predict->ppn > 0)
        snprintf(ppn, sizeof ppn, ", %d rank%s per node", predict->ppn,
                 shunt_tool_plural((uint64_t)predict->ppn));
    snprintf(title, sizeof title, "MPI_%s: the algorithm of least %s",
             predict->op == SHUNT_OP_ALLTOALL ? "Alltoall" : "Alltoallv",
             shunt_objective_name(predict->objective));
    snprintf(subtitle, sizeof subtitle, "predicted for %.64s%s%s%.64s", predict->machine.name, ppn,
             predict->distribution ? ", sizes " : "",
             predict->distribution ? predict->distribution : "");
    const int width = LEFT + grid->columns * CELL_WIDTH + LEGEND;
    shunt_drawing_begin_file(svg, width < 520 ? 520 : width,
                             TOP + (rows > legend ? rows : legend) + 60, title, subtitle);
    for (int row = 0; row < grid->rows; row++)
        for (int column = 0; column < grid->columns; column++)
            draw_cell(svg, grid, row, column);
    draw_axes(svg, grid);
    draw_legend(svg, grid);
    shunt_drawing_end(svg);
}

int shunt_grid_draw(const struct shunt_grid *grid, const char *path)
{
    struct shunt_log_text svg = {.grows = true};
    draw(&svg, grid);
    return shunt_drawing_write(&svg, path);
}
