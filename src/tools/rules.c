/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: parts of rules, for people and as JSON. */
#include "tools/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/words.h"
#include "route/write.h"
#include "tools/tool.h"

static void json_range(struct shunt_json *json, enum shunt_key key, struct shunt_range range)
{
    if (range.low == 0 && range.high == INT64_MAX)
        return;
    shunt_json_put_object(json, key);
    shunt_json_put_known(json, SHUNT_KEY_LOW, range.low);
    shunt_json_key(json, SHUNT_KEY_HIGH);
    if (range.high < INT64_MAX)
        shunt_json_integer(json, range.high);
    else
        shunt_json_null(json);
    shunt_json_close(json);
}

void shunt_conditions_json(struct shunt_json *json, const struct shunt_conditions *conditions)
{
    shunt_json_put_object(json, SHUNT_KEY_CONDITIONS);
    json_range(json, SHUNT_KEY_RANKS, conditions->ranks);
    json_range(json, SHUNT_KEY_NODES, conditions->nodes);
    json_range(json, SHUNT_KEY_PPN, conditions->ppn);
    json_range(json, SHUNT_KEY_PPN_MIN, conditions->fewest);
    json_range(json, SHUNT_KEY_PPN_MAX, conditions->most);
    json_range(json, SHUNT_KEY_BLOCK, conditions->block);
    json_range(json, SHUNT_KEY_DENSITY, conditions->density);
    if (conditions->oversubscribed != SHUNT_CROWD_ANY)
        shunt_json_put_flag(json, SHUNT_KEY_OVERSUBSCRIBED,
                            conditions->oversubscribed == SHUNT_CROWD_YES);
    shunt_json_close(json);
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

void shunt_csv_put(const char *text)
{
    char *clean = shunt_tool_clean(text);
    const char *at = clean ? clean : "?", *quote = strpbrk(at, ",\"") ? "\"" : "";
    printf(",%s", quote);
    for (; *at != '\0'; at++)
        fputs((char[]){*at, *at == '"' ? '"' : '\0', '\0'}, stdout);
    fputs(quote, stdout);
    free(clean);
}
