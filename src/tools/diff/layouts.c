/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layouts.c: layouts to look at, for calls within a box.
 *
 * Within a box of conditions the same rules match, but whether their algorithms fit, and which
 * values formulas have, depends on the layout. So several are looked at: the ends of the box, a
 * power of two, and nodes of different size.
 */
#include <stdlib.h>

#include "tools/diff/diff.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool within(int64_t value, struct shunt_range range)
{
    return value >= range.low && value <= range.high;
}

struct search {
    const struct shunt_box *box;
    struct shunt_diff_layout *found;
    int count;
};

/* Takes it, if it is a layout of the box, and a new one. */
static void offer(struct search *search, int64_t nodes, int64_t least, int64_t most, int64_t ranks)
{
    const struct shunt_range *side = search->box->side;
    if (search->count == SHUNT_DIFF_LAYOUTS || nodes < 1 || ranks > SHUNT_DIFF_RANKS_MOST ||
        !within(ranks, side[SHUNT_BOX_RANKS]) || !within(nodes, side[SHUNT_BOX_NODES]) ||
        !within(least, side[SHUNT_BOX_LEAST]) || !within(most, side[SHUNT_BOX_MOST]))
        return;
    const struct shunt_diff_layout layout = {(int)ranks, (int)nodes, (int)least, (int)most};
    for (int i = 0; i < search->count; i++)
        if (search->found[i].ranks == layout.ranks && search->found[i].nodes == layout.nodes &&
            search->found[i].ppn_min == layout.ppn_min &&
            search->found[i].ppn_max == layout.ppn_max)
            return;
    search->found[search->count++] = layout;
}

/* Values of a side: its ends, the one above the lower end, a power of two, and a larger one. */
enum { VALUES = 5 };
static int values_of(struct shunt_range side, int64_t *values)
{
    int64_t power = 1;
    int count = 0;
    while (power < side.low)
        power *= 2;
    values[count++] = side.low;
    if (power != side.low && power <= side.high)
        values[count++] = power;
    if (side.high > side.low && side.high <= SHUNT_DIFF_RANKS_MOST)
        values[count++] = side.high;
    if (side.high > side.low)
        values[count++] = side.low + 1;
    if (16 * power <= side.high)
        values[count++] = 16 * power;
    return count;
}

/* Nodes of equal size: each side's values, and what the ends of the ranks make of them. */
static void offer_equal(struct search *search)
{
    const struct shunt_range *side = search->box->side, ranks = side[SHUNT_BOX_RANKS];
    int64_t nodes[VALUES], sizes[VALUES];
    const int node_count = values_of(side[SHUNT_BOX_NODES], nodes),
              size_count = values_of(side[SHUNT_BOX_LEAST], sizes);
    for (int i = 0; i < node_count; i++) {
        const int64_t first = (ranks.low + nodes[i] - 1) / nodes[i], last = ranks.high / nodes[i];
        offer(search, nodes[i], first, first, first * nodes[i]);
        offer(search, nodes[i], last, last, last * nodes[i]);
    }
    for (int i = 0; i < size_count; i++) {
        const int64_t first = (ranks.low + sizes[i] - 1) / sizes[i];
        offer(search, first, sizes[i], sizes[i], first * sizes[i]);
    }
    for (int i = 0; i < node_count; i++)
        for (int j = 0; j < size_count; j++)
            offer(search, nodes[i], sizes[j], sizes[j], nodes[i] * sizes[j]);
}

/* Some layout, whatever the sizes of its nodes, with the fewest nodes that have so many ranks: the
 * sizes of nodes are raised until they have. */
static void offer_any(struct search *search)
{
    const struct shunt_range *side = search->box->side, ranks = side[SHUNT_BOX_RANKS];
    const struct shunt_range least = side[SHUNT_BOX_LEAST], most = side[SHUNT_BOX_MOST];
    const int64_t alone = larger(ranks.low, larger(least.low, most.low));
    const int64_t a_most = smaller(least.high, most.high);
    offer(search, 1, alone, alone, alone);
    int64_t n = larger(2, side[SHUNT_BOX_NODES].low);
    if (ranks.low > a_most)
        n = larger(n, 1 + (ranks.low - a_most + most.high - 1) / most.high);
    int64_t a = least.low, b = larger(most.low, least.low);
    const int64_t total = larger(ranks.low, (n - 1) * a + b);
    if (a + (n - 1) * b < total)
        b = smaller(most.high, (total - a + n - 2) / (n - 1));
    if (a + (n - 1) * b < total)
        a = smaller(a_most, total - (n - 1) * b);
    if (a <= b && (n - 1) * a + b <= total && total <= a + (n - 1) * b)
        offer(search, n, a, b, total);
    offer(search, n, a, a + 1, (n - 1) * a + a + 1);
}

int shunt_diff_layouts(const struct shunt_box *box, struct shunt_diff_layout *layouts)
{
    struct search search = {.box = box, .found = layouts};
    offer_any(&search);
    offer_equal(&search);
    return search.count;
}

/* The largest node first, the smallest last, all others as even as can be. */
int shunt_diff_layout_make(struct shunt_layout *layout, const struct shunt_diff_layout *numbers)
{
    const int ranks = numbers->ranks, nodes = numbers->nodes;
    if (numbers->ppn_min == numbers->ppn_max)
        return shunt_layout_blocks(layout, ranks, nodes);
    int *keys = malloc((size_t)ranks * sizeof *keys);
    if (!keys)
        return -1;
    int left = ranks - numbers->ppn_min - numbers->ppn_max, filled = 0;
    for (int node = 0; node < nodes; node++) {
        int size = node == 0 ? numbers->ppn_max : numbers->ppn_min;
        if (node > 0 && node < nodes - 1) {
            const int others = nodes - 1 - node;
            size = (left + others - 1) / others;
            left -= size;
        }
        for (int i = 0; i < size; i++)
            keys[filled++] = node;
    }
    const int result = shunt_layout_from_keys(layout, ranks, keys);
    free(keys);
    return result;
}
