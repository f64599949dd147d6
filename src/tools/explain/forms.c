/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.c: a grid as text, CSV and JSON, and on a page. */
#include <string.h>

#include "config.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/rules.h"
#include "tools/explain/grid.h"
#include "tools/view/view.h"

enum { WIDTH = 7, LABEL = 15, RULE = 512 };
enum { AT_ONCE = (SHUNT_FOLD_COLUMNS - LABEL) / (2 + WIDTH) };

/* Its letter, what is done, and by which rule. */
static const struct shunt_column legend[] = {
    {.key = SHUNT_KEY_NAME, .title = ""},
    {.key = SHUNT_KEY_CANDIDATE, .title = ""},
    {.key = SHUNT_KEY_RULE, .title = ""},
};

static int print_legend(const struct shunt_explain_grid *grid)
{
    struct shunt_sheet sheet = SHUNT_SHEET(legend, .form = SHUNT_SHEET_TEXT);
    char rule[RULE];
    puts("");
    shunt_sheet_begin(&sheet);
    for (int i = 0; i < grid->entries; i++) {
        const struct shunt_explain_entry *entry = &grid->entry[i];
        shunt_explain_rule(grid, entry, rule, sizeof rule);
        const struct shunt_field row[] = {shunt_field_text((char[]){shunt_explain_letter(i), '\0'}),
                                          shunt_field_text(entry->name), shunt_field_text(rule)};
        shunt_sheet_row(&sheet, row);
    }
    return shunt_sheet_end(&sheet);
}

static int across_of(const struct shunt_explain_grid *grid, int column)
{
    return strcmp(grid->across, "nodes") == 0 ? grid->column[column].nodes
                                              : grid->column[column].ranks;
}

/* As many columns as a line has room for. */
static void print_columns(const struct shunt_explain_grid *grid, int first, int end)
{
    char text[64];
    printf("\n%*s  %s\n%*s", LABEL, "", grid->across, LABEL, "block");
    for (int column = first; column < end; column++)
        printf("  %*d", WIDTH, across_of(grid, column));
    puts("");
    for (int row = 0; row < grid->rows; row++) {
        shunt_explain_size(grid->blocks[row], text, sizeof text);
        printf("%*s", LABEL, text);
        for (int column = first; column < end; column++)
            printf("  %*c", WIDTH,
                   shunt_explain_letter(
                       shunt_explain_entry(grid, shunt_explain_decision(grid, row, column))));
        puts("");
    }
}

static int print_text(const struct shunt_explain_grid *grid)
{
    printf("%-10s %s\n", "call", shunt_op_name(grid->op));
    shunt_tool_table_line("table      ", grid->table, false);
    for (int first = 0; first < grid->columns; first += AT_ONCE)
        print_columns(grid, first,
                      first + AT_ONCE < grid->columns ? first + AT_ONCE : grid->columns);
    return print_legend(grid);
}

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION, .in = SHUNT_IN_CSV},
    {.key = SHUNT_KEY_RANKS},
    {.key = SHUNT_KEY_NODES},
    {.key = SHUNT_KEY_PPN_MIN},
    {.key = SHUNT_KEY_PPN_MAX},
    {.key = SHUNT_KEY_FROM, .name = "block_from"},
    {.key = SHUNT_KEY_TO, .name = "block_to", .null = true},
    {.key = SHUNT_KEY_ALGORITHM},
    {.key = SHUNT_KEY_PARAMETERS},
    SHUNT_RULE_COLUMNS("", SHUNT_KEY_RULE),
    {.key = SHUNT_KEY_MODELLED, .in = SHUNT_IN_JSON},
};

static void put_cell(struct shunt_sheet *sheet, const struct shunt_explain_grid *grid, int row,
                     int at)
{
    const struct shunt_decision *decision = shunt_explain_decision(grid, row, at);
    const struct shunt_explain_column *column = &grid->column[at];
    const struct shunt_range block = grid->blocks[row];
    char parameters[SHUNT_EXPLAIN_NAME];
    shunt_params_print(decision->algorithm, &decision->params, parameters, sizeof parameters);
    struct shunt_field fields[SHUNT_COUNT_OF(columns)], *next = fields;
    *next++ = shunt_field_text(shunt_op_name(grid->op));
    *next++ = shunt_field_count(column->ranks);
    *next++ = shunt_field_count(column->nodes);
    *next++ = shunt_field_count(column->ppn_min);
    *next++ = shunt_field_count(column->ppn_max);
    *next++ = shunt_field_count(block.low);
    *next++ = shunt_field_count(block.high < INT64_MAX ? block.high : -1);
    *next++ = shunt_field_text(decision->algorithm->name);
    *next++ = shunt_field_text(parameters);
    next = shunt_rule_put(next, grid->table, decision->rule, decision->modelled);
    *next = shunt_field_flag(decision->modelled);
    shunt_sheet_row(sheet, fields);
}

static int put_cells(const struct shunt_explain_grid *grid, struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_CSV, .json = json,
                    .list = SHUNT_KEY_CELLS);
    shunt_sheet_begin(&sheet);
    for (int i = 0; i < grid->rows * grid->columns; i++)
        put_cell(&sheet, grid, i / grid->columns, i % grid->columns);
    if (json)
        shunt_json_line(json);
    return shunt_sheet_end(&sheet);
}

/* The members of the object. */
static void put_grid(struct shunt_json *json, const struct shunt_explain_grid *grid)
{
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(grid->op));
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          shunt_table_string(grid->table, grid->table->source));
    put_cells(grid, json);
}

static int print_json(const struct shunt_explain_grid *grid)
{
    struct shunt_document document;
    put_grid(shunt_document_begin(&document), grid);
    return shunt_document_end(&document);
}

int shunt_explain_grid_print(const struct shunt_explain_grid *grid)
{
    return grid->json ? print_json(grid) : grid->csv ? put_cells(grid, NULL) : print_text(grid);
}

static int put_embedded(struct shunt_json *json, void *context)
{
    shunt_json_put_object(json, SHUNT_KEY_EXPLAIN);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    put_grid(json, context);
    shunt_json_close(json);
    return SHUNT_EXIT_OK;
}

int shunt_explain_grid_html(struct shunt_explain_grid *grid)
{
    const struct shunt_view_content content = {
        .tables = {grid->table}, .table_count = 1, .put = put_embedded, .context = grid};
    return shunt_view_write(&content, grid->html);
}
