/* SPDX-License-Identifier: BSD-3-Clause */
/* test_bench.c: what `shunt bench` does without MPI: sizes, options. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/bench/options.h"
#include "tools/common/matrix.h"

enum { RANKS = 512, LARGEST = 1024 };

static void fill(const char *name, uint64_t seed, int rank, int64_t *counts)
{
    struct measure_distribution distribution;
    assert_true(measure_distribution_parse(name, &distribution));
    measure_distribution_row(&distribution, seed, RANKS, rank, LARGEST, counts);
}

static double mean_of(const int64_t *counts)
{
    double sum = 0;
    for (int p = 0; p < RANKS; p++)
        sum += (double)counts[p];
    return sum / RANKS;
}

static void sizes_stay_within_bounds(void **state)
{
    static const char *const names[] = {"constant", "uniform",   "normal", "power-law", "power:0.5",
                                        "power:1",  "power:2.5", "fft-n1", "fft-n2"};
    int64_t counts[RANKS];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int rank = 0; rank < RANKS; rank += 73) {
            fill(names[i], 7, rank, counts);
            for (int p = 0; p < RANKS; p++)
                assert_true(counts[p] >= 0 && counts[p] <= LARGEST);
        }
    }
}

static void sizes_follow_from_the_seed(void **state)
{
    int64_t once[RANKS], again[RANKS], other_seed[RANKS], other_rank[RANKS];
    (void)state;
    fill("uniform", 1, 5, once);
    fill("uniform", 1, 5, again);
    fill("uniform", 2, 5, other_seed);
    fill("uniform", 1, 6, other_rank);
    assert_memory_equal(once, again, sizeof once);
    assert_memory_not_equal(once, other_seed, sizeof once);
    assert_memory_not_equal(once, other_rank, sizeof once);
}

static void uniform_has_its_mean_and_ends(void **state)
{
    int64_t counts[RANKS], least = LARGEST, most = 0;
    double sum = 0;
    (void)state;
    for (int rank = 0; rank < 64; rank++) {
        fill("uniform", 1, rank, counts);
        sum += mean_of(counts);
        for (int p = 0; p < RANKS; p++) {
            least = counts[p] < least ? counts[p] : least;
            most = counts[p] > most ? counts[p] : most;
        }
    }
    assert_true(fabs(sum / 64 - LARGEST / 2.0) < 10);
    assert_int_equal(least, 0);
    assert_int_equal(most, LARGEST);
}

/* Mean 1000, deviation 240, cut at 1024: the cut lies 0.1 deviations above the mean, so the mean is
 * 240 * phi(0.1) / Phi(0.1) lower. */
static void normal_is_cut_not_clipped(void **state)
{
    int64_t counts[RANKS];
    double sum = 0;
    int at_top = 0;
    (void)state;
    for (int rank = 0; rank < 64; rank++) {
        fill("normal", 1, rank, counts);
        sum += mean_of(counts);
        for (int p = 0; p < RANKS; p++)
            at_top += counts[p] == LARGEST;
    }
    assert_true(fabs(sum / 64 - (1000 - 240 * 0.39695 / 0.53983)) < 5);
    assert_true(at_top < 64 * RANKS / 100);
}

static int descending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static void power_law_of_the_papers_is_a_shuffled_series(void **state)
{
    int64_t counts[RANKS], sorted[RANKS];
    double size = LARGEST;
    (void)state;
    fill("power-law", 3, 11, counts);
    memcpy(sorted, counts, sizeof sorted);
    qsort(sorted, RANKS, sizeof sorted[0], descending);
    assert_memory_not_equal(sorted, counts, sizeof sorted);
    for (int i = 0; i < RANKS; i++) {
        assert_int_equal(sorted[i], (int64_t)size);
        size *= 0.95;
    }
}

/* Twice the size is 2^exponent times as rare: of sizes in [x, 2x) and [2x, 4x) the first are
 * 2^(exponent - 1) times as many. */
static void power_law_has_its_exponent(void **state)
{
    int64_t counts[RANKS];
    int low = 0, high = 0;
    (void)state;
    for (int rank = 0; rank < 256; rank++) {
        fill("power:2", 1, rank, counts);
        for (int p = 0; p < RANKS; p++) {
            low += counts[p] >= 4 && counts[p] < 8;
            high += counts[p] >= 8 && counts[p] < 16;
        }
    }
    assert_true(fabs((double)low / high - 2.0) < 0.1);
}

static void transposes_are_those_of_the_paper(void **state)
{
    int64_t counts[RANKS];
    (void)state;
    fill("fft-n1", 1, 319, counts); /* ceil(0.625 P) = 320 workers, ceil(0.78125 P) = 400 blocks */
    assert_int_equal(counts[399], LARGEST);
    assert_int_equal(counts[400], 0);
    fill("fft-n1", 1, 320, counts);
    assert_int_equal(counts[0], 0);
    fill("fft-n2", 1, RANKS - 2, counts);
    assert_int_equal(counts[RANKS - 1], LARGEST);
    fill("fft-n2", 1, RANKS - 1, counts);
    assert_int_equal(counts[0], LARGEST / 4);
    fill("neighbours:6", 1, 1, counts);
    assert_int_equal(counts[1], 0);
    assert_int_equal(counts[RANKS - 2], LARGEST);
    assert_int_equal(counts[RANKS - 3], 0);
    assert_int_equal(counts[4], LARGEST);
    assert_int_equal(counts[5], 0);
    fill("one-to-all", 1, 0, counts);
    assert_int_equal(counts[0], LARGEST);
    fill("one-to-all", 1, 1, counts);
    assert_int_equal(counts[0], 0);
}

static void distributions_are_read_and_printed(void **state)
{
    static const char *const good[] = {"constant",   "uniform",     "normal", "power-law",
                                       "power:1.5",  "fft-n1",      "fft-n2", "neighbours:6",
                                       "one-to-all", "matrix:a.txt"};
    static const char *const bad[] = {
        "",          "unifrom",     "power:",       "power:-1",     "power:x",       "power:1x",
        "power:nan", "neighbours:", "neighbours:3", "neighbours:0", "neighbours:6x", "matrix:"};
    struct measure_distribution distribution;
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(measure_distribution_parse(good[i], &distribution));
        measure_distribution_print(&distribution, text, sizeof text);
        assert_string_equal(text, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(measure_distribution_parse(bad[i], &distribution));
}

static void matrices_are_read(void **state)
{
    static const struct {
        const char *text, *diagnostic;
    } wrong[] = {
        {"1 2\n", "1 rows instead of one for each of 2 ranks"},
        {"1 2\n3 4\n5 6\n", "3 rows instead of one for each of 2 ranks"},
        {"1 2\n3\n", "line 2: 1 numbers instead of one for each of 2 ranks"},
        {"1 2\n\n3 4 5\n", "line 3: 3 numbers instead of one for each of 2 ranks"},
        {"1 -2\n3 4\n", "line 1: \"-2\" is not a number of bytes from 0 to 2147483647"},
        {"1 2\n3 x\n", "line 2: \"x\" is not a number of bytes from 0 to 2147483647"},
        {"1 3000000000\n3 4\n",
         "line 1: \"3000000000\" is not a number of bytes from 0 to 2147483647"},
    };
    int64_t counts[4];
    char diagnostic[200];
    (void)state;
    assert_true(
        shunt_matrix_parse("# counts\n 1, 2\r\n\n3\t4", 2, counts, diagnostic, sizeof diagnostic));
    for (int i = 0; i < 4; i++)
        assert_int_equal(counts[i], i + 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(shunt_matrix_parse(wrong[i].text, 2, counts, diagnostic, sizeof diagnostic));
        assert_string_equal(diagnostic, wrong[i].diagnostic);
    }
}

static struct bench_options options;
static char diagnostic_text[600];

/* Words separated by blanks. */
static bool read_line(const char *line)
{
    static char words[512];
    char *arguments[32], *save = NULL;
    int count = 1;
    arguments[0] = words;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &save); word && count < 31;
         word = strtok_r(NULL, " ", &save))
        arguments[count++] = word;
    arguments[count] = NULL;
    diagnostic_text[0] = '\0';
    struct shunt_words others;
    return bench_options_read(&options, &others, count, arguments, diagnostic_text,
                              sizeof diagnostic_text);
}

static void expect_selections(const char *line, const char *const *expected, int count)
{
    assert_true(read_line(line));
    assert_int_equal(options.selection_count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(options.selections[i].text, expected[i]);
        assert_non_null(options.selections[i].force);
    }
    bench_options_clear(&options);
}

static void sweeps_are_expanded(void **state)
{
    static const char *const one[] = {"parlogna:radix=2", "parlogna:radix=4",
                                      "parlogna:radix=sqrt(P)", "scattered"};
    static const char *const two[] = {"parlinna-coalesced:radix=2:batch_size=1",
                                      "parlinna-coalesced:radix=2:batch_size=8",
                                      "parlinna-coalesced:radix=Q:batch_size=1",
                                      "parlinna-coalesced:radix=Q:batch_size=8", "pairwise"};
    static const char *const three[] = {
        "parlogna:radix=4x2x8:metadata=fused", "parlogna:radix=4x2x8:metadata=separate",
        "parlogna:radix=QxN:metadata=fused", "parlogna:radix=QxN:metadata=separate", "sloav"};
    (void)state;
    expect_selections("--algorithm=parlogna:radix=2,4,sqrt(P),scattered", one, 4);
    expect_selections(
        "--algorithm parlogna:radix=2,4,sqrt(P) --algorithm scattered,parlogna:radix=4", one, 4);
    expect_selections("--algorithm=parlinna-coalesced:radix=2,Q:batch_size=1,8,pairwise", two, 5);
    expect_selections("--algorithm=parlogna:radix=4x2x8,QxN:metadata=fused,separate,sloav", three,
                      5);
}

static void without_options_everything_is_the_default(void **state)
{
    (void)state;
    assert_true(read_line(""));
    assert_true(options.op[SHUNT_OP_ALLTOALLV] && !options.op[SHUNT_OP_ALLTOALL]);
    assert_int_equal(options.block_count, 3);
    assert_int_equal(options.repetitions, 50);
    assert_true(options.selection_count > 3);
    for (int i = 0; i < options.selection_count; i++)
        assert_true(options.selections[i].algorithm->ops & 1u << SHUNT_OP_ALLTOALLV);
    bench_options_clear(&options);
}

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *line, *diagnostic;
    } wrong[] = {
        {"--op=alltoal", "--op: \"alltoal\" is not alltoall or alltoallv"},
        {"--algorithm=parlogma",
         "--algorithm: alltoallv: unknown algorithm \"parlogma\" (did you mean \"parlogna\"?)"},
        {"--algorithm=parlogna:radix=2,scatered",
         "--algorithm: alltoallv: unknown algorithm \"scatered\" (did you mean \"scattered\"?)"},
        {"--algorithm=pairwise,scatered",
         "--algorithm: alltoallv: unknown algorithm \"scatered\" (did you mean \"scattered\"?)"},
        {"--algorithm=parlogna:radix=1",
         "--algorithm: alltoallv: radix 1 is too small, the least is 2"},
        {"--algorithm=scattered,,pairwise",
         "--algorithm: \"scattered,,pairwise\" has an empty name or value"},
        {"--algorithm=parlogna:radix=2,",
         "--algorithm: \"parlogna:radix=2,\" has an empty name or value"},
        {"--block=3Q", "--block: \"3Q\" is not a size below 2G, such as 512 or 64K"},
        {"--block=2G", "--block: \"2G\" is not a size below 2G, such as 512 or 64K"},
        {"--repetitions=0", "--repetitions: \"0\" is not a number from 1 to 1000000"},
        {"--seed=-1", "--seed: \"-1\" is not a number from 0 to 9223372036854775807"},
        {"--distribution=unifrom", "--distribution: \"unifrom\" is not constant, uniform, normal, "
                                   "power-law, power:EXPONENT, fft-n1, fft-n2, "
                                   "neighbours:N, one-to-all or matrix:FILE"},
        {"--plain --lower-bound",
         "--plain calls MPI as it is: no --algorithm, --lower-bound or --phases with it"},
        {"--paired",
         "--paired is for --plain: algorithms are measured beside the library's own anyway"},
        {"--csv=x --json=x", "--csv and --json name the same file, \"x\""},
        {"--json=- --rules=-", "--json and --rules name the same file, \"-\""},
        {"--plain --rules=x", "--rules names algorithms, and --plain knows none"},
        {"--zork", "--zork is not an option"},
        {"zork", "\"zork\" is one word too many"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(read_line(wrong[i].line));
        assert_string_equal(diagnostic_text, wrong[i].diagnostic);
        bench_options_clear(&options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_stay_within_bounds),
        cmocka_unit_test(sizes_follow_from_the_seed),
        cmocka_unit_test(uniform_has_its_mean_and_ends),
        cmocka_unit_test(normal_is_cut_not_clipped),
        cmocka_unit_test(power_law_of_the_papers_is_a_shuffled_series),
        cmocka_unit_test(power_law_has_its_exponent),
        cmocka_unit_test(transposes_are_those_of_the_paper),
        cmocka_unit_test(distributions_are_read_and_printed),
        cmocka_unit_test(matrices_are_read),
        cmocka_unit_test(sweeps_are_expanded),
        cmocka_unit_test(without_options_everything_is_the_default),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
