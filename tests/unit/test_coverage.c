/* SPDX-License-Identifier: BSD-3-Clause */
/* test_coverage.c: gaps and overlaps, against all calls of all small layouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "route/coverage.h"
#include "rules.h"

enum {
    NODES = 3,
    PPN = 4,
    RANKS = NODES * PPN,
    BLOCKS = 5,
    DENSITIES = 3,
    CROWDS = 2,
    RULES = 6,
    MOST = 1000
};

/* A call as a point. */
struct call {
    int64_t side[SHUNT_BOX_SIDES];
};

static struct call calls[(1 << 2 * NODES) * NODES * BLOCKS * DENSITIES * CROWDS];
static size_t call_count;

static void add_calls(int64_t ranks, int64_t nodes, int64_t least, int64_t most)
{
    for (int64_t block = 0; block < BLOCKS; block++)
        for (int64_t density = block > 0; density <= (block > 0 ? DENSITIES : 0); density++)
            for (int64_t crowd = 0; crowd < CROWDS; crowd++)
                calls[call_count++] = (struct call){{[SHUNT_BOX_BLOCK] = block,
                                                     [SHUNT_BOX_DENSITY] = density,
                                                     [SHUNT_BOX_OVERSUBSCRIBED] = crowd,
                                                     [SHUNT_BOX_RANKS] = ranks,
                                                     [SHUNT_BOX_NODES] = nodes,
                                                     [SHUNT_BOX_LEAST] = least,
                                                     [SHUNT_BOX_MOST] = most}};
}

/* Every call of two ranks and more on up to NODES nodes of up to PPN ranks. */
static int make_calls(void **state)
{
    (void)state;
    for (int nodes = 1; nodes <= NODES; nodes++) {
        for (int code = 0; code < 1 << 2 * nodes;
             code++) { /* two bits per node: its ranks less 1 */
            int64_t ranks = 0, least = PPN, most = 1;
            for (int node = 0; node < nodes; node++) {
                const int64_t here = 1 + (code >> 2 * node) % PPN;
                least = here < least ? here : least;
                most = here > most ? here : most;
                ranks += here;
            }
            if (ranks > 1)
                add_calls(ranks, nodes, least, most);
        }
    }
    return 0;
}

static bool holds(const struct shunt_box *box, const struct call *call)
{
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        if (call->side[i] < box->side[i].low || call->side[i] > box->side[i].high)
            return false;
    return true;
}

static struct shunt_box the_space(void)
{
    struct shunt_box space;
    for (int i = 0; i < SHUNT_BOX_SIDES; i++)
        space.side[i] = (struct shunt_range){1, PPN};
    space.side[SHUNT_BOX_BLOCK] = (struct shunt_range){0, BLOCKS - 1};
    space.side[SHUNT_BOX_DENSITY] = (struct shunt_range){0, DENSITIES};
    space.side[SHUNT_BOX_OVERSUBSCRIBED] = (struct shunt_range){0, CROWDS - 1};
    space.side[SHUNT_BOX_RANKS] = (struct shunt_range){2, RANKS};
    space.side[SHUNT_BOX_NODES].high = NODES;
    return space;
}

static struct shunt_coverage coverage_of(const struct shunt_table *table,
                                         const struct shunt_box *space, size_t most)
{
    struct shunt_coverage coverage;
    assert_true(shunt_coverage_find(&coverage, table, SHUNT_OP_ALLTOALLV, space, most, true));
    return coverage;
}

static int between(uint32_t *seed, int low, int high)
{
    return low + (int)(next_random(seed) % (uint32_t)(high - low + 1));
}

/* Ranges within least..most; now and then all of it. */
static int put_range(char *at, const char *key, uint32_t *seed, int least, int most)
{
    const int low = next_random(seed) % 3 == 0 ? least : between(seed, least, most);
    return sprintf(at, "%s = \"%d-%d\"; ", key, low,
                   next_random(seed) % 3 == 0 ? most : between(seed, low, most));
}

static struct shunt_table *random_table(uint32_t *seed)
{
    static const char *const algorithms[] = {"native", "scattered", "parlogna"};
    char text[RULES * 200], *at = text;
    const int rules = between(seed, 1, RULES);
    for (int i = 0; i < rules; i++) {
        at += sprintf(at, "%s{ ", i > 0 ? ",\n" : "");
        at += put_range(at, "ranks", seed, 1, RANKS);
        at += put_range(at, "nodes", seed, 1, NODES);
        at += put_range(at, "ppn", seed, 1, PPN);
        at += put_range(at, "block", seed, 0, BLOCKS - 1);
        at += put_range(at, "density", seed, 0, DENSITIES);
        if (next_random(seed) % 3 == 0)
            at += sprintf(at, "oversubscribed = %s; ", next_random(seed) % 2 ? "true" : "false");
        at += sprintf(at, "algorithm = \"%s\"; }", algorithms[next_random(seed) % 3]);
    }
    return table_of(text);
}

static bool taken(const struct shunt_table *table, const struct call *call)
{
    for (uint32_t i = 0; i < table->rule_count[SHUNT_OP_ALLTOALLV]; i++) {
        const struct shunt_box box = shunt_box_of(&table->rules[i]);
        if (holds(&box, call))
            return true;
    }
    return false;
}

static bool in_gap(const struct shunt_coverage *coverage, const struct call *call)
{
    for (size_t i = 0; i < coverage->gap_count; i++)
        if (holds(&coverage->gaps[i], call))
            return true;
    return false;
}

/* The gaps hold exactly the calls that no rule takes; they lie in the space, none within another.
 */
static void gaps_are_what_no_rule_takes(void **state)
{
    (void)state;
    const struct shunt_box space = the_space();
    uint32_t seed = 5;
    size_t free_calls = 0, taken_calls = 0, gaps = 0;
    for (int round = 0; round < 300; round++) {
        struct shunt_table *table = random_table(&seed);
        struct shunt_coverage coverage = coverage_of(table, &space, MOST);
        assert_true(coverage.gaps_complete);
        for (size_t i = 0; i < call_count; i++) {
            assert_int_equal(in_gap(&coverage, &calls[i]), !taken(table, &calls[i]));
            free_calls += !taken(table, &calls[i]);
            taken_calls += taken(table, &calls[i]);
        }
        for (size_t i = 0; i < coverage.gap_count; i++) {
            assert_true(shunt_box_holds(&space, &coverage.gaps[i]));
            assert_true(shunt_box_possible(&coverage.gaps[i]));
            for (size_t j = 0; j < coverage.gap_count; j++)
                assert_true(i == j || !shunt_box_holds(&coverage.gaps[i], &coverage.gaps[j]));
        }
        gaps += coverage.gap_count;
        shunt_coverage_clear(&coverage);
        free(table);
    }
    print_message("%zu calls taken, %zu not, %zu gaps\n", taken_calls, free_calls, gaps);
    assert_true(free_calls > 1000 && taken_calls > 1000);
}

/* Whether some call is taken by both rules. */
static bool both_take(const struct shunt_box *a, const struct shunt_box *b)
{
    for (size_t i = 0; i < call_count; i++)
        if (holds(a, &calls[i]) && holds(b, &calls[i]))
            return true;
    return false;
}

static bool listed(const struct shunt_coverage *coverage, uint32_t first, uint32_t second)
{
    for (size_t i = 0; i < coverage->overlap_count; i++)
        if (coverage->overlaps[i].first == first && coverage->overlaps[i].second == second)
            return true;
    return false;
}

static void overlaps_are_pairs_that_take_the_same_call(void **state)
{
    (void)state;
    const struct shunt_box space = the_space();
    uint32_t seed = 11;
    size_t overlapping = 0, others = 0;
    for (int round = 0; round < 200; round++) {
        struct shunt_table *table = random_table(&seed);
        struct shunt_coverage coverage = coverage_of(table, &space, MOST);
        assert_true(coverage.overlaps_complete);
        for (uint32_t j = 0; j < table->rule_count[SHUNT_OP_ALLTOALLV]; j++) {
            for (uint32_t i = 0; i < j; i++) {
                const struct shunt_box a = shunt_box_of(&table->rules[i]),
                                       b = shunt_box_of(&table->rules[j]);
                const bool expected = table->rules[i].algorithm != table->rules[j].algorithm &&
                                      both_take(&a, &b) && !shunt_box_holds(&a, &b) &&
                                      !shunt_box_holds(&b, &a);
                assert_int_equal(listed(&coverage, i, j), expected);
                overlapping += expected;
                others += !expected;
            }
        }
        shunt_coverage_clear(&coverage);
        free(table);
    }
    print_message("%zu pairs overlap, %zu do not\n", overlapping, others);
    assert_true(overlapping > 50 && others > 50);
}

static void gaps_are_large_and_few(void **state)
{
    (void)state;
    const struct shunt_box space = the_space();
    struct shunt_table *table = table_of("{ nodes = 1; block = \"0-2\"; algorithm = \"native\"; }");
    struct shunt_coverage coverage = coverage_of(table, &space, MOST);
    /* What is on several nodes, of all sizes; and larger blocks, on any nodes. */
    assert_int_equal(coverage.gap_count, 2);
    assert_int_equal(coverage.gaps[0].side[SHUNT_BOX_NODES].low, 1);
    assert_int_equal(coverage.gaps[0].side[SHUNT_BOX_BLOCK].low, 3);
    assert_int_equal(coverage.gaps[1].side[SHUNT_BOX_NODES].low, 2);
    assert_int_equal(coverage.gaps[1].side[SHUNT_BOX_BLOCK].low, 0);
    shunt_coverage_clear(&coverage);
    coverage = coverage_of(table, &space, 1);
    assert_int_equal(coverage.gap_count, 1);
    assert_false(coverage.gaps_complete);
    shunt_coverage_clear(&coverage);
    free(table);
    table = table_of("{ block = 3; algorithm = \"scattered\"; }, { algorithm = \"native\"; }");
    coverage = coverage_of(table, &space, MOST);
    assert_int_equal(coverage.gap_count, 0);
    assert_true(coverage.gaps_complete);
    assert_int_equal(coverage.overlap_count, 0);
    assert_int_equal(coverage.nested, 1);
    shunt_coverage_clear(&coverage);
    free(table);
}

/* Rules that overlap in every way: looking ends, and says that it did. */
static void looking_is_bounded(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    uint32_t seed = 1;
    char *text = malloc(MANY * 160 + 1), *at = text;
    assert_non_null(text);
    for (int i = 0; i < MANY; i++) {
        at += sprintf(at, "%s{ ", i > 0 ? ",\n" : "");
        at += put_range(at, "ranks", &seed, 1, 5000);
        at += put_range(at, "nodes", &seed, 1, 500);
        at += put_range(at, "ppn", &seed, 1, 100);
        at += put_range(at, "block", &seed, 1, 100000);
        at += sprintf(at, "algorithm = \"%s\"; }", i % 2 == 0 ? "native" : "scattered");
    }
    struct shunt_table *table = table_of(text);
    struct shunt_rule any = {.ranks = {2, INT64_MAX},
                             .nodes = {0, INT64_MAX},
                             .ppn = {0, INT64_MAX},
                             .block = {0, INT64_MAX},
                             .density = {0, INT64_MAX}};
    const struct shunt_box space = shunt_box_of(&any);
    const clock_t begin = clock();
    struct shunt_coverage coverage = coverage_of(table, &space, 100000);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("%d rules: %zu gaps, %zu overlaps in %.2f s\n", MANY, coverage.gap_count,
                  coverage.overlap_count, seconds);
    assert_false(coverage.gaps_complete && coverage.overlaps_complete);
    assert_true(coverage.gap_count > 0 && coverage.overlap_count > 0);
    if (!getenv("SHUNT_TEST_THIN"))
        assert_true(seconds < 20);
    shunt_coverage_clear(&coverage);
    free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_what_no_rule_takes),
        cmocka_unit_test(overlaps_are_pairs_that_take_the_same_call),
        cmocka_unit_test(gaps_are_large_and_few),
        cmocka_unit_test(looking_is_bounded),
    };
    return cmocka_run_group_tests(tests, make_calls, NULL);
}
