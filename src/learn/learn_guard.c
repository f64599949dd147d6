/* SPDX-License-Identifier: BSD-3-Clause */
/* learn_guard.c: see learn_guard.h. */
#include "learn/learn_guard.h"

#include "learn/learn_candidates.h"

enum {
    NATIVE,
    RULE,
    SHORT_RUN = 2, /* calls: one that waits for ranks, and one that counts */
    TOLD = 4,      /* native runs after which short ones do not tell any more */
    SETTLED = 64   /* native calls after which the library is as fast as in a long run */
};

/* Whether every time of candidate a is far below every time of candidate b: one of each says
 * little. */
static bool far_below(const struct shunt_learn *learn, int a, int b)
{
    const struct shunt_times fast = shunt_learn_times(&learn->candidates[a]),
                             slow = shunt_learn_times(&learn->candidates[b]);
    if (fast.count == 0 || slow.count == 0)
        return false;
    const int64_t factor = fast.count > 1 && slow.count > 1 ? 2 : 3;
    return fast.time[fast.count - 1] < slow.time[0] / factor;
}

/* The one native run there is was much slower than the rule's. Whatever delayed the job just then
 * looks the same, and would speak for the rule for thousands of calls: another one tells. */
static bool is_doubtful(const struct shunt_learn *learn)
{
    return !learn->decided && !learn->anew && learn->candidates[NATIVE].count == 1 &&
           far_below(learn, RULE, NATIVE);
}

/*
 * Calls of each run of a look at a rule that has proved itself. The library's first calls may take
 * twenty times as long as later ones (it connects, its queues lie in pages that are new), and a
 * rule that beats these alone has proved little. So there are as many native ones as can be paid,
 * of which the fastest counts, until it has had those. What was measured here was so when warm; of
 * a communicator that was told by an earlier one there are no times yet to pay by.
 */
static int run_of_look(const struct shunt_learn *learn)
{
    const bool timed = learn->candidates[NATIVE].count > 0 && learn->candidates[RULE].count > 0,
               doubt = timed && learn->current == RULE && !learn->measured;
    const int64_t lacking = doubt ? SETTLED + SHUNT_LEARN_RUN - learn->natives : 0,
                  calls = shunt_learn_payable(learn, NATIVE, lacking);
    return calls > SHUNT_LEARN_RUN ? (int)calls : SHUNT_LEARN_RUN;
}

void shunt_guard_plan(struct shunt_learn *learn)
{
    const int now = learn->current, rival = now == RULE ? NATIVE : RULE;
    const bool first = learn->anew || learn->candidates[rival].count == 0;
    if (learn->candidates[RULE].lost) {
        learn->until = INT64_MAX;
        return;
    }
    if (is_doubtful(learn)) {
        learn->run = SHORT_RUN;
        shunt_learn_add(learn, NATIVE);
        return;
    }
    learn->run = learn->anew                                       ? run_of_look(learn)
                 : first || learn->candidates[NATIVE].count < TOLD ? SHUNT_LEARN_RUN
                                                                   : SHUNT_LEARN_LONG_RUN;
    shunt_learn_add(learn, now);
    shunt_learn_add(learn, rival);
    shunt_learn_add(learn, now);
    if (!first)
        shunt_learn_add(learn, rival);
    shunt_learn_afford(learn);
}

static bool ahead(const struct shunt_learn *learn, int a, int b)
{
    return far_below(learn, a, b) || shunt_learn_beats(learn, a, b);
}

/* A rule that is left was what the trials were about: the next one waits until this is paid. */
static void leave(struct shunt_learn *learn)
{
    const struct shunt_learn_candidate *rule = &learn->candidates[RULE];
    const int64_t excess = shunt_learn_median(learn, RULE) - shunt_learn_median(learn, NATIVE);
    if (excess > 0)
        learn->spent += (int64_t)rule->count * SHUNT_LEARN_RUN * excess;
}

static void decide(struct shunt_learn *learn, int candidate)
{
    learn->decided = true;
    if (learn->current != candidate) {
        if (candidate == NATIVE)
            leave(learn);
        shunt_learn_change(learn, candidate);
        learn->interval = SHUNT_LEARN_FIRST_REST;
    }
    shunt_learn_rest(learn);
}

void shunt_guard_conclude(struct shunt_learn *learn)
{
    const int64_t rule = shunt_learn_median(learn, RULE),
                  native = shunt_learn_median(learn, NATIVE);
    const bool over = learn->candidates[NATIVE].count >= SHUNT_GUARD_PROOF,
               left = learn->decided && learn->current == NATIVE;
    const bool lost = learn->candidates[RULE].lost || ahead(learn, NATIVE, RULE);
    if (!lost && ((ahead(learn, RULE, NATIVE) && !is_doubtful(learn)) || learn->measured))
        decide(learn, RULE);
    else if (lost || over || (left && rule >= native))
        decide(learn, NATIVE);
}
