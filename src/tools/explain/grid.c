/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.c: the decisions about many calls, and the rules that make them. */
#include "tools/explain/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/common/rules.h"
#include "tools/common/shape.h"
#include "tools/view/view.h"

/* More rows are no picture, and few tables have as many sizes. */
enum { ROWS_MOST = 4096 };

static int no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

char shunt_explain_letter(int entry)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return letters[entry];
}

int shunt_explain_entry(const struct shunt_explain_grid *grid,
                        const struct shunt_decision *decision)
{
    for (int i = 0; i < grid->entries; i++)
        if (grid->entry[i].rule == decision->rule &&
            grid->entry[i].algorithm == decision->algorithm &&
            grid->entry[i].modelled == decision->modelled)
            return i;
    return grid->entries < SHUNT_EXPLAIN_ENTRIES ? grid->entries : SHUNT_EXPLAIN_ENTRIES - 1;
}

void shunt_explain_rule(const struct shunt_explain_grid *grid,
                        const struct shunt_explain_entry *entry, char *text, size_t capacity)
{
    if (entry->rule)
        shunt_tool_rule(grid->table, entry->rule, text, capacity);
    else
        snprintf(text, capacity, "%s", entry->modelled ? "the model" : "no rule");
}

/* Where a row begins, as people say it: rules end at 8K or begin there, and a cap of memory is near
 * a power of two. */
static int64_t border_at(int64_t size)
{
    const int64_t least = 1024;
    int64_t power = least;
    if (size < least || size % least == 0)
        return size;
    if ((size - 1) % least == 0)
        return size - 1;
    while (power < size - size / 1000)
        power *= 2;
    return power <= size + size / 1000 ? power : size;
}

void shunt_explain_size(struct shunt_range block, char *text, size_t capacity)
{
    if (block.low == block.high) {
        shunt_size_print(block.low, text, capacity);
        return;
    }
    const int64_t from = border_at(block.low);
    /* What is smaller than 1K is told exactly. */
    const int64_t to =
        block.high < 1023 || block.high == INT64_MAX ? block.high : border_at(block.high + 1);
    shunt_range_spell((struct shunt_range){from, to}, text, capacity);
}

static int fill_column(struct shunt_explain_grid *grid, int at)
{
    struct shunt_explain_column *column = &grid->column[at];
    struct shunt_shape shape = {.ppn = grid->ppn, .layout = grid->layout};
    struct shunt_layout layout;
    if (grid->ranks.count > 0)
        shape.ranks = (int)grid->ranks.value[grid->ranks.count > 1 ? at : 0];
    if (grid->nodes.count > 0)
        shape.nodes = (int)grid->nodes.value[grid->nodes.count > 1 ? at : 0];
    const int code = shunt_shape_layout(&shunt_subcommand_explain, &shape, false, &layout);
    if (code != SHUNT_EXIT_OK)
        return code;
    column->ranks = layout.ranks;
    column->nodes = layout.nodes;
    column->ppn_min = layout.ppn_min;
    column->ppn_max = layout.ppn_max;
    layout.oversubscribed = grid->oversubscribed;
    const bool enough =
        shunt_map_build(&column->map, grid->table, grid->op, &layout, grid->memory) == 0;
    shunt_layout_clear(&layout);
    return enough ? SHUNT_EXIT_OK : no_memory();
}

static int compare(const void *a, const void *b)
{
    const int64_t left = ((const struct shunt_range *)a)->low,
                  right = ((const struct shunt_range *)b)->low;
    return (left > right) - (left < right);
}

/* All sizes, cut where the decision of any column changes. */
static int cut_rows(struct shunt_explain_grid *grid)
{
    size_t all = 0, kept = 0;
    for (int i = 0; i < grid->columns; i++)
        all += shunt_explain_part(grid, i)->count;
    grid->blocks = malloc(all * sizeof *grid->blocks);
    if (!grid->blocks)
        return no_memory();
    all = 0;
    for (int i = 0; i < grid->columns; i++) {
        const struct shunt_map *map = shunt_explain_part(grid, i);
        for (size_t j = 0; j < map->count; j++)
            grid->blocks[all++] = (struct shunt_range){map->from[j], INT64_MAX};
    }
    qsort(grid->blocks, all, sizeof *grid->blocks, compare);
    for (size_t i = 0; i < all; i++)
        if (kept == 0 || grid->blocks[i].low != grid->blocks[kept - 1].low)
            grid->blocks[kept++] = grid->blocks[i];
    for (size_t i = 0; i + 1 < kept; i++)
        grid->blocks[i].high = grid->blocks[i + 1].low - 1;
    if (kept > ROWS_MOST)
        return shunt_tool_usage(&shunt_subcommand_explain,
                                "decisions change at %zu sizes, and a grid has at most %d rows: "
                                "name some with --block",
                                kept, ROWS_MOST);
    grid->rows = (int)kept;
    return SHUNT_EXIT_OK;
}

static int make_rows(struct shunt_explain_grid *grid)
{
    if (grid->block.count == 0)
        return cut_rows(grid);
    grid->blocks = malloc((size_t)grid->block.count * sizeof *grid->blocks);
    if (!grid->blocks)
        return no_memory();
    grid->rows = grid->block.count;
    for (int i = 0; i < grid->rows; i++)
        grid->blocks[i] = (struct shunt_range){grid->block.value[i], grid->block.value[i]};
    return SHUNT_EXIT_OK;
}

/* The legend, in the order in which the grid is read. */
static void make_legend(struct shunt_explain_grid *grid)
{
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        const struct shunt_decision *decision =
            shunt_explain_decision(grid, i / grid->columns, i % grid->columns);
        const int at = shunt_explain_entry(grid, decision);
        struct shunt_explain_entry *entry = &grid->entry[at];
        if (at < grid->entries)
            continue;
        *entry = (struct shunt_explain_entry){.algorithm = decision->algorithm,
                                              .rule = decision->rule,
                                              .modelled = decision->modelled};
        if (decision->rule)
            shunt_decision_name(decision, true, entry->name, sizeof entry->name);
        else
            snprintf(entry->name, sizeof entry->name, "%s", decision->algorithm->name);
        grid->entries++;
    }
}

int shunt_explain_grid_fill(struct shunt_explain_grid *grid)
{
    struct shunt_tool_query query = {.path = grid->file};
    const bool nodes = grid->nodes.count > 1;
    const struct shunt_axis *across = nodes ? &grid->nodes : &grid->ranks;
    int code = SHUNT_EXIT_OK;
    grid->table = shunt_tool_table(&query, &code);
    if (!grid->table)
        return code;
    grid->across = nodes ? "nodes" : "ranks";
    grid->columns = across->count > 1 ? across->count : 1;
    grid->column = calloc((size_t)grid->columns, sizeof *grid->column);
    if (!grid->column)
        return no_memory();
    for (int i = 0; i < grid->columns && code == SHUNT_EXIT_OK; i++)
        code = fill_column(grid, i);
    if (code == SHUNT_EXIT_OK)
        code = make_rows(grid);
    if (code == SHUNT_EXIT_OK)
        make_legend(grid);
    return code;
}

void shunt_explain_grid_clear(struct shunt_explain_grid *grid)
{
    for (int i = 0; grid->column && i < grid->columns; i++)
        shunt_map_clear(&grid->column[i].map);
    free(grid->column);
    free(grid->blocks);
    free(grid->table);
}

int shunt_explain_grid(struct shunt_explain_grid *grid)
{
    int code = shunt_explain_grid_fill(grid);
    if (code == SHUNT_EXIT_OK && grid->html)
        code = shunt_explain_grid_html(grid);
    if (code == SHUNT_EXIT_OK && !shunt_view_alone(grid->html))
        code = shunt_explain_grid_print(grid);
    shunt_explain_grid_clear(grid);
    return code;
}
