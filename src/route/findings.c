/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c: rules that no call can reach. */
#include <stdio.h>

#include "route/findings.h"

static bool covers(struct shunt_range outer, struct shunt_range inner)
{
    return outer.low <= inner.low && outer.high >= inner.high;
}

/* A rule is passed over when its algorithm does not fit the layout or the memory; then the next one that matches is its fallback. */
static bool may_be_passed_over(const struct shunt_rule *rule)
{
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    return algorithm->infeasible != NULL || algorithm->memory != NULL;
}

static bool hides(const struct shunt_rule *earlier, const struct shunt_rule *rule)
{
    return covers(earlier->ranks, rule->ranks) && covers(earlier->nodes, rule->nodes) && covers(earlier->ppn, rule->ppn) &&
           covers(earlier->block, rule->block) && !may_be_passed_over(earlier);
}

/* Smallest and largest number of ranks that so many nodes of so many ranks can have. Ends that are open stay open. */
static struct shunt_range ranks_possible(const struct shunt_rule *rule)
{
    struct shunt_range ranks = {1, INT64_MAX};
    int64_t nodes = rule->nodes.low > 1 ? rule->nodes.low : 1, ppn = rule->ppn.low > 1 ? rule->ppn.low : 1;
    ranks.low = nodes > INT64_MAX / ppn ? INT64_MAX : nodes * ppn;
    if (rule->ppn.high == 0 || rule->nodes.high == 0)
        ranks.high = 0;
    else if (rule->nodes.high <= INT64_MAX / rule->ppn.high)
        ranks.high = rule->nodes.high * rule->ppn.high;
    return ranks;
}

static void describe(const struct shunt_table *table, const struct shunt_rule *rule, uint32_t number, char *text, size_t room)
{
    const char *id = shunt_table_string(table, rule->id);
    if (id[0] != '\0')
        snprintf(text, room, "rule \"%s\"", id);
    else
        snprintf(text, room, "rule %u", number + 1);
}

static void check_rule(const struct shunt_table *table, enum shunt_op op, uint32_t index, struct shunt_problems *findings)
{
    const struct shunt_rule *rules = &table->rules[table->rule_first[op]], *rule = &rules[index];
    const char *file = shunt_table_string(table, rule->file);
    char name[128], other[128];
    describe(table, rule, index, name, sizeof name);
    struct shunt_range possible = ranks_possible(rule);
    if (possible.low > rule->ranks.high || possible.high < rule->ranks.low || rule->ranks.high < 1) {
        shunt_problems_add(findings, "%s:%d: %s %s can never match: its ranks, nodes and ppn contradict each other", file, rule->line,
                           shunt_op_name(op), name);
        return;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (!hides(&rules[i], rule))
            continue;
        describe(table, &rules[i], i, other, sizeof other);
        shunt_problems_add(findings, "%s:%d: %s %s is never reached: %s in line %d takes every such call", file, rule->line,
                           shunt_op_name(op), name, other, rules[i].line);
        return;
    }
}

void shunt_table_findings(const struct shunt_table *table, struct shunt_problems *findings)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        for (uint32_t i = 0; i < table->rule_count[op]; i++)
            check_rule(table, (enum shunt_op)op, i, findings);
}
