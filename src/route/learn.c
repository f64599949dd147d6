/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.c: see learn.h. */
#include "route/learn.h"

#include "route/times.h"

#include <string.h>

enum {
    BASE = 3,        /* runs of the library that are timed first */
    FEW = 3,         /* times without which nothing is said of an arm */
    ENOUGH = 8,      /* times of which ranks say something */
    CONTENT = 3,     /* times as fast as the library's own: further arms may wait */
    CHECKS = 4,      /* pairs of runs where one is held against the current arm */
    LONG_RUN = 8,    /* calls of a run where short ones do not tell */
    LONG_CHECKS = 2, /* pairs of those */
    FIRST_REST = 500 /* calls until the next look, the first time; doubled each time */
};
#define LONGEST_REST (INT64_C(1) << 20)

static struct shunt_times sorted_of(const struct shunt_learn_arm *arm)
{
    return shunt_times_sorted(arm->times, arm->count);
}

int64_t shunt_learn_median(const struct shunt_learn *learn, int arm)
{
    const struct shunt_times s = sorted_of(&learn->arm[arm]);
    return shunt_times_median(&s);
}

/* Whether arm a is faster than arm b beyond doubt: by a twentieth, by over three deviations, for
 * there are many looks; by a sixth, by over two, for waiting costs that as well. Where little is
 * known, always and by a third, or twice as fast as the library's own, which is looked at again. */
static bool beats(const struct shunt_learn *learn, int a, int b)
{
    enum { DEVIATIONS_SQUARED = 11, OF_MUCH_SQUARED = 5 };
    const struct shunt_times fast = sorted_of(&learn->arm[a]), slow = sorted_of(&learn->arm[b]);
    const int count = fast.count < slow.count ? fast.count : slow.count;
    if (count < FEW)
        return false;
    const int64_t mine = shunt_times_median(&fast), other = shunt_times_median(&slow);
    if (count < ENOUGH)
        return (b == 0 && mine < other / 2) ||
               (fast.time[fast.count - 1] < slow.time[0] && mine < other / 3 * 2);
    return mine < other / 20 * 19 &&
           shunt_times_below(&fast, &slow,
                             mine < other / 6 * 5 ? OF_MUCH_SQUARED : DEVIATIONS_SQUARED);
}

static bool usable(const struct shunt_learn *learn, int arm)
{
    return !learn->arm[arm].dropped && !learn->arm[arm].lost;
}

static void keep(struct shunt_learn_arm *arm, int64_t time)
{
    arm->times[arm->count++ % SHUNT_LEARN_KEPT] = time;
}

/* Begins to look at all arms anew. */
static void forget(struct shunt_learn *learn)
{
    for (int a = 0; a < learn->arms; a++) {
        learn->arm[a].count = 0;
        learn->arm[a].dropped = false;
    }
    learn->contented = false;
}

/* Calls since the last time went by the current arm, or might as well have done so. */
static void count_calls(struct shunt_learn *learn)
{
    const struct shunt_times s = sorted_of(&learn->arm[learn->current]);
    int64_t sum = 0;
    for (int i = 0; i < s.count; i++)
        sum += s.time[i]; /* trials cost what they cost, outliers too: so these count as well */
    if (s.count == 0)
        return;
    learn->base += (learn->calls - learn->counted) * (sum / s.count);
    learn->counted = learn->calls;
}

static int64_t allowance(const struct shunt_learn *learn)
{
    return learn->base / SHUNT_LEARN_SHARE + learn->earned - learn->spent;
}

/* What a call of an arm will cost beyond one of the current arm, as far as anything is known: one
 * that has no times yet a third as much again, which those that follow from better knowledge pay
 * for, but for one that is promised.
 */
static int64_t expected(const struct shunt_learn *learn, int arm)
{
    if (learn->arm[arm].promised)
        return 0;
    const int64_t mine = shunt_learn_median(learn, arm),
                  now = shunt_learn_median(learn, learn->current);
    return mine == 0 ? now / 3 : mine > now ? mine - now : 0;
}

static void add(struct shunt_learn *learn, int arm)
{
    if (learn->length < SHUNT_LEARN_WINDOW)
        learn->plan[learn->length++] = arm;
}

/* The window that was planned is put off until it can be paid. */
static void afford(struct shunt_learn *learn)
{
    const int64_t median = shunt_learn_median(learn, learn->current);
    int64_t cost = 0;
    for (int i = 0; i < learn->length; i++)
        cost += learn->run * expected(learn, learn->plan[i]);
    const int64_t lacking = cost - allowance(learn);
    if (cost == 0 || lacking <= 0 || median == 0)
        return;
    learn->until = learn->calls + 1 + lacking / (median / SHUNT_LEARN_SHARE + 1);
    learn->length = 0;
}

/* How many times as long as by the current arm a call takes by the library's own; 1 to 8. */
static int64_t gain(const struct shunt_learn *learn)
{
    enum { MOST = 8 };
    const int64_t mine = shunt_learn_median(learn, learn->current),
                  native = shunt_learn_median(learn, 0), times = mine > 0 ? native / mine : 1;
    return times < 1 ? 1 : times < MOST ? times : MOST;
}

/* The more the current arm gains, the more a look at another costs, and the less it promises. */
static void put_off(struct shunt_learn *learn)
{
    const int64_t calls = learn->interval * gain(learn);
    learn->until = learn->calls + (calls < LONGEST_REST ? calls : LONGEST_REST);
}

static void rest(struct shunt_learn *learn)
{
    learn->phase = SHUNT_LEARN_REST;
    put_off(learn);
    if (learn->interval < LONGEST_REST)
        learn->interval *= 2;
}

/* The arm of which least is known while it is not out of the question; -1: none. */
static int next_untried(const struct shunt_learn *learn)
{
    for (int a = 1; a < learn->arms; a++)
        if (usable(learn, a) && learn->arm[a].count < FEW)
            return a;
    return -1;
}

/* The arm with the least median. */
static int best_of(const struct shunt_learn *learn)
{
    int best = learn->current;
    for (int a = 0; a < learn->arms; a++)
        if (usable(learn, a) && learn->arm[a].count >= FEW &&
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
        add(learn, learn->current);
        for (int a = 0; a < learn->arms; a++) {
            if (a == learn->current || !usable(learn, a) || (a != best && beats(learn, best, a)) ||
                shunt_learn_median(learn, a) / 3 > median / 2)
                continue;
            open |= learn->arm[a].count < SHUNT_LEARN_KEPT;
            add(learn, a);
        }
    }
    return open;
}

/* In turn with the current one. */
static void add_pairs(struct shunt_learn *learn, int arm, int pairs)
{
    for (int i = 0; i < pairs; i++) {
        add(learn, arm);
        add(learn, learn->current);
    }
}

/* What seems to gain is settled before something is tried that may lose: it costs nothing, and
 * pays for the rest. */
static void plan_look(struct shunt_learn *learn)
{
    const int best = best_of(learn), arm = next_untried(learn);
    if (best != learn->current && learn->arm[best].count < SHUNT_LEARN_KEPT) {
        learn->run = LONG_RUN;
        add_pairs(learn, best, LONG_CHECKS);
    } else if (arm >= 0 && !learn->contented && gain(learn) >= CONTENT) {
        learn->contented = true;
        put_off(learn);
    } else if (arm >= 0) {
        add_pairs(learn, arm, learn->arm[arm].count == 0 || learn->arm[arm].fresh ? 1 : 2);
    } else if (!plan_contest(learn)) {
        learn->length = 0;
        rest(learn);
    }
    afford(learn);
}

static void plan_pairs(struct shunt_learn *learn)
{
    const bool unknown = learn->trusted && learn->arm[0].count == 0,
               doubt = learn->arm[0].count >= CHECKS;
    learn->run = doubt ? LONG_RUN : SHUNT_LEARN_RUN;
    for (int i = 0; i < (unknown ? 1 : doubt ? LONG_CHECKS : CHECKS); i++) {
        add(learn, learn->current);
        add(learn, 0);
    }
    afford(learn);
}

/* The time for a window may have come. */
static void plan(struct shunt_learn *learn)
{
    learn->length = learn->at = learn->turn = 0;
    learn->run = SHUNT_LEARN_RUN;
    if (learn->calls < learn->until)
        return;
    count_calls(learn);
    if (learn->phase == SHUNT_LEARN_REST && learn->current == 0) {
        if (learn->arms > 1)
            forget(learn);
        learn->phase = SHUNT_LEARN_BASE;
    }
    if (learn->phase == SHUNT_LEARN_REST) {
        learn->phase = SHUNT_LEARN_CHECK;
        learn->anew = true;
    }
    if (learn->phase == SHUNT_LEARN_BASE)
        for (int i = 0; i < BASE; i++)
            add(learn, 0);
    else if (learn->phase == SHUNT_LEARN_LOOK)
        plan_look(learn);
    else
        plan_pairs(learn);
}

void shunt_learn_begin(struct shunt_learn *learn, int arms, int64_t before, int current)
{
    memset(learn, 0, sizeof *learn);
    learn->arms = arms;
    learn->current = current;
    learn->calls = before;
    learn->interval = FIRST_REST;
    if (arms < 2)
        learn->until = INT64_MAX;
    else if (current > 0)
        rest(learn);
    plan(learn);
}

void shunt_learn_trust(struct shunt_learn *learn, int arms, int64_t calls)
{
    shunt_learn_begin(learn, arms, 0, 1);
    learn->trusted = true;
    learn->until = calls;
}

int shunt_learn_next(const struct shunt_learn *learn, bool *timed)
{
    *timed = learn->length > 0;
    return *timed ? learn->plan[learn->at] : learn->current;
}

static void change(struct shunt_learn *learn, int arm)
{
    count_calls(learn);
    learn->current = arm;
    learn->changes++;
}

/* The current arm cannot be had any more. */
static void lose(struct shunt_learn *learn)
{
    learn->arm[learn->current].lost = true;
    change(learn, 0);
    rest(learn);
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
    *run += learn->turn > 0 ? took / (learn->run - 1) : 0;
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

/* Times of an arm are there. One promise that is broken says what the others are worth. */
static void hold_promise(struct shunt_learn *learn, int arm, bool kept)
{
    const bool promised = learn->arm[arm].promised;
    learn->arm[arm].promised = false;
    for (int a = 0; a < learn->arms && promised && !kept; a++)
        learn->arm[a].promised = false;
}

/* What a run says of its arm. The first one makes what the arm needs, and by no means in its first
 * call alone: where it is behind, it says whether the arm is hopeless, and the next takes its
 * place. */
static void judge(struct shunt_learn *learn, int a, int64_t call, int64_t now)
{
    struct shunt_learn_arm *arm = &learn->arm[a];
    const bool first = !arm->made && a > 0;
    if (arm->fresh)
        arm->count = 0;
    arm->fresh = first && call > now;
    arm->made = true;
    keep(arm, call);
    /* One run alone breaks a promise where it is far behind. */
    if (!first && (arm->count >= FEW || call > now + now / 2))
        hold_promise(learn, a, call <= now + now / 2 && shunt_learn_median(learn, a) <= now);
}

/* One run of trials: what it cost, and what it says of its arm. */
static void take(struct shunt_learn *learn, int run, int64_t now)
{
    const int a = learn->plan[run];
    const int64_t call = learn->said[run], whole = learn->said[learn->length + run];
    struct shunt_learn_arm *arm = &learn->arm[a];
    if (whole >= SHUNT_LEARN_LOST) {
        hold_promise(learn, a, false);
        arm->lost = a > 0;
        return;
    }
    const int64_t cost = (arm->made || a == 0 ? learn->run * call : whole) - learn->run * now;
    if (a != learn->current && now > 0) {
        learn->spent += cost > 0 ? cost : 0;
        learn->earned += cost < 0 ? -cost : 0;
    }
    judge(learn, a, call, now);
}

/* A candidate that takes far longer than the library; by few times, than the library ever did. One
 * that is trusted is none. */
static void drop(struct shunt_learn *learn)
{
    const struct shunt_times native = sorted_of(&learn->arm[0]);
    for (int a = learn->trusted ? 2 : 1; a < learn->arms && native.count > 0; a++) {
        const struct shunt_times s = sorted_of(&learn->arm[a]);
        const int at = s.count < FEW ? native.count - 1 : native.count / 2;
        if (s.count == 0 || shunt_times_median(&s) / SHUNT_LEARN_DROP <= native.time[at])
            continue;
        learn->arm[a].dropped = true;
        hold_promise(learn, a, false);
    }
}

static void conclude_look(struct shunt_learn *learn)
{
    const int best = best_of(learn);
    if (!usable(learn, learn->current))
        change(learn, 0);
    if (best != learn->current && beats(learn, best, learn->current))
        change(learn, best);
}

/* Whether the current arm still wins; where that is in doubt there are more pairs, and in the end
 * the medians tell. */
static void conclude_check(struct shunt_learn *learn)
{
    const int64_t mine = shunt_learn_median(learn, learn->current),
                  native = shunt_learn_median(learn, 0);
    const bool lost = !usable(learn, learn->current), clear = beats(learn, 0, learn->current),
               few = learn->trusted && learn->arm[0].count < FEW && native / 2 < mine,
               doubt = native < mine || few;
    if (doubt && !lost && !clear && learn->arm[0].count < SHUNT_LEARN_KEPT)
        return;
    if (lost || (learn->trusted ? clear : doubt)) {
        learn->arm[learn->current].dropped = true;
        change(learn, 0);
        learn->interval = FIRST_REST;
    }
    rest(learn);
}

void shunt_learn_close(struct shunt_learn *learn, int64_t agreement)
{
    const int64_t now = shunt_learn_median(learn, learn->current);
    if (learn->anew)
        learn->arm[0].count = learn->arm[learn->current].count = 0;
    learn->anew = false;
    for (int i = 0; i < learn->length; i++)
        take(learn, i, now);
    learn->spent -= learn->said[shunt_learn_count(learn) - 1];
    count_calls(learn);
    drop(learn);
    if (learn->phase == SHUNT_LEARN_BASE)
        learn->phase = SHUNT_LEARN_LOOK;
    else if (learn->phase == SHUNT_LEARN_LOOK)
        conclude_look(learn);
    else
        conclude_check(learn);
    learn->agreement = agreement;
    plan(learn);
}
