/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Learning among a few algorithms, with times made up: what wins is found, soon where it wins by
 * much; what is tried costs little; what stops winning is left; all ranks decide alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "learn/learn.h"

enum { RANKS = 4, AGREEMENT = 20000 };

/* A job: what each candidate takes on the slowest rank, in nanoseconds, and what has been spent. */
struct job {
    int64_t cost[SHUNT_LEARN_CANDIDATES]; /* SHUNT_LEARN_LOST: it cannot be carried out */
    int64_t first;                        /* what the first call of a candidate takes besides */
    int noise;                            /* percent: a time is up to so much longer */
    int outliers;                         /* one call in so many takes 20 times as long; 0: none */
    int cold;                             /* so many of the library's first calls do */
    int64_t calls;
    bool made[SHUNT_LEARN_CANDIDATES];
    struct shunt_learn rank[RANKS];
    uint64_t drawn;
    int64_t time, native; /* of all calls with agreements; of the library's own in their place */
    int64_t by[SHUNT_LEARN_CANDIDATES]; /* calls by candidate */
};

static int64_t draw(struct job *job, int64_t below)
{
    return (int64_t)(shunt_hash_mix(++job->drawn) % (uint64_t)below);
}

static int64_t noisy(struct job *job, int64_t cost)
{
    const int64_t time = cost + cost * draw(job, job->noise + 1) / 100;
    return job->outliers > 0 && draw(job, job->outliers) == 0 ? 20 * time : time;
}

static void begin(struct job *job, int candidates, int64_t before, int current)
{
    for (int r = 0; r < RANKS; r++)
        shunt_learn_begin(&job->rank[r], candidates, before, current);
}

/* The reduction of a window. */
static void agree(struct job *job)
{
    int64_t most[SHUNT_LEARN_SAID];
    const int count = shunt_learn_count(&job->rank[0]);
    memcpy(most, job->rank[0].said, sizeof most);
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < count; i++)
            if (job->rank[r].said[i] > most[i])
                most[i] = job->rank[r].said[i];
    for (int r = 0; r < RANKS; r++) {
        memcpy(job->rank[r].said, most, sizeof most);
        shunt_learn_close(&job->rank[r], AGREEMENT - r);
    }
    job->time += AGREEMENT;
}

/* One call on all ranks, which must agree about its candidate. */
static void call(struct job *job)
{
    bool timed, ends = false;
    const int candidate = shunt_learn_next(&job->rank[0], &timed);
    int64_t time = SHUNT_LEARN_LOST, native = noisy(job, job->cost[0]);
    const int64_t now = job->by[0] < job->cold ? 20 * native : native;
    native = job->calls++ < job->cold ? 20 * native : native;
    if (job->cost[candidate] < SHUNT_LEARN_LOST)
        time = candidate == 0
                   ? now
                   : noisy(job, job->cost[candidate]) + (job->made[candidate] ? 0 : job->first);
    job->made[candidate] = true;
    job->by[candidate]++;
    job->time += time < SHUNT_LEARN_LOST ? time : native;
    job->native += native;
    for (int r = 0; r < RANKS; r++) {
        bool also;
        assert_int_equal(shunt_learn_next(&job->rank[r], &also), candidate);
        assert_int_equal(also, timed);
        const int64_t mine = time < SHUNT_LEARN_LOST && r > 0 ? time - draw(job, time / 3) : time;
        ends = shunt_learn_made(&job->rank[r], timed || time == SHUNT_LEARN_LOST ? mine : -1);
    }
    if (ends)
        agree(job);
}

static void calls(struct job *job, int count)
{
    for (int i = 0; i < count; i++)
        call(job);
}

static int current(const struct job *job)
{
    return job->rank[0].current;
}

static void a_large_gain_is_found_within_seventy_calls(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 200000, 300000, 5000000}, .noise = 30, .first = 500000};
    begin(&job, 4, 0, 0);
    calls(&job, 70);
    assert_int_equal(current(&job), 1);
    calls(&job, 1930);
    assert_int_equal(current(&job), 1);
    assert_true(job.by[1] > 1850);
    assert_true(job.time < job.native / 4);
}

/* After so many calls before set-up the budget is there from the beginning. */
static void calls_before_count(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 200000}, .noise = 30, .first = 500000};
    begin(&job, 2, 300, 0);
    calls(&job, 27);
    assert_int_equal(current(&job), 1);
}

static void promise(struct job *job, int candidates)
{
    for (int r = 0; r < RANKS; r++)
        for (int a = 1; a < candidates; a++)
            shunt_learn_promise(&job->rank[r], a);
}

/* What is promised waits for no budget. */
static void what_is_promised_is_tried_at_once(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 200000, 300000}, .noise = 30, .first = 500000};
    begin(&job, 3, 0, 0);
    promise(&job, 3);
    calls(&job, 60);
    assert_int_equal(current(&job), 1);
    assert_true(job.by[0] < 40);
}

/* And costs no more than two tries where that is wrong: what a first one takes says little. */
static void a_promise_that_is_broken_ends_the_others(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 2500000, 2500000, 2500000, 2500000}, .noise = 5};
    begin(&job, 5, 0, 0);
    promise(&job, 5);
    calls(&job, 100);
    assert_int_equal(job.by[1], 2 * SHUNT_LEARN_RUN);
    assert_int_equal(job.by[0], 100 - 2 * SHUNT_LEARN_RUN);
    calls(&job, 4900);
    assert_int_equal(current(&job), 0);
    assert_true(job.time < job.native + job.native / 40);
}

/* Nor do the others follow where a first run is hopeless; later looks have to be paid for. */
static void a_hopeless_first_run_ends_promises(void **unused)
{
    (void)unused;
    struct job job = {.cost = {10000, 1000000, 1000000, 1000000, 1000000, 1000000}};
    begin(&job, 6, 0, 0);
    promise(&job, 6);
    calls(&job, 3000);
    assert_int_equal(job.by[1], SHUNT_LEARN_RUN);
    assert_int_equal(job.by[2] + job.by[3] + job.by[4] + job.by[5], 0);
}

/* What a candidate needs is made in its first run, and the second call may still wait for it. */
static void a_slow_first_run_says_little(void **unused)
{
    (void)unused;
    int64_t time = 0, native = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {.cost = {1000000, 650000}, .noise = 60, .drawn = (uint64_t)seed << 32};
        begin(&job, 2, 107, 0);
        promise(&job, 2);
        while (job.by[1] == 0)
            call(&job);
        job.cost[1] = 3000000; /* the rest of its first run */
        calls(&job, SHUNT_LEARN_RUN - 1);
        job.cost[1] = 650000;
        calls(&job, 600);
        time += job.time;
        native += job.native;
    }
    assert_true(time < native / 20 * 17); /* 0.99 where the first run counted */
}

/* The best of several, though it comes last in their order. */
static void the_best_is_found(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 800000, 500000, 600000, 250000}, .noise = 20};
    begin(&job, 5, 300, 0);
    calls(&job, 600);
    assert_int_equal(current(&job), 4);
}

/* With the gain there is, no more calls are spent on trials for long; the best is found later. */
static void a_large_gain_is_enjoyed_before_others_are_tried(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 200000, 150000}, .noise = 20, .first = 500000};
    begin(&job, 3, 300, 0);
    calls(&job, 1700);
    assert_int_equal(current(&job), 1);
    assert_int_equal(job.by[2], 0);
    assert_true(job.by[0] <= 30);
    calls(&job, 4000);
    assert_int_equal(current(&job), 2);
}

/* What gains is used before something that may lose is tried. */
static void what_gains_comes_before_further_trials(void **unused)
{
    (void)unused;
    int first = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {
            .cost = {1000000, 700000, 1500000}, .noise = 50, .drawn = (uint64_t)seed << 32};
        begin(&job, 3, 300, 0);
        while (job.by[2] == 0 && current(&job) == 0 && job.by[0] < 500)
            call(&job);
        first += current(&job) == 1;
    }
    assert_true(first >= 45);
}

/* Times that differ by more from call to call than from one algorithm to the other. */
static void a_gain_is_found_among_noise(void **unused)
{
    (void)unused;
    int found = 0;
    int64_t time = 0, native = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {.cost = {1000000, 700000, 1500000},
                          .noise = 400,
                          .outliers = 100,
                          .drawn = (uint64_t)seed << 32};
        begin(&job, 3, 107, 0);
        calls(&job, 1900);
        found += current(&job) == 1;
        time += job.time;
        native += job.native;
    }
    assert_true(found >= 45);
    assert_true(time < native / 5 * 4);
}

/* Losers alone: two percent, and one trial that nobody could foresee. */
static void losers_cost_two_percent(void **unused)
{
    (void)unused;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {.cost = {1000000, 2500000, 1300000, 20000000, 1050000},
                          .noise = 40,
                          .outliers = 50,
                          .drawn = (uint64_t)seed << 32};
        begin(&job, 5, 0, 0);
        calls(&job, 20000);
        assert_int_equal(current(&job), 0);
        /* In the time that the job spent: first calls, and those that come after a look. */
        int64_t trials = INT64_C(40) * AGREEMENT;
        for (int a = 1; a < 5; a++)
            trials += job.by[a] * (job.cost[a] - job.cost[0]);
        assert_true(trials < job.native / 50 + 2 * job.cost[3]);
    }
}

/* What is as fast as the library neither wins nor is tried for ever. */
static void equals_are_left_alone(void **unused)
{
    (void)unused;
    int changed = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {
            .cost = {1000000, 1000000, 990000}, .noise = 50, .drawn = (uint64_t)seed << 32};
        begin(&job, 3, 0, 0);
        calls(&job, 5000);
        changed += job.rank[0].changes > 0;
        assert_true(job.by[1] + job.by[2] < 5000);
        assert_true(job.time < job.native / 20 * 21);
    }
    assert_true(changed <= 5);
}

static void what_stops_winning_is_left(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 200000}, .noise = 30};
    begin(&job, 2, 300, 0);
    calls(&job, 400);
    assert_int_equal(current(&job), 1);
    job.cost[1] = 1500000;
    calls(&job, 4000);
    assert_int_equal(current(&job), 0);
    job.cost[1] = 200000; /* and comes back */
    calls(&job, 20000);
    assert_int_equal(current(&job), 1);
}

static void both_grow_slower_and_nothing_changes(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, 400000}, .noise = 30};
    begin(&job, 2, 300, 0);
    for (int i = 0; i < 100; i++) {
        calls(&job, 100);
        job.cost[0] += 20000;
        job.cost[1] += 8000;
    }
    assert_int_equal(current(&job), 1);
    assert_int_equal(job.rank[0].changes, 1);
}

static void what_cannot_run_is_lost(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, SHUNT_LEARN_LOST, 300000}, .noise = 30};
    begin(&job, 3, 300, 0);
    calls(&job, 200);
    assert_int_equal(current(&job), 2);
    assert_true(job.by[1] <= SHUNT_LEARN_RUN);
    job.cost[2] = SHUNT_LEARN_LOST; /* memory is short from now on */
    calls(&job, 1);
    calls(&job, 5000);
    assert_int_equal(current(&job), 0);
    assert_true(job.by[2] < 320);
}

/* What a file says is followed at once, and looked at. */
static void what_was_learnt_before_is_checked(void **unused)
{
    (void)unused;
    struct job good = {.cost = {1000000, 300000}, .noise = 30};
    begin(&good, 2, 0, 1);
    calls(&good, 3000);
    assert_int_equal(current(&good), 1);
    assert_true(good.by[0] > 0 && good.by[0] < 100);
    struct job bad = {.cost = {1000000, 1800000}, .noise = 30};
    begin(&bad, 2, 0, 1);
    calls(&bad, 3000);
    assert_int_equal(current(&bad), 0);
}

static void guard(struct job *job, enum shunt_learn_verdict known, bool measured)
{
    for (int r = 0; r < RANKS; r++)
        shunt_learn_guard(&job->rank[r], known, measured);
}

static enum shunt_learn_verdict verdict(const struct job *job)
{
    return shunt_learn_verdict(&job->rank[0]);
}

/* What delays the first native run, of a kind that comes once in so many calls, proves no rule. */
static void a_native_run_that_was_delayed_proves_nothing(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct job job = {
            .cost = {12000, 28000}, .noise = 30, .outliers = 30, .drawn = seed * 1000003};
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 2000);
        assert_int_equal(verdict(&job), SHUNT_LEARN_LEFT);
        assert_true(job.by[1] < 100);
    }
}

/* A rule far behind costs a window, not the program. */
static void a_rule_that_is_far_slower_is_left_at_once(void **unused)
{
    (void)unused;
    for (int slower = 4; slower <= 20; slower++) {
        struct job job = {.cost = {1000000, slower * INT64_C(1000000)}, .noise = 30};
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 9);
        assert_int_equal(verdict(&job), SHUNT_LEARN_LEFT);
        calls(&job, 1991);
        assert_int_equal(current(&job), 0);
        assert_true(job.by[1] <= 12);
        assert_true(job.time - job.native <= job.native / 50 + INT64_C(7800000) * (slower - 1));
    }
}

static void a_rule_that_is_slower_is_left_soon(void **unused)
{
    (void)unused;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {.cost = {1000000, seed % 2 ? 2400000 : 1300000},
                          .noise = 30,
                          .drawn = (uint64_t)seed << 32};
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 2000);
        assert_int_equal(verdict(&job), SHUNT_LEARN_LEFT);
        assert_true(job.time < job.native + job.native / 20);
        job.cost[0] = 9000000; /* and comes back */
        calls(&job, 5000);
        assert_int_equal(current(&job), 1);
    }
}

/* What wins goes on; native runs cost a fiftieth, however slow the library is. */
static void a_rule_that_wins_goes_on(void **unused)
{
    (void)unused;
    for (int gain = 2; gain <= 12; gain++)
        for (int seed = 1; seed <= 20; seed++) {
            struct job job = {.cost = {gain * INT64_C(1000000), 1000000},
                              .noise = 30,
                              .drawn = (uint64_t)(100 * gain + seed) << 32};
            guard(&job, SHUNT_LEARN_OPEN, false);
            calls(&job, 2000);
            assert_int_equal(verdict(&job), SHUNT_LEARN_PROVEN);
            assert_int_equal(job.rank[0].changes, 0);
            const int64_t trials = job.by[0] * (job.cost[0] - job.cost[1]);
            assert_true(job.by[0] >= SHUNT_LEARN_RUN && trials <= job.time / 40);
        }
}

static void a_rule_that_gains_little_is_kept(void **unused)
{
    (void)unused;
    int kept = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {
            .cost = {1200000, 1000000}, .noise = 40, .outliers = 50, .drawn = (uint64_t)seed << 32};
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 10000);
        kept += current(&job) == 1;
        assert_true(job.time < job.native);
    }
    assert_true(kept >= 45);
}

/* Equal is not ahead; what somebody has measured here has the benefit of the doubt. */
static void what_is_not_ahead_is_left_unless_it_was_measured(void **unused)
{
    (void)unused;
    int left = 0, kept = 0;
    for (int seed = 1; seed <= 50; seed++) {
        struct job job = {.cost = {1000000, 1010000}, .noise = 30, .drawn = (uint64_t)seed << 32};
        struct job known = job;
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 2000);
        left += verdict(&job) == SHUNT_LEARN_LEFT;
        guard(&known, SHUNT_LEARN_OPEN, true);
        calls(&known, 9);
        kept += verdict(&known) == SHUNT_LEARN_PROVEN;
    }
    assert_true(left >= 45);
    assert_true(kept >= 45);
    struct job wrong = {.cost = {1000000, 5000000}, .noise = 30};
    guard(&wrong, SHUNT_LEARN_OPEN, true);
    calls(&wrong, 9);
    assert_int_equal(verdict(&wrong), SHUNT_LEARN_LEFT);
}

/*
 * The library's first calls are slow, and there are few while a rule is followed. They have not the
 * last word: with what may be spent, the library gets to where it is as fast as in a long run.
 */
static void a_rule_that_beat_the_first_native_calls_alone_is_left(void **unused)
{
    (void)unused;
    for (int seed = 1; seed <= 20; seed++) {
        struct job job = {
            .cost = {1000000, 2000000}, .noise = 30, .cold = 64, .drawn = (uint64_t)seed << 32};
        struct job good = job;
        guard(&job, SHUNT_LEARN_OPEN, false);
        calls(&job, 200);
        assert_int_equal(verdict(&job), SHUNT_LEARN_PROVEN);
        calls(&job, 199800);
        assert_int_equal(verdict(&job), SHUNT_LEARN_LEFT);
        assert_true(job.time < job.native + job.native / 4);
        good.cost[1] = 300000;
        guard(&good, SHUNT_LEARN_OPEN, false);
        calls(&good, 200000);
        assert_int_equal(verdict(&good), SHUNT_LEARN_PROVEN);
        assert_int_equal(good.rank[0].changes, 0);
        assert_true(good.time < good.native / 3);
    }
}

/* Of a communicator before: nothing is tried, and looked at again as rarely as ever. */
static void what_was_decided_before_is_not_tried(void **unused)
{
    (void)unused;
    struct job left = {.cost = {1000000, 5000000}, .noise = 30}, proven = left;
    guard(&left, SHUNT_LEARN_LEFT, false);
    calls(&left, 499);
    assert_int_equal(left.by[1], 0);
    calls(&left, 2000);
    assert_int_equal(verdict(&left), SHUNT_LEARN_LEFT);
    proven.cost[0] = 9000000;
    guard(&proven, SHUNT_LEARN_PROVEN, false);
    calls(&proven, 499);
    assert_int_equal(proven.by[0], 0);
    assert_true(shunt_learn_quiet(&proven.rank[0]) > 0);
    /* The first look knows no times, so it cannot tell what it may spend. */
    proven.cost[0] = 50000000;
    calls(&proven, 400);
    assert_int_equal(proven.by[0], SHUNT_LEARN_RUN);
}

static void a_rule_that_cannot_run_is_left_for_good(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000, SHUNT_LEARN_LOST}, .noise = 30};
    guard(&job, SHUNT_LEARN_OPEN, false);
    calls(&job, 5000);
    assert_int_equal(verdict(&job), SHUNT_LEARN_LEFT);
    assert_true(job.by[1] <= 2L * SHUNT_LEARN_RUN);
}

static void nothing_to_choose_from_costs_nothing(void **unused)
{
    (void)unused;
    struct job job = {.cost = {1000000}, .noise = 30};
    begin(&job, 1, 0, 0);
    calls(&job, 5000);
    assert_int_equal(job.by[0], 5000);
    assert_int_equal(job.time, job.native);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_gain_is_found_within_seventy_calls),
        cmocka_unit_test(calls_before_count),
        cmocka_unit_test(what_is_promised_is_tried_at_once),
        cmocka_unit_test(a_promise_that_is_broken_ends_the_others),
        cmocka_unit_test(a_hopeless_first_run_ends_promises),
        cmocka_unit_test(a_slow_first_run_says_little),
        cmocka_unit_test(the_best_is_found),
        cmocka_unit_test(a_large_gain_is_enjoyed_before_others_are_tried),
        cmocka_unit_test(what_gains_comes_before_further_trials),
        cmocka_unit_test(a_gain_is_found_among_noise),
        cmocka_unit_test(losers_cost_two_percent),
        cmocka_unit_test(equals_are_left_alone),
        cmocka_unit_test(what_stops_winning_is_left),
        cmocka_unit_test(both_grow_slower_and_nothing_changes),
        cmocka_unit_test(what_cannot_run_is_lost),
        cmocka_unit_test(what_was_learnt_before_is_checked),
        cmocka_unit_test(a_native_run_that_was_delayed_proves_nothing),
        cmocka_unit_test(a_rule_that_beat_the_first_native_calls_alone_is_left),
        cmocka_unit_test(a_rule_that_is_far_slower_is_left_at_once),
        cmocka_unit_test(a_rule_that_is_slower_is_left_soon),
        cmocka_unit_test(a_rule_that_wins_goes_on),
        cmocka_unit_test(a_rule_that_gains_little_is_kept),
        cmocka_unit_test(what_is_not_ahead_is_left_unless_it_was_measured),
        cmocka_unit_test(what_was_decided_before_is_not_tried),
        cmocka_unit_test(a_rule_that_cannot_run_is_left_for_good),
        cmocka_unit_test(nothing_to_choose_from_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
