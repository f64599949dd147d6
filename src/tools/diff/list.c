/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c: differences, and the same one in neighbouring boxes told once. */
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff.h"

struct shunt_difference *shunt_differences_add(struct shunt_differences *found)
{
    if (found->count == found->capacity) {
        const size_t capacity = found->capacity > 0 ? 2 * found->capacity : 64;
        struct shunt_difference *grown = realloc(found->at, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        found->at = grown;
        found->capacity = capacity;
    }
    found->at[found->count] = (struct shunt_difference){0};
    return &found->at[found->count++];
}

void shunt_differences_clear(struct shunt_differences *found)
{
    free(found->at);
    *found = (struct shunt_differences){0};
}

static bool equal(struct shunt_range a, struct shunt_range b)
{
    return a.low == b.low && a.high == b.high;
}

static bool touches(struct shunt_range a, struct shunt_range b)
{
    return (a.high < INT64_MAX && a.high + 1 == b.low) ||
           (b.high < INT64_MAX && b.high + 1 == a.low) || equal(a, b);
}

/* Makes `a` both, if the two are one box together: they touch in `side` and are equal in all
 * others. */
static bool join(struct shunt_box *a, const struct shunt_box *b, int side)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        if (i == side ? !touches(a->side[i], b->side[i]) : !equal(a->side[i], b->side[i]))
            return false;
    if (b->side[side].low < a->side[side].low)
        a->side[side].low = b->side[side].low;
    if (b->side[side].high > a->side[side].high)
        a->side[side].high = b->side[side].high;
    return true;
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_ranges(struct shunt_range a, struct shunt_range b)
{
    const int low = compare_numbers(a.low, b.low);
    return low != 0 ? low : compare_numbers(a.high, b.high);
}

/* Any order that puts the same differences together. */
static int compare_answers(const struct shunt_difference *a, const struct shunt_difference *b)
{
    int order = compare_numbers(a->everywhere, b->everywhere);
    for (int i = 0; order == 0 && i < SHUNT_DIFF_SIDES; i++) {
        const uintptr_t x = (uintptr_t)a->answer[i].rule, y = (uintptr_t)b->answer[i].rule;
        order = (x > y) - (x < y);
        if (order == 0)
            order = compare_numbers(a->answer[i].modelled, b->answer[i].modelled);
        if (order == 0)
            order = strcmp(a->answer[i].name, b->answer[i].name);
    }
    return order;
}

/* The same differences, and among these the same boxes but for `last`, in its order. */
static int compare_but(const void *left, const void *right, int last)
{
    const struct shunt_difference *a = left, *b = right;
    int order = compare_answers(a, b);
    for (int side = 0; order == 0 && side < SHUNT_BOX_SIDES; side++)
        if (side != last)
            order = compare_ranges(a->where.side[side], b->where.side[side]);
    return order != 0 ? order : compare_ranges(a->where.side[last], b->where.side[last]);
}

#define COMPARE(name, side)                                                                        \
    static int compare_##name(const void *a, const void *b)                                        \
    {                                                                                              \
        return compare_but(a, b, side);                                                            \
    }
COMPARE(block, SHUNT_BOX_BLOCK)
COMPARE(density, SHUNT_BOX_DENSITY)
COMPARE(most, SHUNT_BOX_MOST)
COMPARE(least, SHUNT_BOX_LEAST)
COMPARE(nodes, SHUNT_BOX_NODES)
COMPARE(ranks, SHUNT_BOX_RANKS)
#undef COMPARE

/* As people look for calls: by ranks, nodes, ranks per node, sizes, densities. */
static int compare_places(const void *left, const void *right)
{
    static const int sides[] = {SHUNT_BOX_RANKS, SHUNT_BOX_NODES, SHUNT_BOX_LEAST,
                                SHUNT_BOX_MOST,  SHUNT_BOX_BLOCK, SHUNT_BOX_DENSITY};
    const struct shunt_difference *a = left, *b = right;
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof sides / sizeof sides[0]; i++)
        order = compare_ranges(a->where.side[sides[i]], b->where.side[sides[i]]);
    for (int i = 0; order == 0 && i < SHUNT_DIFF_SIDES; i++)
        order = strcmp(a->answer[i].name, b->answer[i].name);
    return order;
}

/* Sides in this order, for the sizes of nodes are cut most often. */
static const struct {
    int side;
    int (*compare)(const void *, const void *);
} rounds[] = {{SHUNT_BOX_BLOCK, compare_block}, {SHUNT_BOX_DENSITY, compare_density},
              {SHUNT_BOX_MOST, compare_most},   {SHUNT_BOX_LEAST, compare_least},
              {SHUNT_BOX_NODES, compare_nodes}, {SHUNT_BOX_RANKS, compare_ranks}};

/* One round about one side; whether anything was joined. What was joined leaves the list. */
static bool round_of(struct shunt_differences *found, size_t first, size_t which)
{
    const size_t before = found->count;
    size_t kept = first;
    qsort(&found->at[first], before - first, sizeof found->at[0], rounds[which].compare);
    for (size_t i = first + 1; i < before; i++) {
        if (shunt_diff_same(&found->at[kept], &found->at[i]) &&
            join(&found->at[kept].where, &found->at[i].where, rounds[which].side))
            continue;
        kept++;
        if (kept != i)
            found->at[kept] = found->at[i];
    }
    found->count = kept + 1;
    return found->count < before;
}

void shunt_differences_merge(struct shunt_differences *found, size_t first)
{
    bool joined = found->count > first;
    while (joined) {
        joined = false;
        for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++)
            joined = round_of(found, first, i) || joined;
    }
    if (found->count > first)
        qsort(&found->at[first], found->count - first, sizeof found->at[0], compare_places);
}
