/* SPDX-License-Identifier: BSD-3-Clause */
/* same_table.h: whether two tables decide alike: equal in all but the places of their rules. */
#ifndef SHUNT_TESTS_SAME_TABLE_H
#define SHUNT_TESTS_SAME_TABLE_H

#include <string.h>

#include "route/table.h"

static inline bool same_range(struct shunt_range a, struct shunt_range b)
{
    return a.low == b.low && a.high == b.high;
}

static inline bool same_values(const struct shunt_value *x, const struct shunt_value *y)
{
    for (int i = 0; i < SHUNT_VALUE_COUNT; i++)
        if (x[i].formula != y[i].formula || x[i].number != y[i].number)
            return false;
    return true;
}

static inline bool same_rule(const struct shunt_table *a, const struct shunt_rule *x,
                             const struct shunt_table *b, const struct shunt_rule *y)
{
    return strcmp(shunt_table_string(a, x->id), shunt_table_string(b, y->id)) == 0 &&
           x->algorithm == y->algorithm && same_range(x->ranks, y->ranks) &&
           same_range(x->nodes, y->nodes) && same_range(x->ppn, y->ppn) &&
           same_range(x->block, y->block) && x->memory == y->memory && x->present == y->present &&
           same_values(x->given, y->given);
}

/* Bytes, those between members too: they count for fingerprints, so every one of them is set. */
static inline bool same_model(const struct shunt_machine *x, const struct shunt_machine *y)
{
    const void *a = x, *b = y;
    return memcmp(a, b, sizeof *x) == 0;
}

static inline bool same_table(const struct shunt_table *a, const struct shunt_table *b)
{
    /* Numbers in it are compared by their bits: what is read back has the same ones. */
    if (strcmp(shunt_table_string(a, a->machine), shunt_table_string(b, b->machine)) != 0 ||
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        memcmp(&a->policy, &b->policy, sizeof a->policy) != 0 || a->modelled != b->modelled ||
        !same_model(&a->model, &b->model))
        return false;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (a->rule_count[op] != b->rule_count[op])
            return false;
        for (uint32_t i = 0; i < a->rule_count[op]; i++)
            if (!same_rule(a, &a->rules[a->rule_first[op] + i], b,
                           &b->rules[b->rule_first[op] + i]))
                return false;
    }
    return true;
}

#endif
