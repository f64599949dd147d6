/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.c: see candidates.h. */
#include "learn/candidates.h"

#include <string.h>

#include "base/hash.h"
#include "learn/verdicts.h"
#include "route/learned.h"
#include "route/proposals.h"

bool shunt_candidates_wanted(const struct shunt_decision *decision)
{
    if (decision->rule && decision->rule->calls > 0)
        return true; /* of an earlier run */
    return shunt_learned_is_gap(decision);
}

bool shunt_candidates_routed(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    const bool goes_on =
        comm->agreed.learn == SHUNT_LEARNING_ON && decision->rule && decision->rule->calls > 0;
    return decision->algorithm->kind != SHUNT_KIND_NATIVE && !goes_on;
}

bool shunt_candidates_same(const struct shunt_decision *a, const struct shunt_decision *b)
{
    return a->algorithm == b->algorithm && memcmp(&a->params, &b->params, sizeof a->params) == 0;
}

/* Candidates of a new lesson; the one of an earlier run comes first. Returns how many. */
static int fill_candidates(const struct shunt_comm *comm, struct shunt_lesson *lesson,
                           const struct shunt_decision *known)
{
    struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
    struct shunt_params params[SHUNT_PROPOSALS_MOST];
    int candidates = 1;
    const int count = shunt_proposals(rules, params, lesson->op, &comm->layout, lesson->block,
                                      comm->agreed.memory);
    lesson->candidates[0] = (struct shunt_decision){.algorithm = shunt_registry_find("native"),
                                                    .rule_index = UINT32_MAX};
    if (known) {
        lesson->proposal[candidates] = -1;
        lesson->rule[candidates] = *known->rule;
        lesson->candidates[candidates++] = *known;
    }
    for (int i = 0; i < count && candidates < SHUNT_LEARN_CANDIDATES; i++) {
        const struct shunt_algorithm *algorithm = shunt_registry_row(rules[i].algorithm);
        const struct shunt_decision candidate = {
            .algorithm = algorithm, .rule_index = UINT32_MAX, .params = params[i]};
        if (known && shunt_candidates_same(known, &candidate))
            continue;
        lesson->proposal[candidates] = i;
        lesson->rule[candidates] = rules[i];
        lesson->candidates[candidates++] = candidate;
    }
    return candidates;
}

/* The log is to have the rule that would have routed native calls. */
static void fill_routed(struct shunt_lesson *lesson, const struct shunt_decision *decision)
{
    lesson->routed = lesson->ordered = true;
    lesson->proposal[1] = -1;
    lesson->candidates[0] = lesson->candidates[1] = *decision;
    lesson->candidates[0].algorithm = shunt_registry_find("native");
    memset(&lesson->candidates[0].params, 0, sizeof lesson->candidates[0].params);
    lesson->candidates[0].gain = 0;
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
    const int candidates = fill_candidates(comm, lesson, known ? decision : NULL);
    shunt_learn_begin(&lesson->learn, candidates, before, known);
}

void shunt_candidates_begin(struct shunt_comm *comm, struct shunt_lesson *lesson,
                            const struct shunt_decision *decision)
{
    if (shunt_candidates_routed(comm, decision))
        begin_routed(comm, lesson, decision);
    else
        begin_gap(comm, lesson, decision);
}

int64_t shunt_candidates_hash(const struct shunt_lesson *lesson)
{
    uint64_t hash = shunt_hash_value(SHUNT_HASH_EMPTY, (uint64_t)lesson->learn.candidate_count);
    for (int a = 0; a < lesson->learn.candidate_count; a++) {
        hash =
            shunt_hash_value(hash, (uint64_t)shunt_registry_index(lesson->candidates[a].algorithm));
        hash = shunt_hash_bytes(hash, (const char *)&lesson->candidates[a].params,
                                sizeof lesson->candidates[a].params);
    }
    return (int64_t)(hash >> 2);
}
