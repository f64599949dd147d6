/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c: see map.h. */
#include "tools/predict/map.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"

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
