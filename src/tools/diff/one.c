/* SPDX-License-Identifier: BSD-3-Clause */
/* one.c: the differences about one layout, with the values that parameters have there. */
#include "tools/diff/diff.h"

struct one {
    struct shunt_differences *found;
    enum shunt_op op;
    const struct shunt_layout *layout;
};

static struct shunt_range point(int64_t value)
{
    return (struct shunt_range){value, value};
}

static bool visit(void *context, const struct shunt_diff_calls *calls,
                  const struct shunt_decision *const *decisions)
{
    const struct one *one = context;
    const struct shunt_layout *layout = one->layout;
    struct shunt_difference *difference = shunt_differences_add(one->found);
    if (!difference)
        return false;
    *difference = (struct shunt_difference){.op = one->op,
                                            .everywhere = true,
                                            .ranks = layout->ranks,
                                            .nodes = layout->nodes,
                                            .ppn_min = layout->ppn_min,
                                            .ppn_max = layout->ppn_max,
                                            .block = calls->block.low,
                                            .density = (int)calls->density.high};
    difference->where.side[SHUNT_BOX_BLOCK] = calls->block;
    difference->where.side[SHUNT_BOX_DENSITY] = calls->density;
    difference->where.side[SHUNT_BOX_RANKS] = point(layout->ranks);
    difference->where.side[SHUNT_BOX_NODES] = point(layout->nodes);
    difference->where.side[SHUNT_BOX_LEAST] = point(layout->ppn_min);
    difference->where.side[SHUNT_BOX_MOST] = point(layout->ppn_max);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        shunt_diff_answer_make(&difference->answer[i], decisions[i], false);
    return true;
}

bool shunt_diff_find_layout(struct shunt_differences *found, const struct shunt_diff *diff,
                            const struct shunt_layout *layout)
{
    struct one one = {.found = found, .layout = layout};
    bool enough = true;
    *found = (struct shunt_differences){0};
    for (int op = 0; enough && op < SHUNT_OP_COUNT; op++) {
        const size_t first = found->count;
        one.op = (enum shunt_op)op;
        if (diff->op[op])
            enough = shunt_diff_compare(diff, one.op, layout, visit, &one);
        shunt_differences_merge(found, first);
    }
    return enough;
}
