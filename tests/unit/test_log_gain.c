/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_gain.c: what the summary says was gained, and when it says nothing of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "summaries.h"

static void no_gain_is_claimed_from_few_native_calls(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 100);
    add(turn_call(0.002), 1);
    contains(print(false),
             "shunt:  gain    not measured: 1 native call was timed beside like routed "
             "ones, too few or too early\n"
             "shunt:          to measure it: SHUNT_GUARD=1 SHUNT_WARMUP=64, ");
    assert_true(summary.estimate.ranks == 0);
    shunt_log_summary_clear(&summary);
    add(routed_call(0.001), 100);
    add(turn_call(0.002), SHUNT_LOG_FEW - 1);
    contains(print(false), "shunt:  gain    not measured: 2 native calls were timed ");
    contains(print(true), "\"estimate\": {\"not_measured\": \"few\", \"calls\": 2}, ");
}

static void without_native_calls_that_is_said(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 100);
    contains(print(false), "shunt:  gain    not measured: no native call was timed beside ");
    contains(result, "shunt:          to measure it: ");
}

static void where_nothing_was_routed_nothing_is_said_of_a_gain(void **unused)
{
    (void)unused;
    add(turn_call(0.001), 100);
    lacks(print(false), "gain");
    contains(print(true), "\"estimate\": null, ");
}

/* They are the first of their communicator: slow, for reasons that are not the algorithm's. */
static void calls_before_set_up_are_no_native_speed(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 100);
    add(warm_up_call(9), 100);
    contains(print(false), "shunt:  gain    not measured: no native call was timed beside ");
    assert_true(summary.estimate.ranks == 0);
}

/* Nor are those that are made to compare while the library is as cold. */
static void nothing_follows_from_early_native_calls(void **unused)
{
    (void)unused;
    struct shunt_record early = turn_call(0.75);
    early.settled = false;
    add(routed_call(0.25), 100);
    add(early, 9);
    contains(print(false), "shunt:  gain    not measured: 9 native calls were timed beside like "
                           "routed ones, too few or too early\n");
    lacks(result, "at most");
    shunt_log_summary_clear(&summary);
    add(routed_call(0.25), 100);
    add(early, 9);
    add(turn_call(0.5), 3);
    contains(print(false), "shunt:  gain    25.0 s saved");
}

/* Ten times as fast saves nine times what was spent. */
static void more_than_was_spent_is_not_claimed(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 100);
    add(turn_call(0.010), 3);
    contains(print(false), "shunt:  gain    at least 130 ms saved\n"
                           "shunt:          routed calls 10.0 times as fast as native, ");
    shunt_log_summary_clear(&summary);
    add(routed_call(0.001), 100);
    for (int i = 0; i < 3; i++)
        add(turn_call(i == 2 ? 0.005 : 0.0011), 1);
    contains(print(false), "shunt:  gain    at least 10.0 ms saved\n");
}

/* Set-up, and what rank 0 says before it. */
static void what_set_up_took_is_no_gain(void **unused)
{
    (void)unused;
    struct shunt_record first = routed_call(0.001), before = warm_up_call(0.001);
    first.call = 1;
    first.set_up = 0.015;
    before.aside = 0.005;
    add(before, 1);
    add(first, 1);
    add(routed_call(0.001), 5);
    add(turn_call(0.003), 5);
    contains(print(false), "shunt:  gain    none: 10.0 ms lost, 10.0 ms to 10.0 ms, after 20.0 ms "
                           "for set-up\nshunt:          routed calls 3.0 times as fast");
    contains(print(true), "\"saved\": -0.01");
}

static void where_ranks_share_processors_that_is_said(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 5);
    add(turn_call(0.003), 5);
    summary.oversubscribed = true;
    contains(print(false), "shunt:          ranks share processors: times are mostly those of "
                           "waiting\n");
}

static void few_routed_calls_tell_nothing_either(void **unused)
{
    (void)unused;
    add(routed_call(0.001), SHUNT_LOG_FEW - 1);
    add(turn_call(0.002), 100);
    contains(print(false), "shunt:  gain    not measured: ");
    assert_true(summary.estimate.ranks == 0);
}

static void five_calls_of_each_side_make_an_estimate(void **unused)
{
    (void)unused;
    add(routed_call(0.001), 5);
    add(turn_call(0.003), 5);
    contains(print(false), "shunt:  gain    10.0 ms saved, 10.0 ms to 10.0 ms\n"
                           "shunt:          routed calls 3.0 times as fast as native, 3.0 to 3.0 "
                           "(5 native, 5 routed calls)\n");
}

/* Of five, the least and the most. */
static void the_interval_holds_what_the_medians_allow(void **unused)
{
    (void)unused;
    for (int i = 1; i <= 5; i++) {
        add(routed_call(0.010 * i), 1);
        add(turn_call(0.060 + 0.010 * i), 1);
    }
    const struct shunt_log_estimate made = estimate();
    assert_true(made.speedup > 2.999 && made.speedup < 3.001);
    assert_true(made.low > 1.399 && made.low < 1.401);
    assert_true(made.high > 10.99 && made.high < 11.01);
    contains(result, "gain    300 ms saved, 100 ms to 500 ms\n");
    contains(result, "routed calls 3.0 times as fast as native, 1.4 to 11 (");
}

static void what_may_be_chance_is_told_as_not_clear(void **unused)
{
    (void)unused;
    for (int i = 1; i <= 5; i++) {
        add(routed_call(0.010 * i), 1);
        add(turn_call(0.020 * i), 1);
    }
    contains(print(false),
             "shunt:  gain    not clear: between 150 ms lost and 450 ms saved\n"
             "shunt:          routed calls 0.40 to 10 times as fast as native (5 native, ");
}

/* The first call of a communicator has to connect, and a failed one may have stopped anywhere. */
static void first_calls_and_failed_ones_are_left_out(void **unused)
{
    (void)unused;
    struct shunt_record first = turn_call(9), failed = turn_call(9);
    first.call = 1;
    failed.error = 15;
    add(first, 50);
    add(failed, 50);
    add(turn_call(0.002), 5);
    add(routed_call(0.001), 5);
    const struct shunt_log_estimate made = estimate();
    assert_int_equal(made.native, 5);
    assert_true(made.speedup > 1.999 && made.speedup < 2.001);
}

static void a_late_rank_does_not_make_a_gain(void **unused)
{
    (void)unused;
    add(turn_call(100), 1);
    add(turn_call(0.001), 4);
    add(routed_call(0.001), 9);
    add(routed_call(50), 2);
    contains(print(false), "shunt:  gain    not measured: like calls take too different times");
}

static void a_loss_is_told_as_such(void **unused)
{
    (void)unused;
    for (int i = 1; i <= 5; i++)
        add(turn_call(0.0004 + 0.0002 * i), 1);
    add(routed_call(0.0025), 9);
    contains(print(false),
             "shunt:  gain    none: 13.5 ms lost, 9.90 ms to 17.1 ms\n"
             "shunt:          routed calls 0.40 times as fast as native, 0.24 to 0.56 (");
    contains(print(true), "\"speedup\": 0.4, ");
}

static void the_least_loss_is_no_zero(void **unused)
{
    (void)unused;
    add(turn_call(0.0002), 9);
    add(routed_call(1), 9);
    contains(print(true), "\"speedup\": 0.0002, \"low\": 0.0002, \"high\": 0.0002, ");
}

/* Other operations, sizes and communicators are not compared, nor is what stays native anyway. */
static void only_like_calls_are_compared(void **unused)
{
    (void)unused;
    struct shunt_record other = turn_call(0.01);
    add(routed_call(0.001), 10);
    other.operation = "alltoallv";
    add(other, 10);
    other = turn_call(0.01);
    other.ranks = 8;
    add(other, 10);
    other = turn_call(0.01);
    other.largest_sent = 128;
    add(other, 10);
    other = turn_call(0.01);
    other.largest_sent = 63;
    add(other, 10);
    other = turn_call(0.01);
    other.warmup = false;
    other.reason = "counts do not match";
    add(other, 10);
    const struct shunt_log_estimate made = estimate();
    assert_true(made.ranks == 0);
    assert_int_equal(made.too_few, 0);
}

/* Largest blocks differ between ranks: this rank compares its own. */
static void own_blocks_are_compared_though_others_are_larger(void **unused)
{
    (void)unused;
    struct shunt_record record = routed_call(0.001);
    record.max = 100000;
    add(record, 10);
    add(turn_call(0.002), 10);
    const char *lines = print(false);
    contains(lines, "routed calls 2.0 times as fast");
    contains(lines,
             "shunt:  64 B - 128 B      alltoall      10     50.0%  10 KiB    2.00 ms  native");
    contains(lines,
             "shunt:  64 KiB - 128 KiB  alltoall      10     50.0%  10 KiB    1.00 ms  bruck");
}

/* The call holds both exchanges and the comparison. */
static void under_verification_nothing_is_claimed(void **unused)
{
    (void)unused;
    struct shunt_record record = routed_call(0.010);
    record.native = 0.004;
    record.aside = 0.008;
    add(record, 5);
    add(turn_call(0.004), 5);
    contains(print(false), "shunt:          40.0 ms of it checking and preparing\n");
    contains(result,
             "shunt:  gain    not measured: SHUNT_VERIFY=1 makes both exchanges in each call; "
             "run without it\n");
    lacks(result, "times as fast");
    contains(print(true), "\"estimate\": {\"not_measured\": \"verified\", ");
}

/* Times 1 to N in an order without pattern. */
static void a_sample_has_about_the_median_of_all(void **unused)
{
    (void)unused;
    enum { N = 10007 };
    add(turn_call(1000), 5);
    for (int i = 0; i < N; i++)
        add(routed_call(1 + (double)((int64_t)i * 7919 % N)), 1);
    const struct shunt_log_estimate made = estimate();
    const double median = 1000 / made.speedup;
    assert_int_equal(made.routed, N);
    assert_true(median > 0.25 * N && median < 0.75 * N);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_summary, end_summary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(no_gain_is_claimed_from_few_native_calls),
        TEST(without_native_calls_that_is_said),
        TEST(where_nothing_was_routed_nothing_is_said_of_a_gain),
        TEST(calls_before_set_up_are_no_native_speed),
        TEST(nothing_follows_from_early_native_calls),
        TEST(more_than_was_spent_is_not_claimed),
        TEST(what_set_up_took_is_no_gain),
        TEST(where_ranks_share_processors_that_is_said),
        TEST(few_routed_calls_tell_nothing_either),
        TEST(five_calls_of_each_side_make_an_estimate),
        TEST(the_interval_holds_what_the_medians_allow),
        TEST(what_may_be_chance_is_told_as_not_clear),
        TEST(first_calls_and_failed_ones_are_left_out),
        TEST(a_late_rank_does_not_make_a_gain),
        TEST(a_loss_is_told_as_such),
        TEST(the_least_loss_is_no_zero),
        TEST(only_like_calls_are_compared),
        TEST(own_blocks_are_compared_though_others_are_larger),
        TEST(under_verification_nothing_is_claimed),
        TEST(a_sample_has_about_the_median_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
