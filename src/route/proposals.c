/* SPDX-License-Identifier: BSD-3-Clause */
/* proposals.c: see proposals.h. */
#include "route/proposals.h"

#include <string.h>

#include "route/match.h"

enum place { ONE_NODE = 1, NODES = 2, SINGLES = 4 };

#define GIVEN(number)                                                                              \
    {                                                                                              \
        SHUNT_FORMULA_NUMBER, (number)                                                             \
    }

/* For the layouts in `place`, blocks of `low` to `high` bytes, and the operations in `ops`; in the
 * order in which they are tried. */
static const struct {
    const char *name;
    int64_t low, high;
    unsigned place, ops;
    unsigned present;
    struct shunt_value radix, leaders, fragment;
} proposals[] = {
#define BOTH (1U << SHUNT_OP_ALLTOALL | 1U << SHUNT_OP_ALLTOALLV)
#define ALLTOALL (1U << SHUNT_OP_ALLTOALL)
#define ALLTOALLV (1U << SHUNT_OP_ALLTOALLV)
#define RADIX .present = 1U << SHUNT_PARAM_RADIX, .radix
#define LEADERS                                                                                    \
    .present = 1U << SHUNT_PARAM_LEADERS | 1U << SHUNT_PARAM_FRAGMENT, .fragment = GIVEN(15360),   \
    .leaders
    {"shared-segment", 0, 8192, ONE_NODE, BOTH, .present = 0},
    {"peer-read", 1024, INT64_MAX, ONE_NODE, BOTH, .present = 0},
    {"shared-segment", 8193, 65536, ONE_NODE, BOTH, .present = 0},
    {"bruck-zero-copy", 0, 256, ONE_NODE, ALLTOALL, .present = 0},
    {"parlogna", 0, 256, ONE_NODE, ALLTOALLV, RADIX = {SHUNT_FORMULA_SQRT_P, 0}},
    {"node-pair", 0, 8192, NODES, BOTH, LEADERS = GIVEN(1)},
    {"node-pair", 0, 65536, NODES, BOTH, LEADERS = {SHUNT_FORMULA_Q, 0}},
    {"node-bruck", 0, 4096, NODES, BOTH, RADIX = GIVEN(2)},
    {"parlinna-shared", 0, INT64_MAX, NODES, BOTH, .present = 0},
    {"bruck", 0, 4096, SINGLES, ALLTOALL, RADIX = GIVEN(2)},
    {"bruck", 0, 8192, SINGLES, ALLTOALL, RADIX = {SHUNT_FORMULA_SQRT_P, 0}},
    {"parlogna", 0, 4096, SINGLES, ALLTOALLV, RADIX = {SHUNT_FORMULA_SQRT_P, 0}},
    {"two-phase-bruck", 0, 2048, SINGLES, ALLTOALLV, .present = 0},
    {"scattered", 512, INT64_MAX, ONE_NODE | NODES | SINGLES, BOTH, .present = 0},
    {"pairwise", 16384, INT64_MAX, NODES | SINGLES, BOTH, .present = 0},
};
enum { COUNT = sizeof proposals / sizeof proposals[0] };

static enum place place_of(const struct shunt_layout *layout)
{
    return layout->nodes == 1 ? ONE_NODE : layout->ppn_max == 1 ? SINGLES : NODES;
}

static struct shunt_rule rule_of(size_t proposal, const struct shunt_layout *layout,
                                 struct shunt_range block)
{
    const struct shunt_algorithm *row = shunt_registry_find(proposals[proposal].name);
    struct shunt_rule rule = {.algorithm = shunt_registry_index(row),
                              .ranks = {layout->ranks, layout->ranks},
                              .nodes = {layout->nodes, layout->nodes},
                              .ppn = {layout->ppn_min, layout->ppn_max},
                              .block = block,
                              .density = {0, INT64_MAX},
                              .memory = INT64_MAX,
                              .present = proposals[proposal].present};
    rule.given[SHUNT_PARAM_RADIX] = proposals[proposal].radix;
    rule.given[SHUNT_PARAM_LEADERS] = proposals[proposal].leaders;
    rule.given[SHUNT_PARAM_FRAGMENT] = proposals[proposal].fragment;
    return rule;
}

/* Whether another one comes to the same here. */
static bool is_new(const struct shunt_rule *rules, const struct shunt_params *params, int count)
{
    for (int i = 0; i < count; i++)
        if (rules[i].algorithm == rules[count].algorithm &&
            memcmp(&params[i], &params[count], sizeof *params) == 0)
            return false;
    return true;
}

int shunt_proposals(struct shunt_rule *rules, struct shunt_params *params, enum shunt_op op,
                    const struct shunt_layout *layout, struct shunt_range block, int64_t memory)
{
    int count = 0;
    for (size_t i = 0; i < COUNT && count < SHUNT_PROPOSALS_MOST; i++) {
        struct shunt_range fits;
        if ((proposals[i].place & place_of(layout)) == 0 || (proposals[i].ops & 1U << op) == 0 ||
            block.high > proposals[i].high || block.high < proposals[i].low)
            continue;
        rules[count] = rule_of(i, layout, block);
        if (shunt_match_layout(&rules[count], op, layout, &params[count], NULL, 0) &&
            shunt_match_blocks(&rules[count], layout, &params[count], memory, &fits) &&
            fits.high == block.high && is_new(rules, params, count))
            count++;
    }
    return count;
}
