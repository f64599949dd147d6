/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.c: see learn.h. */
#include "learn/learn.h"

#include "learn/learn_candidates.h"
#include "learn/learn_guard.h"

#include <string.h>

enum {
    BASE = 3,       /* runs of the library that are timed first */
    CONTENT = 3,    /* times as fast as the library's own: further candidates may wait */
    CHECKS = 4,     /* pairs of runs where one is held against the current candidate */
    LONG_CHECKS = 2 /* pairs of long ones */
};

/* The candidate of which least is known while it is not out of the question; -1: none. */
static int next_untried(const struct shunt_learn *learn)
{
    for (int a = 1; a < learn->candidate_count; a++)
        if (shunt_learn_usable(learn, a) && learn->candidates[a].count < SHUNT_LEARN_FEW)
            return a;
    return -1;
}

/* The candidate with the least median. */
static int best_of(const struct shunt_learn *learn)
{
    int best = learn->current;
    for (int a = 0; a < learn->candidate_count; a++)
        if (shunt_learn_usable(learn, a) && learn->candidates[a].count >= SHUNT_LEARN_FEW &&
            shunt_learn_median(learn, a) < shunt_learn_median(learn, best))
            best = a;
    return best;
}

/* Those that may still be the fastest, in turn with the current one. False: it is clear, or will
 * not become clear. */
static bool plan_contest(struct shunt_learn *learn)
{
    const int best = best_of(learn);
    const int64_t median = shunt_learn_median(learn, best);
    bool open = false;
    for (int turn = 0; turn < 2; turn++) {
        shunt_learn_add(learn, learn->current);
        for (int a = 0; a < learn->candidate_count; a++) {
            if (a == learn->current || !shunt_learn_usable(learn, a) ||
                (a != best && shunt_learn_beats(learn, best, a)) ||
                shunt_learn_median(learn, a) / 3 > median / 2)
                continue;
            open |= learn->candidates[a].count < SHUNT_LEARN_KEPT;
            shunt_learn_add(learn, a);
        }
    }
    return open;
}

/* In turn with the current one. */
static void add_pairs(struct shunt_learn *learn, int candidate, int pairs)
{
    for (int i = 0; i < pairs; i++) {
        shunt_learn_add(learn, candidate);
        shunt_learn_add(learn, learn->current);
    }
}

/* What seems to gain is settled before something is tried that may lose: it costs nothing, and
 * pays for the rest. */
static void plan_look(struct shunt_learn *learn)
{
    const int best = best_of(learn), candidate = next_untried(learn);
    if (best != learn->current && learn->candidates[best].count < SHUNT_LEARN_KEPT) {
        learn->run = SHUNT_LEARN_LONG_RUN;
        add_pairs(learn, best, LONG_CHECKS);
    } else if (candidate >= 0 && !learn->contented && shunt_learn_gain(learn) >= CONTENT) {
        learn->contented = true;
        shunt_learn_put_off(learn);
    } else if (candidate >= 0) {
        add_pairs(
            learn, candidate,
            learn->candidates[candidate].count == 0 || learn->candidates[candidate].fresh ? 1 : 2);
    } else if (!plan_contest(learn)) {
        learn->length = 0;
        shunt_learn_rest(learn);
    }
    shunt_learn_afford(learn);
}

static void plan_pairs(struct shunt_learn *learn)
{
    const bool doubt = learn->candidates[0].count >= CHECKS;
    learn->run = doubt ? SHUNT_LEARN_LONG_RUN : SHUNT_LEARN_RUN;
    for (int i = 0; i < (doubt ? LONG_CHECKS : CHECKS); i++) {
        shunt_learn_add(learn, learn->current);
        shunt_learn_add(learn, 0);
    }
    shunt_learn_afford(learn);
}

/* Of a rule that proves itself. */
static void plan_proof(struct shunt_learn *learn)
{
    if (learn->phase == SHUNT_LEARN_REST)
        learn->anew = true;
    learn->phase = SHUNT_LEARN_PROVE;
    shunt_guard_plan(learn);
}

/* The time for a window may have come. */
static void plan(struct shunt_learn *learn)
{
    learn->length = learn->at = learn->turn = 0;
    learn->run = SHUNT_LEARN_RUN;
    if (learn->calls < learn->until)
        return;
    shunt_learn_count_calls(learn);
    if (learn->guards) {
        plan_proof(learn);
        return;
    }
    if (learn->phase == SHUNT_LEARN_REST && learn->current == 0) {
        if (learn->candidate_count > 1)
            shunt_learn_forget(learn);
        learn->phase = SHUNT_LEARN_BASE;
    }
    if (learn->phase == SHUNT_LEARN_REST) {
        learn->phase = SHUNT_LEARN_CHECK;
        learn->anew = true;
    }
    if (learn->phase == SHUNT_LEARN_BASE)
        for (int i = 0; i < BASE; i++)
            shunt_learn_add(learn, 0);
    else if (learn->phase == SHUNT_LEARN_LOOK)
        plan_look(learn);
    else
        plan_pairs(learn);
}

static void begin(struct shunt_learn *learn, int candidates, int64_t before, int current)
{
    memset(learn, 0, sizeof *learn);
    learn->candidate_count = candidates;
    learn->current = current;
    learn->calls = before;
    learn->interval = SHUNT_LEARN_FIRST_REST;
}

void shunt_learn_begin(struct shunt_learn *learn, int candidates, int64_t before, int current)
{
    begin(learn, candidates, before, current);
    if (candidates < 2)
        learn->until = INT64_MAX;
    else if (current > 0)
        shunt_learn_rest(learn);
    plan(learn);
}

void shunt_learn_guard(struct shunt_learn *learn, enum shunt_learn_verdict known, bool measured)
{
    begin(learn, 2, 0, known == SHUNT_LEARN_LEFT ? 0 : 1);
    learn->guards = true;
    learn->measured = measured;
    learn->decided = known != SHUNT_LEARN_OPEN;
    learn->phase = SHUNT_LEARN_PROVE;
    if (learn->decided)
        shunt_learn_rest(learn);
    plan(learn);
}

enum shunt_learn_verdict shunt_learn_verdict(const struct shunt_learn *learn)
{
    return !learn->guards || !learn->decided ? SHUNT_LEARN_OPEN
           : learn->current > 0              ? SHUNT_LEARN_PROVEN
                                             : SHUNT_LEARN_LEFT;
}

int shunt_learn_next(const struct shunt_learn *learn, bool *timed)
{
    *timed = learn->length > 0;
    return *timed ? learn->plan[learn->at] : learn->current;
}

/* The current candidate cannot be had any more. */
static void lose(struct shunt_learn *learn)
{
    learn->candidates[learn->current].lost = true;
    learn->decided = true;
    shunt_learn_change(learn, 0);
    shunt_learn_rest(learn);
}

/*
 * Of a run, by its calls but the first: the mean; where a rule proves itself the least, for it has
 * few runs, and a call that somebody else delayed says nothing of it.
 */
static int64_t run_so_far(const struct shunt_learn *learn, int64_t run, int64_t took)
{
    if (learn->turn == 0)
        return 0;
    if (learn->guards)
        return learn->turn == 1 || took < run ? took : run;
    return run + took / (learn->run - 1);
}

bool shunt_learn_made(struct shunt_learn *learn, int64_t took)
{
    learn->calls++;
    if (learn->length == 0) {
        if (took >= SHUNT_LEARN_LOST && learn->current > 0)
            lose(learn);
        if (learn->calls >= learn->until)
            plan(learn);
        return false;
    }
    int64_t *run = &learn->said[learn->at], *whole = &learn->said[learn->length + learn->at];
    if (learn->turn == 0)
        *run = *whole = 0;
    *whole = took < SHUNT_LEARN_LOST ? *whole + took : SHUNT_LEARN_LOST;
    *run = run_so_far(learn, *run, took);
    if (*whole >= SHUNT_LEARN_LOST)
        *run = *whole = SHUNT_LEARN_LOST;
    learn->turn = (learn->turn + 1) % learn->run;
    learn->at += learn->turn == 0;
    learn->said[shunt_learn_count(learn) - 1] = -learn->agreement;
    return learn->at == learn->length;
}

void shunt_learn_skip(struct shunt_learn *learn, int64_t calls)
{
    learn->calls += calls;
    if (learn->length == 0 && learn->calls >= learn->until)
        plan(learn);
}

/* Times of a candidate are there. One promise that is broken says what the others are worth. */
static void hold_promise(struct shunt_learn *learn, int candidate, bool kept)
{
    const bool promised = learn->candidates[candidate].promised;
    learn->candidates[candidate].promised = false;
    for (int a = 0; a < learn->candidate_count && promised && !kept; a++)
        learn->candidates[a].promised = false;
}

/* What a run says of its candidate. The first one makes what the candidate needs, and by no means
 * in its first call alone: where it is behind, it says whether the candidate is hopeless, and the
 * next takes its place. */
static void judge(struct shunt_learn *learn, int a, int64_t call, int64_t now)
{
    struct shunt_learn_candidate *candidate = &learn->candidates[a];
    const bool first = !candidate->made && a > 0 && !learn->guards;
    if (candidate->fresh)
        candidate->count = 0;
    candidate->fresh = first && call > now;
    candidate->made = true;
    shunt_learn_keep(candidate, call);
    /* One run alone breaks a promise where it is far behind. */
    if (!first && (candidate->count >= SHUNT_LEARN_FEW || call > now + now / 2))
        hold_promise(learn, a, call <= now + now / 2 && shunt_learn_median(learn, a) <= now);
}

/* One run of trials: what it cost, and what it says of its candidate. */
static void take(struct shunt_learn *learn, int run, int64_t now)
{
    const int a = learn->plan[run];
    const int64_t call = learn->said[run], whole = learn->said[learn->length + run];
    struct shunt_learn_candidate *candidate = &learn->candidates[a];
    if (whole >= SHUNT_LEARN_LOST) {
        hold_promise(learn, a, false);
        candidate->lost = a > 0;
        return;
    }
    learn->natives += a == 0 ? learn->run : 0;
    const int64_t cost = (candidate->made || a == 0 ? learn->run * call : whole) - learn->run * now;
    if (a != learn->current && now > 0) {
        learn->spent += cost > 0 ? cost : 0;
        learn->earned += cost < 0 && !learn->guards ? -cost : 0;
    }
    judge(learn, a, call, now);
}

/* A candidate that takes far longer than the library; by few times, than the library ever did. */
static void drop(struct shunt_learn *learn)
{
    const struct shunt_times native = shunt_learn_times(&learn->candidates[0]);
    for (int a = 1; a < learn->candidate_count && native.count > 0; a++) {
        const struct shunt_times s = shunt_learn_times(&learn->candidates[a]);
        const int at = s.count < SHUNT_LEARN_FEW ? native.count - 1 : native.count / 2;
        if (s.count == 0 || shunt_times_median(&s) / SHUNT_LEARN_DROP <= native.time[at])
            continue;
        learn->candidates[a].dropped = true;
        hold_promise(learn, a, false);
    }
}

static void conclude_look(struct shunt_learn *learn)
{
    const int best = best_of(learn);
    if (!shunt_learn_usable(learn, learn->current))
        shunt_learn_change(learn, 0);
    if (best != learn->current && shunt_learn_beats(learn, best, learn->current))
        shunt_learn_change(learn, best);
}

/* Whether the current candidate still wins; where that is in doubt there are more pairs, and in the
 * end the medians tell. */
static void conclude_check(struct shunt_learn *learn)
{
    const int64_t mine = shunt_learn_median(learn, learn->current),
                  native = shunt_learn_median(learn, 0);
    const bool lost = !shunt_learn_usable(learn, learn->current),
               clear = shunt_learn_beats(learn, 0, learn->current), doubt = native < mine;
    if (doubt && !lost && !clear && learn->candidates[0].count < SHUNT_LEARN_KEPT)
        return;
    if (lost || doubt) {
        learn->candidates[learn->current].dropped = true;
        shunt_learn_change(learn, 0);
        learn->interval = SHUNT_LEARN_FIRST_REST;
    }
    shunt_learn_rest(learn);
}

static void conclude(struct shunt_learn *learn)
{
    if (learn->guards) {
        shunt_guard_conclude(learn);
        return;
    }
    drop(learn);
    if (learn->phase == SHUNT_LEARN_BASE)
        learn->phase = SHUNT_LEARN_LOOK;
    else if (learn->phase == SHUNT_LEARN_LOOK)
        conclude_look(learn);
    else
        conclude_check(learn);
}

/* A call by the current candidate: what is known of it, or else what this window says. */
static int64_t time_now(const struct shunt_learn *learn)
{
    int64_t now = shunt_learn_median(learn, learn->current);
    for (int i = 0; i < learn->length && learn->guards && now == 0; i++)
        if (learn->plan[i] == learn->current && learn->said[i] < SHUNT_LEARN_LOST)
            now = learn->said[i];
    return now;
}

void shunt_learn_close(struct shunt_learn *learn, int64_t agreement)
{
    const int64_t now = time_now(learn);
    for (int a = 0; a < learn->candidate_count && learn->anew; a++)
        if (a == 0 || a == learn->current || learn->guards)
            learn->candidates[a].count = 0;
    learn->anew = false;
    for (int i = 0; i < learn->length; i++)
        take(learn, i, now);
    learn->spent -= learn->said[shunt_learn_count(learn) - 1];
    shunt_learn_count_calls(learn);
    conclude(learn);
    learn->agreement = agreement;
    plan(learn);
}
