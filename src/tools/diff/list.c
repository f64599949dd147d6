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

/* One round about one side; whether anything was joined. What was joined leaves the list. */
static bool round_of(struct shunt_differences *found, size_t first, int side)
{
    const size_t before = found->count;
    for (size_t i = first; i < found->count; i++) {
        size_t kept = i + 1;
        for (size_t j = i + 1; j < found->count; j++) {
            const bool joined = shunt_diff_same(&found->at[i], &found->at[j]) &&
                                join(&found->at[i].where, &found->at[j].where, side);
            if (!joined && kept != j)
                found->at[kept] = found->at[j];
            kept += !joined;
        }
        found->count = kept;
    }
    return found->count < before;
}

/* Sides in this order, for the sizes of nodes are cut most often. */
void shunt_differences_merge(struct shunt_differences *found, size_t first)
{
    static const int sides[] = {SHUNT_BOX_BLOCK, SHUNT_BOX_MOST, SHUNT_BOX_LEAST, SHUNT_BOX_NODES,
                                SHUNT_BOX_RANKS};
    bool joined = true;
    while (joined) {
        joined = false;
        for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
            joined = round_of(found, first, sides[i]) || joined;
    }
}
