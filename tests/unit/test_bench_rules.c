/* SPDX-License-Identifier: BSD-3-Clause */
/* test_bench_rules.c: the rules that `shunt bench` writes for the winners. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/bench/rules.h"

enum { BRUCK, PARLOGNA, PARLINNA, CANDIDATES };
static const char *const candidates[CANDIDATES] = {
    "bruck", "parlogna:radix=sqrt(P):batch_size=16:metadata=fused",
    "parlinna-coalesced:radix=4x2:batch_size=8"};

static struct bench_rules on_hosts(void)
{
    return (struct bench_rules){.ranks = 17,
                                .nodes = 4,
                                .ppn_min = 1,
                                .ppn_max = 8,
                                .candidate_count = CANDIDATES,
                                .candidates = candidates};
}

/* The greatest gain is the best, and what is within a tenth of it. */
static void add_case(struct bench_rules *rules, enum shunt_op op, int64_t block, int64_t largest,
                     double bruck, double parlogna, double parlinna)
{
    struct bench_rule_score scores[CANDIDATES] = {
        {.gain = bruck}, {.gain = parlogna}, {.gain = parlinna}};
    const double most = fmax(bruck, fmax(parlogna, parlinna));
    for (int k = 0; k < CANDIDATES; k++)
        scores[k].best = scores[k].gain > 0 && scores[k].gain > 0.9 * most;
    assert_true(bench_rules_add(rules, op, block, largest, scores));
}

/* All of them, one line each. */
static void expect_rules(struct bench_rules *rules, const char *const *expected, int expected_count)
{
    char text[BENCH_RULE_ROOM];
    int count;
    struct bench_rule *found = bench_rules_find(rules, &count);
    assert_int_equal(count, expected_count);
    for (int i = 0; expected && i < expected_count; i++) {
        bench_rule_print(rules, &found[i], text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
    free(found);
    bench_rules_clear(rules);
}

#define ON_HOSTS "ranks = 17; nodes = 4; ppn = \"1-8\"; "

static void rules_are_as_the_user_wrote_the_candidates(void **state)
{
    static const char *const expected[] = {
        "{ id = \"17 ranks, 16\"; " ON_HOSTS "block = \"16\"; algorithm = \"bruck\"; }",
        "{ id = \"17 ranks, 503\"; " ON_HOSTS "block = \"503\"; algorithm = \"parlogna\"; radix = "
        "\"sqrt(P)\"; batch_size = 16; metadata = \"fused\"; }",
        "{ id = \"17 ranks, 4K\"; " ON_HOSTS "block = \"4K\"; algorithm = \"parlinna-coalesced\"; "
        "radix = \"4x2\"; batch_size = 8; }"};
    struct bench_rules rules = on_hosts();
    (void)state;
    add_case(&rules, SHUNT_OP_ALLTOALLV, 512, 503, 0, 2, 1.5);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 4096, 4096, 0, 0, 3);
    add_case(&rules, SHUNT_OP_ALLTOALL, 16, 16, 1.01, 0, 0);
    expect_rules(&rules, expected, 3);
}

static void neighbouring_sizes_of_one_winner_are_one_rule(void **state)
{
    static const char *const expected[] = {
        "{ id = \"17 ranks, 16-512\"; " ON_HOSTS "block = \"16-512\"; algorithm = \"bruck\"; }",
        "{ id = \"17 ranks, 8K\"; " ON_HOSTS "block = \"8K\"; algorithm = \"bruck\"; }",
        "{ id = \"17 ranks, 16\"; " ON_HOSTS "block = \"16\"; algorithm = \"bruck\"; }"};
    struct bench_rules rules = on_hosts();
    (void)state;
    add_case(&rules, SHUNT_OP_ALLTOALL, 512, 512, 1.2, 0, 0);
    add_case(&rules, SHUNT_OP_ALLTOALL, 64, 64, 1.4, 1.3, 0);
    add_case(&rules, SHUNT_OP_ALLTOALL, 16, 16, 1.3, 0, 0);
    add_case(&rules, SHUNT_OP_ALLTOALL, 2048, 2048, 0, 0, 0); /* native between them */
    add_case(&rules, SHUNT_OP_ALLTOALL, 8192, 8192, 1.1, 0, 0);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 16, 16, 1.1, 0, 0);
    expect_rules(&rules, expected, 3);
}

static void one_size_is_won_in_all_distributions_or_not_at_all(void **state)
{
    static const char *const expected[] = {"{ id = \"17 ranks, 480-512\"; " ON_HOSTS
                                           "block = \"480-512\"; algorithm = \"bruck\"; }"};
    struct bench_rules rules = on_hosts();
    (void)state;
    /* the fastest of one loses the other; what wins both has the greatest least gain */
    add_case(&rules, SHUNT_OP_ALLTOALLV, 512, 512, 1.3, 9, 1.2);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 512, 480, 1.3, 0, 5);
    /* sizes of a file are those of 16 bytes, where nothing wins both */
    add_case(&rules, SHUNT_OP_ALLTOALLV, 16, 15, 2, 0, 0);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 16, 13, 2, 0, 0);
    add_case(&rules, SHUNT_OP_ALLTOALLV, -1, 14, 0, 2, 2);
    expect_rules(&rules, expected, 1);
}

static void what_cannot_be_told_apart_makes_the_fewest_rules(void **state)
{
    static const char *const expected[] = {
        "{ id = \"17 ranks, 16-2K\"; " ON_HOSTS "block = \"16-2K\"; algorithm = \"bruck\"; }",
        "{ id = \"17 ranks, 8K-32K\"; " ON_HOSTS
        "block = \"8K-32K\"; algorithm = \"parlinna-coalesced\"; radix = \"4x2\"; batch_size = 8; "
        "}"};
    struct bench_rules rules = on_hosts();
    (void)state;
    add_case(&rules, SHUNT_OP_ALLTOALLV, 16, 16, 2, 2.1, 0);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 512, 512, 2, 1.99, 2.1);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 2048, 2048, 2, 1.5, 2.1);
    add_case(&rules, SHUNT_OP_ALLTOALLV, 8192, 8192, 1.2, 2, 2); /* bruck is slower here */
    add_case(&rules, SHUNT_OP_ALLTOALLV, 32768, 32768, 0, 0, 2);
    expect_rules(&rules, expected, 2);
}

static void where_nothing_wins_there_is_no_rule(void **state)
{
    struct bench_rules rules = on_hosts();
    (void)state;
    add_case(&rules, SHUNT_OP_ALLTOALL, 512, 512, 0, 0, 0);
    expect_rules(&rules, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_as_the_user_wrote_the_candidates),
        cmocka_unit_test(neighbouring_sizes_of_one_winner_are_one_rule),
        cmocka_unit_test(one_size_is_won_in_all_distributions_or_not_at_all),
        cmocka_unit_test(what_cannot_be_told_apart_makes_the_fewest_rules),
        cmocka_unit_test(where_nothing_wins_there_is_no_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
