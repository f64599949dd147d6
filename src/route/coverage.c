/* SPDX-License-Identifier: BSD-3-Clause */
/* coverage.c: gaps between rules, and rules that overlap. */
#include <stdlib.h>

#include "route/coverage.h"

/* Boxes looked at for gaps, and for overlaps: well below a second for each. */
#define LOOKS ((int64_t)1 << 27)

/* By nodes, ranks, ranks on a node, block, density. */
static int by_layout(const void *a, const void *b)
{
    static const int order[] = {SHUNT_BOX_NODES,         SHUNT_BOX_RANKS, SHUNT_BOX_LEAST,
                                SHUNT_BOX_MOST,          SHUNT_BOX_BLOCK, SHUNT_BOX_DENSITY,
                                SHUNT_BOX_OVERSUBSCRIBED};
    const struct shunt_box *left = a, *right = b;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const struct shunt_range x = left->side[order[i]], y = right->side[order[i]];
        if (x.low != y.low || x.high != y.high)
            return x.low < y.low || (x.low == y.low && x.high < y.high) ? -1 : 1;
    }
    return 0;
}

/* A gap that was found later may hold an earlier one: its own calls are no obstacle to it where
 * blocks are empty and the density is not. */
static void drop_inner(struct shunt_coverage *coverage)
{
    size_t kept = 0;
    for (size_t i = 0; i < coverage->gap_count; i++) {
        bool inner = false;
        for (size_t j = 0; j < coverage->gap_count && !inner; j++)
            inner = (j < kept || j > i) && shunt_box_holds(&coverage->gaps[j], &coverage->gaps[i]);
        if (!inner)
            coverage->gaps[kept++] = coverage->gaps[i];
    }
    coverage->gap_count = kept;
}

static bool find_gaps(struct shunt_coverage *coverage, const struct shunt_table *table,
                      enum shunt_op op, const struct shunt_box *space, size_t most)
{
    const uint32_t count = table->rule_count[op];
    struct shunt_boxes boxes;
    int64_t looks = LOOKS;
    coverage->gaps = malloc((most + 1) * sizeof *coverage->gaps);
    const bool room = shunt_boxes_init(&boxes, count + most) && coverage->gaps;
    for (uint32_t i = 0; room && i < count; i++) {
        const struct shunt_box box = shunt_box_of(&table->rules[table->rule_first[op] + i]);
        if (shunt_box_possible(&box))
            shunt_boxes_add(&boxes, &box);
    }
    if (room) {
        coverage->gap_count =
            shunt_boxes_gaps(&boxes, space, coverage->gaps, most, &coverage->gaps_complete, &looks);
        drop_inner(coverage);
    }
    if (coverage->gaps && coverage->gap_count > 0)
        qsort(coverage->gaps, coverage->gap_count, sizeof *coverage->gaps, by_layout);
    shunt_boxes_clear(&boxes);
    return room;
}

/* Whether two rules decide alike, so that it does not matter which of them takes a call. */
static bool alike(const struct shunt_rule *a, const struct shunt_rule *b)
{
    bool same = a->algorithm == b->algorithm && a->memory == b->memory && a->present == b->present;
    for (int i = 0; i < SHUNT_VALUE_COUNT && same; i++)
        same =
            a->given[i].formula == b->given[i].formula && a->given[i].number == b->given[i].number;
    return same;
}

/* Rule `second` against all before it. False: more than `most`, or enough was looked at. */
static bool compare(struct shunt_coverage *coverage, const struct shunt_rule *rules,
                    const struct shunt_boxes *boxes, uint32_t second, const struct shunt_box *space,
                    size_t most, int64_t *looks)
{
    const struct shunt_box mine = shunt_box_of(&rules[second]);
    struct shunt_box box;
    if (!shunt_box_common(&mine, space, &box))
        return true;
    for (size_t at = shunt_boxes_touching(boxes, 0, &box, looks); at < boxes->count;
         at = shunt_boxes_touching(boxes, at + 1, &box, looks)) {
        struct shunt_box both;
        if (*looks < 0)
            return false;
        if (alike(&rules[at], &rules[second]) ||
            !shunt_box_common(&boxes->boxes[at], &box, &both) ||
            shunt_box_holds(&boxes->boxes[at], &mine))
            continue;
        if (shunt_box_holds(&mine, &boxes->boxes[at])) {
            coverage->nested++;
            continue;
        }
        if (coverage->overlap_count == most)
            return false;
        coverage->overlaps[coverage->overlap_count++] =
            (struct shunt_overlap){(uint32_t)at, second, both};
    }
    return *looks >= 0;
}

static bool find_overlaps(struct shunt_coverage *coverage, const struct shunt_table *table,
                          enum shunt_op op, const struct shunt_box *space, size_t most)
{
    const struct shunt_rule *rules = &table->rules[table->rule_first[op]];
    struct shunt_boxes boxes;
    int64_t looks = LOOKS;
    coverage->overlaps = malloc((most + 1) * sizeof *coverage->overlaps);
    const bool room = shunt_boxes_init(&boxes, table->rule_count[op]) && coverage->overlaps;
    coverage->overlaps_complete = room;
    for (uint32_t i = 0; coverage->overlaps_complete && i < table->rule_count[op]; i++) {
        const struct shunt_box box = shunt_box_of(&rules[i]);
        coverage->overlaps_complete = compare(coverage, rules, &boxes, i, space, most, &looks);
        shunt_boxes_add(&boxes, &box);
    }
    shunt_boxes_clear(&boxes);
    return room;
}

bool shunt_coverage_find(struct shunt_coverage *coverage, const struct shunt_table *table,
                         enum shunt_op op, const struct shunt_box *space, size_t most,
                         bool overlaps)
{
    *coverage = (struct shunt_coverage){.overlaps_complete = true};
    return find_gaps(coverage, table, op, space, most) &&
           (!overlaps || find_overlaps(coverage, table, op, space, most));
}

void shunt_coverage_clear(struct shunt_coverage *coverage)
{
    free(coverage->gaps);
    free(coverage->overlaps);
    *coverage = (struct shunt_coverage){0};
}
