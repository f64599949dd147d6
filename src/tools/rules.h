/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h: rules of tables as `shunt show` and `shunt check` print them. */
#ifndef SHUNT_TOOLS_RULES_H
#define SHUNT_TOOLS_RULES_H

#include "log/json.h"
#include "route/route.h"

/* Ranges of a rule, or of calls. Rules have `ppn` for every node; calls have the fewest and the
 * most ranks on a node. 0 to INT64_MAX is everything. */
struct shunt_conditions {
    struct shunt_range ranks, nodes, ppn, fewest, most, block, density;
    uint32_t oversubscribed; /* enum shunt_crowd */
};

/* "conditions": {"ranks": {"low": 2, "high": null}, ...}; ranges that hold everything are left out.
 */
void shunt_conditions_json(struct shunt_json *json, const struct shunt_conditions *conditions);

/* "rule": {"file": ..., "line": ..., "id": ...}. */
void shunt_rule_json(struct shunt_json *json, const struct shunt_table *table,
                     const struct shunt_rule *rule);

/* A comma and the text, quoted where it needs that (RFC 4180), to stdout. */
void shunt_csv_put(const char *text);

/* The parameters that a rule gives, as "radix=4x2 batch_size=16"; "" without any. */
void shunt_rule_parameters(const struct shunt_rule *rule, char *text, size_t capacity);

/* "node-pair:leaders=4", as SHUNT_FORCE takes it, with the values that the parameters have;
 * `spelt`: as the rule has them, where one decided. */
void shunt_decision_name(const struct shunt_decision *decision, bool spelt, char *text,
                         size_t capacity);

/* What calls of `op` are that no rule takes: "native", "the model's choice". */
const char *shunt_rules_otherwise(const struct shunt_table *table, enum shunt_op op);

#endif
