/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c: differences for programs: CSV and JSON. */
#include <string.h>

#include "tools/common/rules.h"
#include "tools/diff/diff.h"

static void put_conditions(struct shunt_json *json, const void *value)
{
    shunt_rules_box_json(json, value);
}

/* Parameters are joined by colons in CSV, as --algorithm takes them. */
#define ANSWER(prefix, which)                                                                      \
    {.key = SHUNT_KEY_ALGORITHM, .name = prefix "algorithm", .within = {which}},                   \
        {.key = SHUNT_KEY_PARAMETERS, .name = prefix "parameters", .in = SHUNT_IN_CSV},            \
        {.key = SHUNT_KEY_PARAMETERS, .within = {which}, .in = SHUNT_IN_JSON},                     \
        SHUNT_RULE_COLUMNS(prefix, which, SHUNT_KEY_RULE),                                         \
    {                                                                                              \
        .key = SHUNT_KEY_MODELLED, .within = {which}, .in = SHUNT_IN_JSON                          \
    }

static const struct shunt_column columns[] = {
    {.key = SHUNT_KEY_OPERATION},
    {.key = SHUNT_KEY_RANKS, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_NODES, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_PPN_MIN, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_PPN_MAX, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_BLOCK, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_DENSITY, .in = SHUNT_IN_CSV, .range = true},
    {.key = SHUNT_KEY_CONDITIONS, .in = SHUNT_IN_JSON, .own = put_conditions},
    {.key = SHUNT_KEY_EVERYWHERE},
    {.key = SHUNT_KEY_RANKS, .within = {SHUNT_KEY_EXAMPLE}},
    {.key = SHUNT_KEY_NODES, .within = {SHUNT_KEY_EXAMPLE}},
    {.key = SHUNT_KEY_PPN_MIN, .within = {SHUNT_KEY_EXAMPLE}},
    {.key = SHUNT_KEY_PPN_MAX, .within = {SHUNT_KEY_EXAMPLE}},
    {.key = SHUNT_KEY_BLOCK, .within = {SHUNT_KEY_EXAMPLE}},
    {.key = SHUNT_KEY_DENSITY, .within = {SHUNT_KEY_EXAMPLE}},
    ANSWER("first_", SHUNT_KEY_FIRST),
    ANSWER("second_", SHUNT_KEY_SECOND),
};

/* Nothing but sizes goes on behind the largest number. */
static struct shunt_field side_of(const struct shunt_difference *difference, int side)
{
    struct shunt_range range = difference->where.side[side];
    if (side != SHUNT_BOX_BLOCK && range.high >= INT32_MAX)
        range.high = INT64_MAX;
    return shunt_field_range(range);
}

static struct shunt_field *put_answer(struct shunt_field *row, const struct shunt_diff *diff,
                                      const struct shunt_difference *difference, int which,
                                      char spaced[SHUNT_DIFF_NAME])
{
    const struct shunt_diff_answer *answer = &difference->answer[which];
    const char *colon = strchr(answer->name, ':'), *parameters = colon ? colon + 1 : "";
    snprintf(spaced, SHUNT_DIFF_NAME, "%s", parameters);
    for (char *at = spaced; *at != '\0'; at++)
        *at = *at == ':' ? ' ' : *at;
    *row++ = shunt_field_text(answer->algorithm->name);
    *row++ = shunt_field_text(parameters);
    *row++ = shunt_field_text(spaced);
    row = shunt_rule_put(row, diff->table[which], answer->rule, answer->modelled);
    *row++ = shunt_field_flag(answer->modelled);
    return row;
}

static void put_difference(struct shunt_sheet *sheet, const struct shunt_diff *diff,
                           const struct shunt_difference *d)
{
    char spaced[SHUNT_DIFF_SIDES][SHUNT_DIFF_NAME];
    struct shunt_field row[SHUNT_COUNT_OF(columns)], *at = row;
    *at++ = shunt_field_text(shunt_op_name(d->op));
    for (int side = SHUNT_BOX_RANKS; side < SHUNT_BOX_SIDES; side++)
        *at++ = side_of(d, side);
    *at++ = side_of(d, SHUNT_BOX_BLOCK);
    *at++ = side_of(d, SHUNT_BOX_DENSITY);
    *at++ = shunt_field_own(&d->where);
    *at++ = shunt_field_flag(d->everywhere);
    *at++ = shunt_field_count(d->ranks);
    *at++ = shunt_field_count(d->nodes);
    *at++ = shunt_field_count(d->ppn_min);
    *at++ = shunt_field_count(d->ppn_max);
    *at++ = shunt_field_count(d->block);
    *at++ = shunt_field_count(d->density);
    for (int which = 0; which < SHUNT_DIFF_SIDES; which++)
        at = put_answer(at, diff, d, which, spaced[which]);
    shunt_sheet_row(sheet, row);
}

static int put_all(const struct shunt_diff *diff, const struct shunt_differences *found,
                   struct shunt_json *json)
{
    struct shunt_sheet sheet =
        SHUNT_SHEET(columns, .form = json ? SHUNT_SHEET_JSON : SHUNT_SHEET_CSV, .json = json,
                    .list = SHUNT_KEY_DIFFERENCES);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < found->count; i++)
        put_difference(&sheet, diff, &found->at[i]);
    return shunt_sheet_end(&sheet);
}

int shunt_diff_csv(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    return put_all(diff, found, NULL);
}

int shunt_diff_json(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    static const enum shunt_key keys[SHUNT_DIFF_SIDES] = {SHUNT_KEY_FIRST, SHUNT_KEY_SECOND};
    struct shunt_document document;
    struct shunt_json *json = shunt_document_begin(&document);
    for (int which = 0; which < SHUNT_DIFF_SIDES; which++) {
        const struct shunt_table *table = diff->table[which];
        const char *machine = shunt_table_string(table, table->machine);
        shunt_json_put_object(json, keys[which]);
        shunt_json_put_string(json, SHUNT_KEY_TABLE, shunt_table_string(table, table->source));
        shunt_json_put_string(json, SHUNT_KEY_MACHINE, machine[0] != '\0' ? machine : NULL);
        shunt_json_close(json);
    }
    shunt_json_put_flag(json, SHUNT_KEY_COMPLETE, !found->large);
    put_all(diff, found, json);
    return shunt_document_end(&document);
}
