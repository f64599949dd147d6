/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c: the drawing of a grid: a box for each call, in the colour and with the letter of
 * its choice. */
#include "tools/predict/map.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "tools/predict/cost.h"
#include "tools/predict/svg.h"
#include "tools/predict/text.h"
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
    snprintf(text, capacity, "%c", shunt_grid_letter(cell));
    if (cell->found && grid->predict->objective == SHUNT_OBJECTIVE_MEMORY) {
        shunt_volume_print(cell->cost.memory, memory, sizeof memory);
        snprintf(text, capacity, "%c %s", shunt_grid_letter(cell), memory);
    } else if (gain >= 0) {
        snprintf(text, capacity, "%c %.*fx", shunt_grid_letter(cell), gain < 99.5 ? 1 : 0, gain);
    }
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
    return grid->entry[entry]->kind == SHUNT_KIND_NATIVE ? 0 : 1 + entry % (SHUNT_SVG_COLOURS - 1);
}

enum { LEFT = 90, TOP = 90, CELL_WIDTH = 74, CELL_HEIGHT = 30, LEGEND = 360, LINE = 22 };

static void draw_cell(FILE *file, const struct shunt_grid *grid, int row, int column)
{
    const struct shunt_cell *cell = shunt_grid_cell(grid, row, column);
    const double x = LEFT + column * CELL_WIDTH, y = TOP + row * CELL_HEIGHT;
    char name[SHUNT_PREDICT_ROOM], time[32], hint[256], text[SHUNT_GRID_ROOM];
    shunt_grid_text(grid, cell, text, sizeof text);
    if (cell->found) {
        shunt_predict_name(&cell->choice, name, sizeof name);
        shunt_seconds_print(cell->cost.time, time, sizeof time);
        snprintf(hint, sizeof hint, "%s, %s", name, time);
        shunt_svg_box(file, x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2,
                      colour_of(grid, cell->entry), hint);
    }
    shunt_svg_text(file, x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0 + 4, SHUNT_ANCHOR_MIDDLE,
                   cell->found ? "cell" : "label", text);
}

static void draw_axes(FILE *file, const struct shunt_grid *grid)
{
    const double right = LEFT + grid->columns * CELL_WIDTH, bottom = TOP + grid->rows * CELL_HEIGHT;
    char text[32];
    for (int column = 0; column < grid->columns; column++) {
        snprintf(text, sizeof text, "%d", shunt_grid_across(grid, column));
        shunt_svg_text(file, LEFT + (column + 0.5) * CELL_WIDTH, bottom + 18, SHUNT_ANCHOR_MIDDLE,
                       "label", text);
    }
    for (int row = 0; row < grid->rows; row++) {
        shunt_size_print(shunt_grid_cell(grid, row, 0)->block, text, sizeof text);
        shunt_svg_text(file, LEFT - 8, TOP + (row + 0.5) * CELL_HEIGHT + 4, SHUNT_ANCHOR_END,
                       "label", text);
    }
    shunt_svg_rule(file, LEFT, TOP, LEFT, bottom, true);
    shunt_svg_rule(file, LEFT, bottom, right, bottom, true);
    shunt_svg_text(file, (LEFT + right) / 2, bottom + 40, SHUNT_ANCHOR_MIDDLE, "head",
                   grid->across);
    shunt_svg_upright(file, 24, (TOP + bottom) / 2, "head", "bytes of a block");
}

static void draw_legend(FILE *file, const struct shunt_grid *grid)
{
    const double x = LEFT + grid->columns * CELL_WIDTH + 24;
    char text[SHUNT_PREDICT_ROOM];
    for (int i = 0; i < grid->entries; i++) {
        const struct shunt_cell legend = {.found = true, .entry = i};
        shunt_svg_box(file, x, TOP + i * LINE, 14, 14, colour_of(grid, i), NULL);
        snprintf(text, sizeof text, "%c  %s", shunt_grid_letter(&legend), grid->entry[i]->name);
        shunt_svg_text(file, x + 22, TOP + i * LINE + 12, SHUNT_ANCHOR_START, "label", text);
    }
    shunt_svg_text(file, x, TOP + grid->entries * LINE + 12, SHUNT_ANCHOR_START, "small",
                   shunt_grid_meaning(grid));
    if (shunt_grid_left(grid, text, sizeof text))
        shunt_svg_text(file, x, TOP + (grid->entries + 1) * LINE + 12, SHUNT_ANCHOR_START, "small",
                       text);
}

static void draw(FILE *file, const struct shunt_grid *grid)
{
    const struct shunt_predict *predict = grid->predict;
    const int rows = grid->rows * CELL_HEIGHT, legend = (grid->entries + 2) * LINE;
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
    shunt_svg_begin(file, width < 520 ? 520 : width, TOP + (rows > legend ? rows : legend) + 60,
                    title, subtitle);
    for (int row = 0; row < grid->rows; row++)
        for (int column = 0; column < grid->columns; column++)
            draw_cell(file, grid, row, column);
    draw_axes(file, grid);
    draw_legend(file, grid);
    shunt_svg_end(file);
}

int shunt_grid_draw(const struct shunt_grid *grid, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file)
        draw(file, grid);
    return shunt_predict_close(file, path);
}
