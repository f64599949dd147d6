/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h: rules of tables as `shunt show` and `shunt check` print them. */
#ifndef SHUNT_TOOLS_RULES_H
#define SHUNT_TOOLS_RULES_H

#include "route/cover.h"
#include "route/route.h"
#include "tools/common/sheet.h"

/* Ranges of a rule, or of calls. Rules have `ppn` for every node; calls have the fewest and the
 * most ranks on a node. 0 to INT64_MAX is everything. */
struct shunt_conditions {
    struct shunt_range ranks, nodes, ppn, fewest, most, block, density;
    uint32_t oversubscribed; /* enum shunt_crowd */
};

/* "conditions": {"ranks": {"low": 2, "high": null}, ...}; ranges that hold everything are left out.
 */
void shunt_conditions_json(struct shunt_json *json, const struct shunt_conditions *conditions);

/* The same of calls in a box, without its natural ends. */
void shunt_rules_box_json(struct shunt_json *json, const struct shunt_box *box);
/* "ranks 2-63, nodes 4, ppn 2": where the box is less than the space, its blocks and densities
 * aside; and these: "block 513-8K, density 0-50". Both append to a list. */
enum { SHUNT_RULES_ROOM = 320 };
void shunt_rules_layouts_print(const struct shunt_box *box, const struct shunt_box *space,
                               char text[SHUNT_RULES_ROOM]);
void shunt_rules_sizes_print(const struct shunt_box *box, const struct shunt_box *space,
                             char text[SHUNT_RULES_ROOM]);
/* Appends to a list in words, behind a comma unless it is the first. */
void shunt_rules_append(char text[SHUNT_RULES_ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "rule": {"file": ..., "line": ..., "id": ...}. */
void shunt_rule_json(struct shunt_json *json, const struct shunt_table *table,
                     const struct shunt_rule *rule);

/* The rule of a decision in a row, in the order of SHUNT_RULE_COLUMNS; returns the place behind.
 * rule: NULL where none took the call. CSV has "model" for the file where the model chose. */
#define SHUNT_RULE_COLUMNS(prefix, ...)                                                            \
    {.key = SHUNT_KEY_FILE, .name = prefix "file", .in = SHUNT_IN_CSV},                            \
        {.key = SHUNT_KEY_FILE, .within = {__VA_ARGS__}, .in = SHUNT_IN_JSON, .null = true},       \
        {.key = SHUNT_KEY_LINE, .name = prefix "line", .within = {__VA_ARGS__}},                   \
    {                                                                                              \
        .key = SHUNT_KEY_ID, .name = prefix "id", .within = { __VA_ARGS__ }                        \
    }
struct shunt_field *shunt_rule_put(struct shunt_field *row, const struct shunt_table *table,
                                   const struct shunt_rule *rule, bool modelled);

/* The parameters that a rule gives, as "radix=4x2 batch_size=16"; "" without any. */
void shunt_rule_parameters(const struct shunt_rule *rule, char *text, size_t capacity);

/* "node-pair:leaders=4", as SHUNT_FORCE takes it, with the values that the parameters have;
 * `spelt`: as the rule has them, where one decided. */
void shunt_decision_name(const struct shunt_decision *decision, bool spelt, char *text,
                         size_t capacity);

/* What calls of `op` are that no rule takes: "native", "the model's choice". */
const char *shunt_rules_otherwise(const struct shunt_table *table, enum shunt_op op);

#endif
