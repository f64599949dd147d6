/* SPDX-License-Identifier: BSD-3-Clause */
/* test_measure.c: the statistics of measured times: medians, intervals, lines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nearness.h"
#include "tools/measure/random.h"
#include "tools/measure/statistics.h"

static bool equal(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void medians_are_right(void **state)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    (void)state;
    assert_true(equal(measure_median(odd, 3), 3));
    assert_true(equal(measure_median(even, 4), 2.5));
    assert_true(equal(measure_median(one, 1), 7));
}

static void intervals_hold_the_median(void **state)
{
    const double same[] = {2, 2, 2, 2};
    double values[50];
    (void)state;
    for (int i = 0; i < 50; i++)
        values[i] = i * 7 % 50 + 1; /* 1 .. 50 in some order */
    const struct measure_interval interval = measure_interval(values, 50),
                                  again = measure_interval(values, 50);
    assert_true(equal(interval.median, 25.5));
    assert_true(interval.low > 12 && interval.low < 25.5 && interval.high > 25.5 &&
                interval.high < 39);
    assert_true(equal(interval.low, again.low) && equal(interval.high, again.high));
    const struct measure_interval flat = measure_interval(same, 4);
    assert_true(equal(flat.low, 2) && equal(flat.median, 2) && equal(flat.high, 2));
}

/* The interval of 95 % misses the true median in about one of twenty samples. */
static void intervals_are_wide_enough(void **state)
{
    struct measure_random random = measure_random_begin(9, 9);
    int missed = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        double values[40];
        for (int k = 0; k < 40; k++)
            values[k] = measure_random_unit(&random);
        const struct measure_interval interval = measure_interval(values, 40);
        missed += interval.low > 0.5 || interval.high < 0.5;
    }
    assert_true(missed >= 2 && missed <= 24);
}

/* Pairs: a disturbance that hits both of a pair leaves the quotient alone. */
static void ratios_are_paired(void **state)
{
    double above[31], below[31];
    (void)state;
    for (int i = 0; i < 31; i++) {
        below[i] = 1 + i % 5 * 100;
        above[i] = 2 * below[i];
    }
    const struct measure_interval ratio = measure_ratio(above, below, 31);
    assert_true(equal(ratio.low, 2) && equal(ratio.median, 2) && equal(ratio.high, 2));
}

static void busy_is_a_median_far_above_the_least(void **state)
{
    double quiet[21], busy[21];
    (void)state;
    for (int i = 0; i < 21; i++) {
        quiet[i] = i < 19 ? 100 + i : 5000; /* a few late ones are nothing unusual */
        busy[i] = i < 3 ? 100 : 150 + i;
    }
    const struct measure_interval of_quiet = measure_interval(quiet, 21),
                                  of_busy = measure_interval(busy, 21);
    assert_false(measure_busy(&of_quiet));
    assert_true(measure_busy(&of_busy));
}

enum { SIZES = 17, SEEDS = 25 };

/* 0, 2, 4, 8, 16, ... */
static double size_of(int i)
{
    return i == 0 ? 0 : (double)(1 << i);
}

/* -1 to 1. */
static double noise(struct measure_random *random)
{
    return 2 * measure_random_unit(random) - 1;
}

static void a_line_without_noise_is_found(void **state)
{
    static const struct measure_line lines[] = {{1e-6, 1e-10}, {3e-9, 4e-11}, {2e-6, 0}, {0, 5e-9}};
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        struct measure_point points[SIZES];
        const int first = lines[k].start > 0 ? 0 : 1; /* times are positive */
        for (int i = first; i < SIZES; i++)
            points[i - first] =
                (struct measure_point){size_of(i), lines[k].start + lines[k].slope * size_of(i)};
        const struct measure_line found = measure_line_fit(points, SIZES - first);
        assert_true(near(found.start, lines[k].start, 1e-9) || found.start < 1e-18);
        assert_true(near(found.slope, lines[k].slope, 1e-9) || found.slope < 1e-22);
        assert_true(measure_line_residual(&found, points, SIZES - first) < 1e-9);
    }
}

static void noise_and_disturbed_sizes_move_a_line_little(void **state)
{
    const struct measure_line line = {2e-6, 2e-10};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct measure_random random = measure_random_begin(seed, 0);
        struct measure_point points[SIZES];
        for (int i = 0; i < SIZES; i++)
            points[i] = (struct measure_point){size_of(i), (line.start + line.slope * size_of(i)) *
                                                               (1 + 0.03 * noise(&random))};
        for (int i = 0; i < 3; i++) /* far too slow: other work never makes anything faster */
            points[measure_random_below(&random, SIZES)].y *= 5;
        const struct measure_line found = measure_line_fit(points, SIZES);
        assert_true(near(found.start, line.start, 0.05));
        assert_true(near(found.slope, line.slope, 0.05));
        const double residual = measure_line_residual(&found, points, SIZES);
        assert_true(residual >= 1e-4 && residual <= 500e-4);
    }
}

static void a_line_is_never_negative(void **state)
{
    const struct measure_point steep[] = {{2, 1e-9}, {4, 9e-9}}, falling[] = {{0, 3e-6}, {8, 2e-6}},
                               single[] = {{4, 8e-7}};
    struct measure_line line = measure_line_fit(steep, 2);
    (void)state;
    assert_true(line.start == 0 && line.slope > 0);
    line = measure_line_fit(falling, 2);
    assert_true(line.slope == 0 && line.start >= 2e-6 && line.start <= 3e-6);
    line = measure_line_fit(single, 1);
    assert_true(line.start == 0 && near(line.slope, 2e-7, 1e-12));
}

static void samples_tell_whether_they_were_disturbed(void **state)
{
    struct measure_samples samples = {0};
    (void)state;
    assert_true(measure_samples_median(&samples) == 0 && measure_samples_spread(&samples) == 0);
    for (int i = 0; i < 100; i++)
        measure_samples_add(&samples, 1e-6 * (1 + 0.001 * (i % 10)));
    assert_false(measure_samples_disturbed(&samples));
    assert_true(near(measure_samples_median(&samples), 1.0045e-6, 1e-3));
    assert_true(measure_samples_spread(&samples) >= 1e-3 &&
                measure_samples_spread(&samples) <= 4e-3);
    for (int i = 0; i < 40; i++)
        measure_samples_add(&samples, 9e-6);
    assert_false(measure_samples_disturbed(&samples)); /* most were not */
    for (int i = 0; i < 80; i++)
        measure_samples_add(&samples, 9e-6);
    assert_true(measure_samples_disturbed(&samples));
    samples.count = 0;
    measure_samples_add(&samples, 1);
    measure_samples_add(&samples, 9);
    assert_false(measure_samples_disturbed(&samples)); /* too few to tell */
}

static void other_work_hides_no_typical_value(void **state)
{
    struct measure_samples samples = {0};
    struct measure_random random = measure_random_begin(3, 0);
    (void)state;
    assert_true(measure_samples_typical(&samples) == 0 && measure_samples_least(&samples) == 0);
    for (int i = 0; i < 200; i++) /* two of three were disturbed */
        measure_samples_add(&samples, i % 3 == 0 ? 2e-6 * (1 + 0.01 * noise(&random)) : 1e-4 * i);
    assert_true(near(measure_samples_typical(&samples), 2e-6, 0.02));
    assert_true(near(measure_samples_least(&samples), 2e-6, 0.02));
    assert_true(measure_samples_least(&samples) <= measure_samples_typical(&samples));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_are_right),
        cmocka_unit_test(intervals_hold_the_median),
        cmocka_unit_test(intervals_are_wide_enough),
        cmocka_unit_test(ratios_are_paired),
        cmocka_unit_test(busy_is_a_median_far_above_the_least),
        cmocka_unit_test(a_line_without_noise_is_found),
        cmocka_unit_test(noise_and_disturbed_sizes_move_a_line_little),
        cmocka_unit_test(a_line_is_never_negative),
        cmocka_unit_test(samples_tell_whether_they_were_disturbed),
        cmocka_unit_test(other_work_hides_no_typical_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
