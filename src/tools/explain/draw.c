/* SPDX-License-Identifier: BSD-3-Clause */
/* draw.c: a grid as a drawing. */
#include <string.h>

#include "tools/explain/grid.h"
#include "tools/explain/tiles.h"
#include "tools/svg.h"

static void column_text(const void *data, int column, char *text)
{
    const struct shunt_explain_grid *grid = data;
    snprintf(text, SHUNT_TILES_TEXT, "%d",
             strcmp(grid->across, "nodes") == 0 ? grid->column[column].nodes
                                                : grid->column[column].ranks);
}

static void row_text(const void *data, int row, char *text)
{
    const struct shunt_explain_grid *grid = data;
    shunt_explain_size(grid->blocks[row], text, SHUNT_TILES_TEXT);
}

static void entry_text(const void *data, int at, char *text)
{
    const struct shunt_explain_grid *grid = data;
    char rule[SHUNT_TILES_TEXT - SHUNT_EXPLAIN_NAME - 4];
    shunt_explain_rule(grid, &grid->entry[at], rule, sizeof rule);
    snprintf(text, SHUNT_TILES_TEXT, "%s, %s", grid->entry[at].name, rule);
}

static int box_of(const void *data, int row, int column, char *text)
{
    const struct shunt_explain_grid *grid = data;
    const int entry = shunt_explain_entry(grid, shunt_explain_decision(grid, row, column));
    entry_text(data, entry, text);
    return entry;
}

/* Native is grey wherever it is in the legend. */
static int colour_of(const void *data, int entry)
{
    const struct shunt_explain_grid *grid = data;
    return grid->entry[entry].algorithm->kind == SHUNT_KIND_NATIVE
               ? 0
               : 1 + entry % (SHUNT_DRAWING_COLOURS - 1);
}

static char letter_of(const void *data, int entry)
{
    (void)data;
    return shunt_explain_letter(entry);
}

int shunt_explain_grid_draw(const struct shunt_explain_grid *grid)
{
    char title[96], subtitle[512], source[448], ppn[48] = "";
    shunt_tool_fit(shunt_table_string(grid->table, grid->table->source), source, sizeof source);
    if (grid->ppn > 0)
        snprintf(ppn, sizeof ppn, ", %d rank%s per node", grid->ppn,
                 shunt_tool_plural((uint64_t)grid->ppn));
    snprintf(title, sizeof title, "MPI_%s: the rule that decides",
             grid->op == SHUNT_OP_ALLTOALL ? "Alltoall" : "Alltoallv");
    snprintf(subtitle, sizeof subtitle, "%s%s", source, ppn);
    const struct shunt_tiles drawing = {.title = title,
                                        .subtitle = subtitle,
                                        .across = grid->across,
                                        .down = "bytes of a block",
                                        .columns = grid->columns,
                                        .rows = grid->rows,
                                        .entries = grid->entries,
                                        .data = grid,
                                        .column = column_text,
                                        .row = row_text,
                                        .box = box_of,
                                        .entry = entry_text,
                                        .colour = colour_of,
                                        .letter = letter_of};
    return shunt_tiles_draw(&drawing, grid->svg);
}
