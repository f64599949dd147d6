/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: differences for people: a line each in columns, or some short ones. */
#include <string.h>

#include "base/size.h"
#include "route/words.h"
#include "tools/common/fold.h"
#include "tools/common/rules.h"
#include "tools/diff/diff.h"

enum { WORDS = SHUNT_RULES_ROOM, COLUMNS = 6, RULE = 320 };

struct cells {
    char text[COLUMNS][WORDS + RULE];
};

static bool is_point(const struct shunt_box *box)
{
    for (int i = SHUNT_BOX_RANKS; i < SHUNT_BOX_SIDES; i++)
        if (box->side[i].low != box->side[i].high)
            return false;
    return true;
}

/* "64 ranks on 4 nodes", or the conditions of the calls: "ranks 64-127, nodes 4". What all calls
 * have that were asked about is left out. */
static void describe(const struct shunt_difference *difference, const struct shunt_box *space,
                     char *text)
{
    text[0] = '\0';
    if (is_point(&difference->where)) {
        shunt_rules_append(text, "%d rank%s on %d node%s", difference->ranks,
                           shunt_tool_plural((uint64_t)difference->ranks), difference->nodes,
                           shunt_tool_plural((uint64_t)difference->nodes));
        if (difference->ppn_min != difference->ppn_max)
            shunt_rules_append(text, "%d to %d per node", difference->ppn_min, difference->ppn_max);
        return;
    }
    shunt_rules_layouts_print(&difference->where, space, text);
    if (text[0] == '\0')
        shunt_rules_append(text, "all");
}

/* Of differences that not all calls have: one that does. */
static void put_example(const struct shunt_difference *difference, char *text, size_t capacity)
{
    char block[32];
    text[0] = '\0';
    if (difference->everywhere)
        return;
    shunt_size_print(difference->block, block, sizeof block);
    snprintf(text, capacity, "some: %d rank%s on %d node%s, %s", difference->ranks,
             shunt_tool_plural((uint64_t)difference->ranks), difference->nodes,
             shunt_tool_plural((uint64_t)difference->nodes), block);
}

static void name_rule(const struct shunt_diff *diff, const struct shunt_difference *difference,
                      int which, char *text, size_t capacity)
{
    const struct shunt_diff_answer *answer = &difference->answer[which];
    if (answer->rule)
        shunt_tool_rule(diff->table[which], answer->rule, text, capacity);
    else
        snprintf(text, capacity, "%s", answer->modelled ? "the model" : "no rule");
}

/* "513-8K", "513-8K, density 1-50". */
static void describe_blocks(const struct shunt_difference *difference,
                            const struct shunt_box *space, char *text)
{
    struct shunt_box sparse = difference->where;
    sparse.side[SHUNT_BOX_BLOCK] = space->side[SHUNT_BOX_BLOCK]; /* it goes without the word */
    shunt_range_spell(difference->where.side[SHUNT_BOX_BLOCK], text, SHUNT_RULES_ROOM);
    shunt_rules_sizes_print(&sparse, space, text);
}

static void cells_make(struct cells *cells, const struct shunt_diff *diff,
                       const struct shunt_difference *difference)
{
    const size_t room = sizeof cells->text[0];
    char first[RULE], second[RULE];
    describe(difference, &diff->space, cells->text[0]);
    describe_blocks(difference, &diff->space, cells->text[1]);
    snprintf(cells->text[2], room, "%s -> %s", difference->answer[0].name,
             difference->answer[1].name);
    name_rule(diff, difference, 0, first, sizeof first);
    name_rule(diff, difference, 1, second, sizeof second);
    snprintf(cells->text[3], room, "%.*s", (int)room - 1, first);
    snprintf(cells->text[4], room, "-> %.*s", (int)room - 4, second);
    put_example(difference, cells->text[5], room);
}

/* All in columns on one line: operation, calls, sizes, what becomes of them, the rules, and an
 * example. */
static const struct shunt_column wide_columns[] = {
    {.key = SHUNT_KEY_OPERATION, .title = ""},
    {.key = SHUNT_KEY_CONDITIONS, .title = ""},
    {.key = SHUNT_KEY_BLOCK, .title = ""},
    {.key = SHUNT_KEY_CANDIDATE, .title = ""},
    {.key = SHUNT_KEY_FIRST, .title = ""},
    {.key = SHUNT_KEY_SECOND, .title = ""},
    {.key = SHUNT_KEY_EXAMPLE, .title = "", .none = ""},
};

static int print_wide(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    struct shunt_sheet sheet = SHUNT_SHEET(wide_columns, .form = SHUNT_SHEET_TEXT, .wide = true);
    struct cells cells;
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < found->count; i++) {
        struct shunt_field row[1 + COLUMNS] = {shunt_field_text(shunt_op_name(found->at[i].op))};
        cells_make(&cells, diff, &found->at[i]);
        for (int j = 0; j < COLUMNS; j++)
            row[1 + j] = shunt_field_text(cells.text[j]);
        shunt_sheet_row(&sheet, row);
    }
    return shunt_sheet_end(&sheet);
}

/* Two parts on one line if they fit, otherwise on two, or more. */
static void print_parts(const char *first, const char *second, int indent)
{
    char line[2 * (WORDS + RULE) + 80];
    const int wide = indent + shunt_tool_width(first) + 2 + shunt_tool_width(second);
    const int length =
        wide <= SHUNT_FOLD_COLUMNS
            ? snprintf(line, sizeof line, "%*s%s  %s\n", indent, "", first, second)
            : snprintf(line, sizeof line, "%*s%s\n%*s%s\n", indent, "", first, indent, "", second);
    shunt_fold_put(stdout, line, (size_t)length, indent + 2);
}

/* The calls and what becomes of them; below, the rules and an example. */
static void print_folded(const struct shunt_difference *difference, const struct cells *cells,
                         const int *width)
{
    const int indent = width[COLUMNS] + 2, columns = indent + width[0] + 2 + width[1] + 2;
    const bool aligned = columns + width[2] <= SHUNT_FOLD_COLUMNS;
    char calls[3 * (WORDS + RULE)], line[4 * (WORDS + RULE) + 80];
    snprintf(calls, sizeof calls, "%-*s  %s%*s  %s%*s", width[COLUMNS],
             shunt_op_name(difference->op), cells->text[0],
             aligned ? width[0] - shunt_tool_width(cells->text[0]) : 0, "", cells->text[1],
             aligned ? width[1] - shunt_tool_width(cells->text[1]) : 0, "");
    const bool fits =
        shunt_tool_width(calls) + 2 + shunt_tool_width(cells->text[2]) <= SHUNT_FOLD_COLUMNS;
    const int length = snprintf(line, sizeof line, "%s%s%*s%s\n", calls, fits ? "" : "\n",
                                fits ? 2 : indent, "", cells->text[2]);
    shunt_fold_put(stdout, line, (size_t)length, indent + 2);
    print_parts(cells->text[3], cells->text[4], indent);
    if (cells->text[5][0] != '\0')
        printf("%*s%s\n", indent, "", cells->text[5]);
}

static void print_all_folded(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    int width[COLUMNS + 1] = {0};
    struct cells cells;
    for (size_t i = 0; i < found->count; i++) {
        const int op = (int)strlen(shunt_op_name(found->at[i].op));
        cells_make(&cells, diff, &found->at[i]);
        width[COLUMNS] = op > width[COLUMNS] ? op : width[COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            if (shunt_tool_width(cells.text[j]) > width[j])
                width[j] = shunt_tool_width(cells.text[j]);
    }
    for (size_t i = 0; i < found->count; i++) {
        cells_make(&cells, diff, &found->at[i]);
        print_folded(&found->at[i], &cells, width);
    }
}

int shunt_diff_text(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    shunt_tool_table_line("first      ", diff->table[0], diff->wide);
    shunt_tool_table_line("second     ", diff->table[1], diff->wide);
    puts(found->count > 0 ? "" : "no difference");
    if (diff->wide)
        return print_wide(diff, found);
    print_all_folded(diff, found);
    return SHUNT_EXIT_OK;
}
