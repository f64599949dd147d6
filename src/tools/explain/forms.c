/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.c: a grid as text, CSV and JSON, and on a page. */
#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "log/json.h"
#include "route/words.h"
#include "tools/explain/grid.h"
#include "tools/fold.h"
#include "tools/rules.h"
#include "tools/view/view.h"

enum { WIDTH = 7, LABEL = 15, RULE = 512 };
enum { AT_ONCE = (SHUNT_FOLD_COLUMNS - LABEL) / (2 + WIDTH) };

static void print_legend(const struct shunt_explain_grid *grid)
{
    char rule[RULE];
    int width = 0;
    for (int i = 0; i < grid->entries; i++)
        if (shunt_tool_width(grid->entry[i].name) > width)
            width = shunt_tool_width(grid->entry[i].name);
    puts("");
    for (int i = 0; i < grid->entries; i++) {
        const struct shunt_explain_entry *entry = &grid->entry[i];
        shunt_explain_rule(grid, entry, rule, sizeof rule);
        char line[2 * RULE + SHUNT_EXPLAIN_NAME];
        const int length = snprintf(line, sizeof line, "%c  %s%*s  %s\n", shunt_explain_letter(i),
                                    entry->name, width - shunt_tool_width(entry->name), "", rule);
        shunt_fold_put(stdout, line, (size_t)length, 5);
    }
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

void shunt_explain_grid_text(const struct shunt_explain_grid *grid)
{
    printf("%-10s %s\n", "call", shunt_op_name(grid->op));
    shunt_tool_table_line("table      ", grid->table, false);
    for (int first = 0; first < grid->columns; first += AT_ONCE)
        print_columns(grid, first,
                      first + AT_ONCE < grid->columns ? first + AT_ONCE : grid->columns);
    print_legend(grid);
}

static void print_csv_cell(const struct shunt_explain_grid *grid, int row, int at)
{
    const struct shunt_decision *decision = shunt_explain_decision(grid, row, at);
    const struct shunt_explain_column *column = &grid->column[at];
    const struct shunt_range block = grid->blocks[row];
    char parameters[SHUNT_EXPLAIN_NAME];
    printf("%s,%d,%d,%d,%d,%" PRId64 ",", shunt_op_name(grid->op), column->ranks, column->nodes,
           column->ppn_min, column->ppn_max, block.low);
    if (block.high < INT64_MAX)
        printf("%" PRId64, block.high);
    shunt_params_print(decision->algorithm, &decision->params, parameters, sizeof parameters);
    shunt_csv_put(decision->algorithm->name);
    shunt_csv_put(parameters);
    shunt_csv_put(decision->rule       ? shunt_table_string(grid->table, decision->rule->file)
                  : decision->modelled ? "model"
                                       : "");
    putchar(',');
    if (decision->rule && decision->rule->line > 0)
        printf("%d", decision->rule->line);
    shunt_csv_put(decision->rule ? shunt_table_string(grid->table, decision->rule->id) : "");
    putchar('\n');
}

void shunt_explain_grid_csv(const struct shunt_explain_grid *grid)
{
    puts("operation,ranks,nodes,ppn_min,ppn_max,block_from,block_to,algorithm,parameters,file,line,"
         "id");
    for (int i = 0; i < grid->rows * grid->columns; i++)
        print_csv_cell(grid, i / grid->columns, i % grid->columns);
}

static void json_cell(struct shunt_json *json, const struct shunt_explain_grid *grid, int row,
                      int at)
{
    const struct shunt_decision *decision = shunt_explain_decision(grid, row, at);
    const struct shunt_explain_column *column = &grid->column[at];
    char parameters[SHUNT_EXPLAIN_NAME];
    shunt_params_print(decision->algorithm, &decision->params, parameters, sizeof parameters);
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, column->ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, column->nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, column->ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, column->ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_FROM, grid->blocks[row].low);
    shunt_json_key(json, SHUNT_KEY_TO);
    if (grid->blocks[row].high < INT64_MAX)
        shunt_json_integer(json, grid->blocks[row].high);
    else
        shunt_json_null(json);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, decision->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
    if (decision->rule)
        shunt_rule_json(json, grid->table, decision->rule);
    else
        shunt_json_put_rule(json, SHUNT_KEY_RULE, NULL, 0, NULL);
    shunt_json_put_flag(json, SHUNT_KEY_MODELLED, decision->modelled);
    shunt_json_close(json);
}

static void json_grid(struct shunt_json *json, const struct shunt_explain_grid *grid)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(grid->op));
    shunt_json_put_string(json, SHUNT_KEY_TABLE,
                          shunt_table_string(grid->table, grid->table->source));
    shunt_json_put_array(json, SHUNT_KEY_CELLS);
    for (int i = 0; i < grid->rows * grid->columns; i++)
        json_cell(json, grid, i / grid->columns, i % grid->columns);
    shunt_json_line(json);
    shunt_json_close(json);
    shunt_json_close(json);
}

int shunt_explain_grid_json(const struct shunt_explain_grid *grid)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    json_grid(&json, grid);
    return shunt_tool_write(&text, stdout);
}

static int put_embedded(struct shunt_json *json, void *context)
{
    shunt_json_key(json, SHUNT_KEY_EXPLAIN);
    json_grid(json, context);
    return SHUNT_EXIT_OK;
}

int shunt_explain_grid_html(struct shunt_explain_grid *grid)
{
    const struct shunt_view_content content = {
        .tables = {grid->table}, .table_count = 1, .put = put_embedded, .context = grid};
    return shunt_view_write(&content, grid->html);
}
