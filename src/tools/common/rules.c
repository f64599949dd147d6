/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: parts of rules, for people and as JSON. */
#include "tools/common/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "route/words.h"
#include "route/write.h"
#include "tools/common/tool.h"

static const struct shunt_column conditions_columns[] = {
    {.key = SHUNT_KEY_RANKS},   {.key = SHUNT_KEY_NODES},          {.key = SHUNT_KEY_PPN},
    {.key = SHUNT_KEY_PPN_MIN}, {.key = SHUNT_KEY_PPN_MAX},        {.key = SHUNT_KEY_BLOCK},
    {.key = SHUNT_KEY_DENSITY}, {.key = SHUNT_KEY_OVERSUBSCRIBED},
};

void shunt_conditions_json(struct shunt_json *json, const struct shunt_conditions *conditions)
{
    const struct shunt_field row[] = {
        shunt_field_range(conditions->ranks),
        shunt_field_range(conditions->nodes),
        shunt_field_range(conditions->ppn),
        shunt_field_range(conditions->fewest),
        shunt_field_range(conditions->most),
        shunt_field_range(conditions->block),
        shunt_field_range(conditions->density),
        conditions->oversubscribed == SHUNT_CROWD_ANY
            ? shunt_field_unknown()
            : shunt_field_flag(conditions->oversubscribed == SHUNT_CROWD_YES),
    };
    shunt_json_put_object(json, SHUNT_KEY_CONDITIONS);
    shunt_sheet_members(json, conditions_columns, SHUNT_COUNT_OF(conditions_columns), row);
    shunt_json_close(json);
}

/* A side of a box as conditions have it: without its natural ends. */
static struct shunt_range open_ends(struct shunt_range range, int side)
{
    if (side == SHUNT_BOX_DENSITY && range.high >= SHUNT_DENSITY_FULL)
        range.high = INT64_MAX;
    if (side >= SHUNT_BOX_RANKS && range.high >= INT32_MAX)
        range = (struct shunt_range){range.low > 1 ? range.low : 0, INT64_MAX};
    return range;
}

void shunt_rules_box_json(struct shunt_json *json, const struct shunt_box *box)
{
    const struct shunt_conditions conditions = {
        .ranks = open_ends(box->side[SHUNT_BOX_RANKS], SHUNT_BOX_RANKS),
        .nodes = open_ends(box->side[SHUNT_BOX_NODES], SHUNT_BOX_NODES),
        .ppn = {0, INT64_MAX},
        .fewest = open_ends(box->side[SHUNT_BOX_LEAST], SHUNT_BOX_LEAST),
        .most = open_ends(box->side[SHUNT_BOX_MOST], SHUNT_BOX_MOST),
        .block = box->side[SHUNT_BOX_BLOCK],
        .density = open_ends(box->side[SHUNT_BOX_DENSITY], SHUNT_BOX_DENSITY)};
    shunt_conditions_json(json, &conditions);
}

void shunt_rules_append(char text[SHUNT_RULES_ROOM], const char *format, ...)
{
    const size_t used = strlen(text), comma = used > 0 ? 2 : 0;
    va_list arguments;
    va_start(arguments, format);
    if (used + comma + 1 < SHUNT_RULES_ROOM) {
        memcpy(text + used, ", ", comma + 1);
        text[used + comma] = '\0';
        vsnprintf(text + used + comma, SHUNT_RULES_ROOM - used - comma, format, arguments);
    }
    va_end(arguments);
}

static void append_range(char text[SHUNT_RULES_ROOM], const char *what, struct shunt_range range,
                         struct shunt_range all, int side)
{
    char printed[64];
    if (range.low <= all.low && range.high >= all.high)
        return;
    if (side >= SHUNT_BOX_RANKS)
        range = open_ends(range, side);
    (side == SHUNT_BOX_BLOCK ? shunt_range_spell : shunt_range_print)(range, printed,
                                                                      sizeof printed);
    shunt_rules_append(text, "%s %s", what, printed);
}

/* The nodes with the fewest and the most ranks bound each other, so one bound is often said by the
 * other. */
void shunt_rules_layouts_print(const struct shunt_box *box, const struct shunt_box *space,
                               char text[SHUNT_RULES_ROOM])
{
    const struct shunt_range *side = box->side, *all = space->side, least = side[SHUNT_BOX_LEAST],
                             most = side[SHUNT_BOX_MOST], ppn = {least.low, most.high},
                             ppn_all = {all[SHUNT_BOX_LEAST].low, all[SHUNT_BOX_MOST].high};
    append_range(text, "ranks", side[SHUNT_BOX_RANKS], all[SHUNT_BOX_RANKS], SHUNT_BOX_RANKS);
    append_range(text, "nodes", side[SHUNT_BOX_NODES], all[SHUNT_BOX_NODES], SHUNT_BOX_NODES);
    append_range(text, "ppn", ppn, ppn_all, SHUNT_BOX_MOST);
    if (least.high < most.high && least.high < all[SHUNT_BOX_LEAST].high)
        shunt_rules_append(text, "a node of at most %" PRId64 " rank%s", least.high,
                           shunt_tool_plural((uint64_t)least.high));
    if (most.low > least.low && most.low > all[SHUNT_BOX_MOST].low)
        shunt_rules_append(text, "a node of at least %" PRId64 " rank%s", most.low,
                           shunt_tool_plural((uint64_t)most.low));
}

void shunt_rules_sizes_print(const struct shunt_box *box, const struct shunt_box *space,
                             char text[SHUNT_RULES_ROOM])
{
    append_range(text, "block", box->side[SHUNT_BOX_BLOCK], space->side[SHUNT_BOX_BLOCK],
                 SHUNT_BOX_BLOCK);
    append_range(text, "density", box->side[SHUNT_BOX_DENSITY], space->side[SHUNT_BOX_DENSITY],
                 SHUNT_BOX_DENSITY);
}

struct shunt_field *shunt_rule_put(struct shunt_field *row, const struct shunt_table *table,
                                   const struct shunt_rule *rule, bool modelled)
{
    const char *file = rule ? shunt_table_string(table, rule->file) : NULL;
    *row++ = shunt_field_text(file ? file : modelled ? "model" : NULL);
    *row++ = shunt_field_text(file);
    *row++ = shunt_field_some(rule ? rule->line : 0);
    *row++ = shunt_field_text(rule ? shunt_table_string(table, rule->id) : NULL);
    return row;
}

void shunt_rule_json(struct shunt_json *json, const struct shunt_table *table,
                     const struct shunt_rule *rule)
{
    shunt_json_put_rule(json, SHUNT_KEY_RULE, shunt_table_string(table, rule->file), rule->line,
                        shunt_table_string(table, rule->id));
}

void shunt_rule_parameters(const struct shunt_rule *rule, char *text, size_t capacity)
{
    struct shunt_log_text printed = {.bytes = text, .capacity = capacity - 1};
    for (int i = 0; i < SHUNT_PARAM_COUNT; i++) {
        char value[256];
        shunt_rule_value_print(rule, (enum shunt_param)i, value, sizeof value);
        if (value[0] == '\0')
            continue;
        shunt_log_text_string(&printed, printed.used > 0 ? " " : "");
        shunt_log_text_string(&printed, shunt_param_name((enum shunt_param)i));
        shunt_log_text_string(&printed, "=");
        shunt_log_text_string(&printed, value);
    }
    text[printed.used] = '\0';
}

void shunt_decision_name(const struct shunt_decision *decision, bool spelt, char *text,
                         size_t capacity)
{
    const size_t used = (size_t)snprintf(text, capacity, "%s:", decision->algorithm->name);
    if (used >= capacity)
        return;
    char *parameters = text + used;
    if (spelt && decision->rule)
        shunt_rule_parameters(decision->rule, parameters, capacity - used);
    else
        shunt_params_print(decision->algorithm, &decision->params, parameters, capacity - used);
    if (parameters[0] == '\0')
        parameters[-1] = '\0';
    for (; *parameters != '\0'; parameters++)
        *parameters = *parameters == ' ' ? ':' : *parameters;
}

const char *shunt_rules_otherwise(const struct shunt_table *table, enum shunt_op op)
{
    return shunt_table_chooses(table, op) ? "the model's choice" : "native";
}
