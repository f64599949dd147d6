/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: whether a rule can take a call, and if not, why. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"
#include "route/match.h"
#include "route/words.h"

static bool within(int64_t value, struct shunt_range range)
{
    return value >= range.low && value <= range.high;
}

/* Writes the reason and answers false, so that callers can return it. */
__attribute__((format(printf, 3, 4))) static bool refuse(char *reason, size_t capacity,
                                                         const char *format, ...)
{
    if (!reason || capacity == 0)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, capacity, format, arguments);
    va_end(arguments);
    return false;
}

static bool refuse_range(char *reason, size_t capacity, const char *what, int64_t value,
                         struct shunt_range range)
{
    char text[48];
    if (!reason)
        return false; /* set-up asks of every rule, and wants no words */
    shunt_range_print(range, text, sizeof text);
    return refuse(reason, capacity, "%s %" PRId64 " not in %s", what, value, text);
}

/* As decision files have sizes: 513-8K. */
static bool refuse_block(char *reason, size_t capacity, int64_t block, struct shunt_range range)
{
    char text[64];
    shunt_range_spell(range, text, sizeof text);
    return refuse(reason, capacity, "block %" PRId64 " not in %s", block, text);
}

static bool refuse_ppn(char *reason, size_t capacity, const struct shunt_layout *layout,
                       struct shunt_range range)
{
    char text[48];
    if (!reason)
        return false;
    if (layout->ppn_min == layout->ppn_max)
        return refuse_range(reason, capacity, "ppn", layout->ppn_min, range);
    shunt_range_print(range, text, sizeof text);
    return refuse(reason, capacity, "ppn %d-%d not within %s", layout->ppn_min, layout->ppn_max,
                  text);
}

bool shunt_match_layout(const struct shunt_rule *rule, enum shunt_op op,
                        const struct shunt_layout *layout, struct shunt_params *params,
                        char *reason, size_t capacity)
{
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    if (!algorithm)
        return refuse(reason, capacity, "algorithm not known to this version");
    if (rule->expected)
        return refuse(reason, capacity, "expected to gain, but not tried yet");
    if ((algorithm->ops & (1U << op)) == 0)
        return refuse(reason, capacity, "%s does not serve %s", algorithm->name, shunt_op_name(op));
    if (!within(layout->ranks, rule->ranks))
        return refuse_range(reason, capacity, "ranks", layout->ranks, rule->ranks);
    if (!within(layout->nodes, rule->nodes))
        return refuse_range(reason, capacity, "nodes", layout->nodes, rule->nodes);
    if (!within(layout->ppn_min, rule->ppn) || !within(layout->ppn_max, rule->ppn))
        return refuse_ppn(reason, capacity, layout, rule->ppn);
    if (rule->oversubscribed != SHUNT_CROWD_ANY &&
        layout->oversubscribed != (rule->oversubscribed == SHUNT_CROWD_YES))
        return refuse(reason, capacity, "%s",
                      layout->oversubscribed ? "oversubscribed" : "not oversubscribed");
    *params = shunt_params_evaluate(algorithm, rule->present, rule->given, layout);
    const char *obstacle = algorithm->infeasible ? algorithm->infeasible(layout, params) : NULL;
    if (obstacle)
        return refuse(reason, capacity, "%s: %s", algorithm->name, obstacle);
    return true;
}

int64_t shunt_match_cap(const struct shunt_table *table, const struct shunt_rule *rule,
                        int64_t memory_cap)
{
    int64_t cap = rule->memory;
    const int64_t common = memory_cap >= 0 ? memory_cap : table->policy.memory;
    return common < cap ? common : cap;
}

bool shunt_match_blocks(const struct shunt_rule *rule, const struct shunt_layout *layout,
                        const struct shunt_params *params, int64_t cap, struct shunt_range *blocks)
{
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    *blocks = rule->block;
    if (!algorithm->memory || algorithm->memory(layout, params, blocks->high) <= cap)
        return true;
    if (algorithm->memory(layout, params, blocks->low) > cap)
        return false;
    /* `low` fits, `high` does not, and memory never decreases: halve the distance. It mostly is
     * larger than the block, which shortens the way. */
    int64_t low = blocks->low, high = blocks->high;
    if (low < cap && cap < high && algorithm->memory(layout, params, cap) > cap)
        high = cap;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (algorithm->memory(layout, params, middle) <= cap)
            low = middle;
        else
            high = middle;
    }
    blocks->high = low;
    return true;
}

bool shunt_rule_matches(const struct shunt_table *table, const struct shunt_rule *rule,
                        enum shunt_op op, const struct shunt_layout *layout, int64_t memory_cap,
                        int64_t block, int density, char *reason, size_t capacity)
{
    struct shunt_params params;
    if (capacity > 0)
        reason[0] = '\0';
    if (!shunt_match_layout(rule, op, layout, &params, reason, capacity))
        return false;
    if (!within(block, rule->block))
        return refuse_block(reason, capacity, block, rule->block);
    if (op == SHUNT_OP_ALLTOALLV && !within(density, rule->density))
        return refuse_range(reason, capacity, "density", density, rule->density);
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    int64_t cap = shunt_match_cap(table, rule, memory_cap);
    int64_t needed = algorithm->memory ? algorithm->memory(layout, &params, block) : 0;
    if (needed <= cap)
        return true;
    char needed_text[32], cap_text[32];
    shunt_bytes_print((uint64_t)cap, cap_text, sizeof cap_text);
    if (needed == INT64_MAX)
        return refuse(reason, capacity, "needs more memory than can be addressed, cap is %s",
                      cap_text);
    shunt_bytes_print((uint64_t)needed, needed_text, sizeof needed_text);
    return refuse(reason, capacity, "needs %s, cap is %s", needed_text, cap_text);
}
