/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.c: which algorithm wins where: ranks or nodes across, blocks down. */
#include "tools/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/tool.h"
#include "tools/predict/map.h"
#include "tools/predict/progress.h"
#include "tools/view/view.h"

static int entry_of(struct shunt_grid *grid, const struct shunt_algorithm *algorithm)
{
    const int most = (int)(sizeof grid->entry / sizeof grid->entry[0]);
    for (int i = 0; i < grid->entries; i++)
        if (grid->entry[i] == algorithm)
            return i;
    if (grid->entries == most)
        return most - 1;
    grid->entry[grid->entries] = algorithm;
    return grid->entries++;
}

/* Of predictions with native among them. What is above the caps and better than the choice is not
 * left out, so it is the first. */
static void fill_known(struct shunt_grid *grid, struct shunt_cell *cell,
                       const struct shunt_predictions *predictions)
{
    const struct shunt_prediction *all = predictions->prediction;
    cell->native = all[predictions->native].cost;
    cell->found = predictions->choice < predictions->count;
    cell->capped = predictions->choice > 0;
    cell->better = all[0].candidate;
    if (!cell->found)
        return;
    cell->choice = all[predictions->choice].candidate;
    cell->cost = all[predictions->choice].cost;
    cell->entry = entry_of(grid, cell->choice.algorithm);
}

static int fill_cell(struct shunt_grid *grid, int row, int column)
{
    struct shunt_cell *cell = &grid->cell[row * grid->columns + column];
    struct shunt_predictions predictions = {0};
    struct shunt_case c;
    int code = shunt_case_make(&c, grid->predict, column, row);
    if (code == SHUNT_EXIT_OK)
        code = shunt_predictions_make(&predictions, grid->predict, &c);
    if (code == SHUNT_EXIT_OK) {
        *cell = (struct shunt_cell){.ranks = c.layout.ranks,
                                    .nodes = c.layout.nodes,
                                    .ppn_min = c.layout.ppn_min,
                                    .ppn_max = c.layout.ppn_max,
                                    .block = grid->predict->block.value[row],
                                    .unknown = predictions.native == predictions.count,
                                    .left = predictions.large};
        if (!cell->unknown)
            fill_known(grid, cell, &predictions);
    }
    shunt_predictions_clear(&predictions);
    shunt_case_clear(&c);
    return code;
}

static void print_legend(const struct shunt_grid *grid)
{
    char left[SHUNT_PREDICT_ROOM];
    puts("");
    for (int i = 0; i < grid->entries; i++) {
        const struct shunt_cell legend = {.found = true, .entry = i};
        printf("%c  %s\n", shunt_grid_letter(&legend), grid->entry[i]->name);
    }
    if (shunt_grid_empty(grid))
        puts(shunt_grid_empty(grid));
    if (shunt_grid_capped(grid))
        puts(shunt_grid_capped(grid));
    if (shunt_grid_left(grid, left, sizeof left))
        puts(left);
    printf("%s; --csv and --json tell the parameters\n", shunt_grid_meaning(grid));
}

enum { WIDTH = 9, LABEL = 10, AT_ONCE = (SHUNT_FOLD_COLUMNS - LABEL) / (2 + WIDTH) };

/* As many columns as a line has room for. */
static void print_columns(const struct shunt_grid *grid, int first, int end)
{
    char text[64];
    printf("\n%*s  %s\n%*s", LABEL, "", grid->across, LABEL, "block");
    for (int column = first; column < end; column++)
        printf("  %*d", WIDTH, shunt_grid_across(grid, column));
    puts("");
    for (int row = 0; row < grid->rows; row++) {
        shunt_size_print(shunt_grid_cell(grid, row, 0)->block, text, sizeof text);
        printf("%*s", LABEL, text);
        for (int column = first; column < end; column++) {
            shunt_grid_text(grid, shunt_grid_cell(grid, row, column), text, sizeof text);
            printf("  %*s", WIDTH, text);
        }
        puts("");
    }
}

static void print_text(const struct shunt_grid *grid)
{
    const struct shunt_predict *predict = grid->predict;
    printf("%-10s %s%s%s\n", "call", shunt_op_name(predict->op),
           predict->distribution ? ", sizes " : "",
           predict->distribution ? predict->distribution : "");
    shunt_tool_put_labelled("machine", predict->machine.name);
    printf("%-10s %s\n", "least", shunt_objective_name(predict->objective));
    for (int first = 0; first < grid->columns; first += AT_ONCE)
        print_columns(grid, first,
                      first + AT_ONCE < grid->columns ? first + AT_ONCE : grid->columns);
    print_legend(grid);
}

static void put_choice(struct shunt_json *json, const void *value)
{
    const struct shunt_cell *cell = value;
    shunt_json_put_object(json, SHUNT_KEY_CHOICE);
    shunt_predict_json_candidate(json, &cell->choice);
    shunt_predict_json_cost(json, &cell->cost, &cell->native);
    shunt_json_close(json);
}

/* Above the caps. */
static void put_better(struct shunt_json *json, const void *value)
{
    shunt_json_put_object(json, SHUNT_KEY_BETTER);
    shunt_predict_json_candidate(json, value);
    shunt_json_close(json);
}

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_NODES},
    {.key = SHUNT_KEY_PPN_MIN},
    {.key = SHUNT_KEY_PPN_MAX},
    {.key = SHUNT_KEY_BLOCK},
    {.key = SHUNT_KEY_DISTRIBUTION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_ALGORITHM, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_PARAMETERS, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_TIME_S, .in = SHUNT_IN_CSV, .digits = SHUNT_SIGNIFICANT(9)},
    {.key = SHUNT_KEY_ENERGY_J, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_MEMORY, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_SPEEDUP, .in = SHUNT_IN_CSV, .digits = SHUNT_SIGNIFICANT(6)},
    {.key = SHUNT_KEY_CHOICE, .in = SHUNT_IN_JSON, .null = true, .own = put_choice},
    {.key = SHUNT_KEY_NATIVE_TIME_S, .null = true, .digits = SHUNT_SIGNIFICANT(9)},
    {.key = SHUNT_KEY_NATIVE_ENERGY_J, .null = true},
    {.key = SHUNT_KEY_LEFT_OUT},
    {.key = SHUNT_KEY_CAPPED},
    {.key = SHUNT_KEY_BETTER, .in = SHUNT_IN_JSON, .own = put_better},
    {.key = SHUNT_KEY_MACHINE, .in = SHUNT_IN_CSV, .quoted = true},
};
enum { CHOICE = 7 }; /* fields of it, from the algorithm on */

static void put_cell(struct shunt_sheet *sheet, const struct shunt_predict *predict,
                     const struct shunt_cell *cell)
{
    char parameters[SHUNT_PREDICT_ROOM];
    const struct shunt_place place = {cell->ranks, cell->nodes, cell->ppn_min, cell->ppn_max,
                                      cell->block};
    struct shunt_field row[SHUNT_COUNT_OF(columns)] = {0},
                       *at = shunt_predict_place_put(row, predict, &place);
    if (cell->found) {
        const struct shunt_candidate *choice = &cell->choice;
        shunt_params_print(choice->algorithm, &choice->params, parameters, sizeof parameters);
        at[0] = shunt_field_text(choice->algorithm->name);
        at[1] = shunt_field_text(parameters);
        at[2] = shunt_field_real(cell->cost.time);
        at[3] = shunt_field_real(cell->cost.energy);
        at[4] = shunt_field_count(cell->cost.memory);
        at[5] = shunt_field_real(shunt_predict_gain(&cell->cost, &cell->native));
        at[6] = shunt_field_own(cell);
    }
    at += CHOICE;
    *at++ = shunt_field_real(cell->unknown ? NAN : cell->native.time);
    *at++ = shunt_field_real(cell->unknown ? NAN : cell->native.energy);
    *at++ = shunt_field_unsigned(cell->left);
    *at++ = shunt_field_flag(cell->capped);
    *at++ = shunt_field_own(cell->capped ? &cell->better : NULL);
    *at = shunt_field_text(predict->machine.name);
    shunt_sheet_row(sheet, row);
}

static int put_cells(const struct shunt_grid *grid, struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = shunt_predict_sheet_form(grid->predict, json), .json = json,
                    .list = SHUNT_KEY_CELLS);
    shunt_sheet_begin(&sheet);
    for (int i = 0; i < grid->rows * grid->columns; i++)
        put_cell(&sheet, grid->predict, &grid->cell[i]);
    if (json)
        shunt_json_line(json);
    return shunt_sheet_end(&sheet);
}

static void put_grid(struct shunt_json *json, const void *context)
{
    put_cells(context, json);
}

static int fill(struct shunt_grid *grid)
{
    const size_t all = (size_t)grid->rows * (size_t)grid->columns;
    int code = SHUNT_EXIT_OK;
    grid->cell = calloc(all, sizeof *grid->cell);
    if (!grid->cell) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    for (size_t i = 0; i < all && code == SHUNT_EXIT_OK; i++) {
        shunt_progress_show("calls", i, all);
        code = fill_cell(grid, (int)i / grid->columns, (int)i % grid->columns);
    }
    shunt_progress_clear();
    return code;
}

static int show(const struct shunt_grid *grid)
{
    if (grid->predict->json)
        return shunt_predict_json(grid->predict, put_grid, grid);
    if (grid->predict->csv)
        return put_cells(grid, NULL);
    print_text(grid);
    return SHUNT_EXIT_OK;
}

int shunt_predict_grid(const struct shunt_predict *predict)
{
    const bool nodes = predict->nodes.count > 1;
    const struct shunt_axis *across = nodes ? &predict->nodes : &predict->ranks;
    struct shunt_grid grid = {.predict = predict,
                              .across = nodes ? "nodes" : "ranks",
                              .columns = across->count > 1 ? across->count : 1,
                              .rows = predict->block.count > 0 ? predict->block.count : 1};
    int code = fill(&grid);
    if (code == SHUNT_EXIT_OK && predict->html)
        code = shunt_predict_html(predict, put_grid, &grid);
    if (code == SHUNT_EXIT_OK && !shunt_view_alone(predict->html))
        code = show(&grid);
    free(grid.cell);
    return code;
}
