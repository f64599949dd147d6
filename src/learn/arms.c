/* SPDX-License-Identifier: BSD-3-Clause */
/* arms.c: see arms.h. */
#include "learn/arms.h"

#include <string.h>

#include "base/hash.h"
#include "learn/verdicts.h"
#include "route/learned.h"
#include "route/proposals.h"

bool shunt_arms_wanted(const struct shunt_decision *decision)
{
    if (decision->rule && decision->rule->calls > 0)
        return true; /* of an earlier run */
    return shunt_learned_is_gap(decision);
}

bool shunt_arms_routed(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    const bool goes_on =
        comm->agreed.learn == SHUNT_LEARNING_ON && decision->rule && decision->rule->calls > 0;
    return decision->algorithm->kind != SHUNT_KIND_NATIVE && !goes_on;
}

bool shunt_arms_same(const struct shunt_decision *a, const struct shunt_decision *b)
{
    return a->algorithm == b->algorithm && memcmp(&a->params, &b->params, sizeof a->params) == 0;
}

/* Arms of a new lesson; the one of an earlier run comes first. Returns how many. */
static int fill_arms(const struct shunt_comm *comm, struct shunt_lesson *lesson,
                     const struct shunt_decision *known)
{
    struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
    struct shunt_params params[SHUNT_PROPOSALS_MOST];
    int arms = 1;
    const int count = shunt_proposals(rules, params, lesson->op, &comm->layout, lesson->block,
                                      comm->agreed.memory);
    lesson->arm[0] = (struct shunt_decision){.algorithm = shunt_registry_find("native"),
                                             .rule_index = UINT32_MAX};
    if (known) {
        lesson->proposal[arms] = -1;
        lesson->rule[arms] = *known->rule;
        lesson->arm[arms++] = *known;
    }
    for (int i = 0; i < count && arms < SHUNT_LEARN_ARMS; i++) {
        const struct shunt_algorithm *algorithm = shunt_registry_row(rules[i].algorithm);
        const struct shunt_decision arm = {
            .algorithm = algorithm, .rule_index = UINT32_MAX, .params = params[i]};
        if (known && shunt_arms_same(known, &arm))
            continue;
        lesson->proposal[arms] = i;
        lesson->rule[arms] = rules[i];
        lesson->arm[arms++] = arm;
    }
    return arms;
}

/* The log is to have the rule that would have routed native calls. */
static void fill_routed(struct shunt_lesson *lesson, const struct shunt_decision *decision)
{
    lesson->routed = lesson->ordered = true;
    lesson->proposal[1] = -1;
    lesson->arm[0] = lesson->arm[1] = *decision;
    lesson->arm[0].algorithm = shunt_registry_find("native");
    memset(&lesson->arm[0].params, 0, sizeof lesson->arm[0].params);
    lesson->arm[0].gain = 0;
}

static void begin_routed(const struct shunt_comm *comm, struct shunt_lesson *lesson,
                         const struct shunt_decision *decision)
{
    const struct shunt_rule *rule = decision->rule;
    fill_routed(lesson, decision);
    shunt_learn_guard(&lesson->learn, shunt_verdict_of(comm->known[lesson->op], lesson->class),
                      rule && (rule->calls > 0 || rule->measured));
}

/* What no table routes. */
static void begin_gap(const struct shunt_comm *comm, struct shunt_lesson *lesson,
                      const struct shunt_decision *decision)
{
    const enum shunt_op op = lesson->op;
    const bool known = decision->algorithm->kind != SHUNT_KIND_NATIVE;
    /* Those before set-up were of any size, and count once. */
    const int64_t before = comm->lessons->count[op] == 0 ? (int64_t)comm->calls_before : 0;
    const int arms = fill_arms(comm, lesson, known ? decision : NULL);
    shunt_learn_begin(&lesson->learn, arms, before, known);
}

void shunt_arms_begin(struct shunt_comm *comm, struct shunt_lesson *lesson,
                      const struct shunt_decision *decision)
{
    if (shunt_arms_routed(comm, decision))
        begin_routed(comm, lesson, decision);
    else
        begin_gap(comm, lesson, decision);
}

int64_t shunt_arms_hash(const struct shunt_lesson *lesson)
{
    uint64_t hash = shunt_hash_value(SHUNT_HASH_EMPTY, (uint64_t)lesson->learn.arms);
    for (int a = 0; a < lesson->learn.arms; a++) {
        hash = shunt_hash_value(hash, (uint64_t)shunt_registry_index(lesson->arm[a].algorithm));
        hash = shunt_hash_bytes(hash, (const char *)&lesson->arm[a].params,
                                sizeof lesson->arm[a].params);
    }
    return (int64_t)(hash >> 2);
}
