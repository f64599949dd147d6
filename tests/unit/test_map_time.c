/* SPDX-License-Identifier: BSD-3-Clause */
/* test_map_time.c: how long many rules take to be read, checked and made into decisions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "maps.h"
#include "route/coverage.h"
#include "route/findings.h"
#include "route/parse.h"
#include "rules.h"

static void a_thousand_rules_are_quick(void **state)
{
    (void)state;
    uint32_t seed = 7;
    char *text = random_rules(&seed, 1000);
    struct shunt_table *table = table_of(text);
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 1024, 16);
    clock_t begin = clock();
    build(&map, table, &layout, -1);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("1,000 rules: %.2f ms, %zu entries\n", seconds * 1e3, map.count);
    /*
     * A few milliseconds are expected; the bound leaves room for a busy machine. Under valgrind,
     * on a busy machine, half a second was not enough: what is looked at there is memory.
     */
    assert_true(seconds < 0.5 || getenv("SHUNT_TEST_THIN"));
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
    free(text);
}

/* Processor seconds of what is done with a table, the least of three times. */
struct times {
    double read, check, build;
};

static double since(clock_t *begin)
{
    const clock_t now = clock();
    const double seconds = (double)(now - *begin) / CLOCKS_PER_SEC;
    *begin = now;
    return seconds;
}

static void keep_least(double *least, double seconds)
{
    *least = *least > 0 && *least < seconds ? *least : seconds;
}

/* Rules with names, each for a few sizes of its own, so that every one of them stays in the map. */
static char *many_rules(int count)
{
    char *text = malloc((size_t)count * 100 + 64), *at = text;
    assert_non_null(text);
    at += sprintf(at, "schema = 1; alltoallv = (");
    for (int i = 0; i < count; i++)
        at += sprintf(at, "%s{ id = \"rule %d\"; block = \"%d-%d\"; algorithm = \"scattered\"; }",
                      i > 0 ? ",\n" : "", i, i * 4, i * 4 + 2);
    strcpy(at, ");");
    return text;
}

/* What no rule takes, and which rules overlap: none do. */
static void cover(const struct shunt_table *table)
{
    const struct shunt_rule any = {.ranks = {2, INT64_MAX},
                                   .nodes = {0, INT64_MAX},
                                   .ppn = {0, INT64_MAX},
                                   .block = {0, INT64_MAX},
                                   .density = {0, INT64_MAX}};
    const struct shunt_box space = shunt_box_of(&any);
    struct shunt_coverage coverage;
    assert_true(shunt_coverage_find(&coverage, table, SHUNT_OP_ALLTOALLV, &space, 8, true));
    assert_int_equal(coverage.gap_count, 8);
    assert_true(coverage.overlaps_complete);
    assert_int_equal(coverage.overlap_count, 0);
    shunt_coverage_clear(&coverage);
}

static struct times times_of(int rules)
{
    char *text = many_rules(rules);
    struct shunt_layout layout;
    struct times least = {0};
    blocks(&layout, 1024, 16);
    for (int i = 0; i < 3; i++) {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_map map;
        clock_t begin = clock();
        struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
        keep_least(&least.read, since(&begin));
        assert_non_null(table);
        shunt_table_findings(table, &diagnostics);
        cover(table);
        keep_least(&least.check, since(&begin));
        build(&map, table, &layout, -1);
        keep_least(&least.build, since(&begin));
        assert_int_equal(map.count, 2 * rules);
        assert_int_equal(diagnostics.count, 0);
        shunt_map_clear(&map);
        free(table);
    }
    shunt_layout_clear(&layout);
    free(text);
    print_message("%d rules: read in %.1f ms, checked in %.1f ms, map made in %.1f ms\n", rules,
                  least.read * 1e3, least.check * 1e3, least.build * 1e3);
    return least;
}

/*
 * Ten times the rules take ten times as long, and a bit; in proportion to the square it would be a
 * hundred times. (Looking for rules that are never reached compares each with all before it, which
 * costs little next to reading; so the sum of both is looked at.) Other work on the machine can
 * lengthen any one measurement, while what grows with the square is too long each time: one good
 * measurement of five is enough. Times of instrumented code, whose allocator copies a list each
 * time it grows, say nothing about this.
 */
static void time_grows_with_the_number_of_rules(void **state)
{
    (void)state;
    if (getenv("SHUNT_TEST_THIN")) {
        print_message("skipped: times of instrumented code are not those of the library\n");
        skip();
    }
    const int rules = 20000;
    int good = 0;
    for (int i = 0; i < 5 && !good; i++) {
        const struct times few = times_of(rules / 10), many = times_of(rules);
        good = many.read + many.check < 35 * (few.read + few.check) &&
               many.build < 35 * few.build + 1e-3;
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_rules_are_quick),
        cmocka_unit_test(time_grows_with_the_number_of_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
