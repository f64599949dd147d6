/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c: the decisions of two tables about the calls of one layout. */
#include <string.h>

#include "tools/common/rules.h"
#include "tools/diff/diff.h"

void shunt_diff_answer_make(struct shunt_diff_answer *answer, const struct shunt_decision *decision,
                            bool spelt)
{
    *answer = (struct shunt_diff_answer){
        .algorithm = decision->algorithm, .rule = decision->rule, .modelled = decision->modelled};
    shunt_decision_name(decision, spelt, answer->name, sizeof answer->name);
}

bool shunt_diff_same(const struct shunt_difference *a, const struct shunt_difference *b)
{
    bool same = a->op == b->op && a->everywhere == b->everywhere;
    for (int i = 0; same && i < SHUNT_DIFF_SIDES; i++)
        same = a->answer[i].rule == b->answer[i].rule &&
               a->answer[i].modelled == b->answer[i].modelled &&
               strcmp(a->answer[i].name, b->answer[i].name) == 0;
    return same;
}

static bool decisions_same(const struct shunt_decision *const *decisions)
{
    struct shunt_diff_answer answers[SHUNT_DIFF_SIDES];
    if (decisions[0]->algorithm != decisions[1]->algorithm)
        return false;
    if (memcmp(&decisions[0]->params, &decisions[1]->params, sizeof decisions[0]->params) == 0)
        return true;
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        shunt_diff_answer_make(&answers[i], decisions[i], false);
    return strcmp(answers[0].name, answers[1].name) == 0;
}

/* The last size before a map's decision changes behind `block`. */
static int64_t end_at(const struct shunt_map *map, int64_t block)
{
    const size_t index = (size_t)(shunt_map_find(map, block) - map->decisions);
    return index + 1 < map->count ? map->from[index + 1] - 1 : INT64_MAX;
}

/* From one change of either map to the next, for one range of densities. */
static bool walk(const struct shunt_diff *diff, const struct shunt_map *const *maps,
                 struct shunt_range density, shunt_diff_visit visit, void *context)
{
    const struct shunt_range space = diff->space.side[SHUNT_BOX_BLOCK];
    for (int64_t block = space.low; density.high > 0 || block == 0;) {
        const struct shunt_decision *decisions[SHUNT_DIFF_SIDES];
        int64_t end = space.high;
        for (int i = 0; i < SHUNT_DIFF_SIDES; i++) {
            const int64_t own = end_at(maps[i], block);
            end = own < end ? own : end;
            decisions[i] = shunt_map_find(maps[i], block);
        }
        const struct shunt_diff_calls calls = {{block, end}, density};
        if (!decisions_same(decisions) && !visit(context, &calls, decisions))
            return false;
        if (end >= space.high)
            return true;
        block = end + 1;
    }
    return true; /* where the density is 0 all blocks are empty */
}

/* Likewise for all densities, downwards: the lists of a map come so. */
static bool walk_densities(const struct shunt_diff *diff, const struct shunt_map *maps,
                           shunt_diff_visit visit, void *context)
{
    const struct shunt_range space = diff->space.side[SHUNT_BOX_DENSITY];
    for (int64_t high = space.high;;) {
        const struct shunt_map *parts[SHUNT_DIFF_SIDES];
        int64_t low = space.low;
        for (int i = 0; i < SHUNT_DIFF_SIDES; i++) {
            parts[i] = shunt_map_part(&maps[i], (int)high);
            low = parts[i]->density > low ? parts[i]->density : low;
        }
        if (!walk(diff, parts, (struct shunt_range){low, high}, visit, context))
            return false;
        if (low <= space.low)
            return true;
        high = low - 1;
    }
}

bool shunt_diff_compare(const struct shunt_diff *diff, enum shunt_op op,
                        const struct shunt_layout *layout, shunt_diff_visit visit, void *context)
{
    struct shunt_map maps[SHUNT_DIFF_SIDES] = {{0}, {0}};
    struct shunt_layout asked = *layout; /* and its arrays */
    asked.oversubscribed = diff->space.side[SHUNT_BOX_OVERSUBSCRIBED].low != 0;
    bool enough = true;
    for (int i = 0; i < SHUNT_DIFF_SIDES && enough; i++)
        enough = shunt_map_build(&maps[i], diff->table[i], op, &asked, diff->memory) == 0;
    enough = enough && walk_densities(diff, maps, visit, context);
    for (int i = 0; i < SHUNT_DIFF_SIDES; i++)
        shunt_map_clear(&maps[i]);
    return enough;
}
