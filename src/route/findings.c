/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c: rules that no call can reach. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/cover.h"
#include "route/findings.h"

/* Boxes looked at, in one table and for one rule: about a second, and a hundredth of one. */
#define LOOKS ((int64_t)1 << 29)
#define LOOKS_RULE ((int64_t)1 << 22)

/* More names do not make a message clearer. */
#define NAMES 3

struct search {
    const struct shunt_table *table;
    enum shunt_op op;
    struct shunt_boxes boxes; /* the rules so far that take every call within their conditions */
    uint32_t *rules;          /* their places in the list */
    bool *used;               /* whether each helps to hide the rule that is looked at */
    int64_t looks;
    struct shunt_diagnostics *findings;
};

/* A rule is passed over when its algorithm does not fit the layout or the memory; then the next one
 * that matches is its fallback. */
static bool may_be_passed_over(const struct shunt_rule *rule)
{
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    return algorithm->infeasible || algorithm->memory;
}

static const struct shunt_rule *rule_at(const struct search *search, uint32_t index)
{
    return &search->table->rules[search->table->rule_first[search->op] + index];
}

/* `rule "one node"`, `rule 3` */
static void describe(const struct search *search, uint32_t index, char *text, size_t capacity)
{
    const char *id = shunt_table_string(search->table, rule_at(search, index)->id);
    if (id[0] != '\0')
        snprintf(text, capacity, "rule \"%s\"", id);
    else
        snprintf(text, capacity, "rule %" PRIu32, index + 1);
}

/* Likewise, with where it is. */
static void locate(const struct search *search, uint32_t index, uint32_t from, char *text,
                   size_t capacity)
{
    const struct shunt_rule *rule = rule_at(search, index), *other = rule_at(search, from);
    const char *file = shunt_table_string(search->table, rule->file);
    char name[128];
    describe(search, index, name, sizeof name);
    if (strcmp(file, shunt_table_string(search->table, other->file)) == 0)
        snprintf(text, capacity, "%s in line %d", name, rule->line);
    else
        snprintf(text, capacity, "%s in %s:%d", name, file, rule->line);
}

static void report(const struct search *search, uint32_t index, const char *what)
{
    const struct shunt_rule *rule = rule_at(search, index);
    char name[128];
    describe(search, index, name, sizeof name);
    shunt_diagnostics_add(search->findings, "%s:%d: %s %s %s",
                          shunt_table_string(search->table, rule->file), rule->line,
                          shunt_op_name(search->op), name, what);
}

/* `never reached: rule "a" in line 3, rule 2 in line 4, rule "c" in line 5 and 2 more together take
 * every such call` */
static void report_hidden(const struct search *search, uint32_t index)
{
    char text[2048], other[512];
    size_t used = (size_t)snprintf(text, sizeof text, "is never reached: "), total = 0, named = 0;
    for (size_t i = 0; i < search->boxes.count; i++)
        total += search->used[i];
    for (size_t i = 0; i < search->boxes.count && named < NAMES; i++) {
        if (!search->used[i])
            continue;
        locate(search, search->rules[i], index, other, sizeof other);
        named++;
        const char *link = named == 1 ? "" : named == total ? " and " : ", ";
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", link, other);
    }
    if (total > named)
        used += (size_t)snprintf(text + used, sizeof text - used, " and %zu more", total - named);
    snprintf(text + used, sizeof text - used,
             total == 1 ? " takes every such call" : " together take every such call");
    report(search, index, text);
}

/* Whether earlier rules take every call of `box`. If one alone does, it is the only one used. */
static bool hidden(struct search *search, const struct shunt_box *box)
{
    const struct shunt_boxes *boxes = &search->boxes;
    int64_t looks = search->looks < LOOKS_RULE ? search->looks : LOOKS_RULE;
    search->looks -= looks;
    size_t at = shunt_boxes_touching(boxes, 0, box, &looks);
    while (at < boxes->count && !shunt_box_holds(&boxes->boxes[at], box))
        at = shunt_boxes_touching(boxes, at + 1, box, &looks);
    memset(search->used, 0, boxes->count * sizeof *search->used);
    if (at < boxes->count)
        search->used[at] = true;
    const bool all =
        at < boxes->count || shunt_boxes_cover(boxes, box, search->used, &looks) == SHUNT_COVER_ALL;
    search->looks += looks > 0 ? looks : 0;
    return all;
}

static const char *never(const struct shunt_rule *rule)
{
    const struct shunt_range block = rule->block, density = rule->density;
    if ((block.high == 0 && density.low > 0) || (density.high == 0 && block.low > 0))
        return "can never match: its block and density contradict each other: the density is 0 "
               "where all blocks are empty, and only there";
    return "can never match: its ranks, nodes and ppn contradict each other";
}

static void check_rule(struct search *search, uint32_t index)
{
    const struct shunt_rule *rule = rule_at(search, index);
    const struct shunt_box box = shunt_box_of(rule);
    if (!shunt_box_possible(&box)) {
        report(search, index, never(rule));
    } else if (hidden(search, &box)) {
        report_hidden(search, index);
    } else if (!may_be_passed_over(rule)) {
        search->rules[search->boxes.count] = index;
        shunt_boxes_add(&search->boxes, &box);
    }
}

void shunt_table_findings(const struct shunt_table *table, struct shunt_diagnostics *findings)
{
    struct search search = {.table = table, .looks = LOOKS, .findings = findings};
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const uint32_t count = table->rule_count[op];
        search.op = (enum shunt_op)op;
        search.rules = malloc(((size_t)count + 1) * sizeof *search.rules);
        search.used = malloc(((size_t)count + 1) * sizeof *search.used);
        if (!shunt_boxes_init(&search.boxes, count) || !search.rules || !search.used)
            shunt_diagnostics_add(findings, "%s: out of memory",
                                  shunt_table_string(table, table->source));
        else
            for (uint32_t i = 0; i < count; i++)
                check_rule(&search, i);
        shunt_boxes_clear(&search.boxes);
        free(search.rules);
        free(search.used);
    }
}
