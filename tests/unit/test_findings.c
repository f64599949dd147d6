/* SPDX-License-Identifier: BSD-3-Clause */
/* test_findings.c: rules that no call reaches are found, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "route/findings.h"
#include "rules.h"

static void findings_are(const char *rules, const char *expected)
{
    struct shunt_diagnostics findings = {0};
    struct shunt_table *table = table_of(rules);
    shunt_table_findings(table, &findings);
    assert_int_equal(findings.count, expected != NULL);
    if (expected)
        assert_string_equal(findings.text[0], expected);
    shunt_diagnostics_clear(&findings);
    free(table);
}

static void rules_out_of_reach_are_found(void **state)
{
    (void)state;
    findings_are(
        "{ id = \"a\"; algorithm = \"native\"; }, { nodes = 2; algorithm = \"scattered\"; }",
        "t.cfg:1: alltoallv rule 2 is never reached: rule \"a\" in line 1 takes every such call");
    findings_are(
        "{ block = \"0-99\"; algorithm = \"native\"; }, { id = \"b\"; block = \"9-99\"; algorithm "
        "= \"scattered\"; }",
        "t.cfg:1: alltoallv rule \"b\" is never reached: rule 1 in line 1 takes every such call");
    findings_are(
        "{ id = \"b\"; ranks = \"-8\"; nodes = \"4-\"; ppn = \"4-\"; algorithm = \"native\"; }",
        "t.cfg:1: alltoallv rule \"b\" can never match: its ranks, nodes and ppn contradict each "
        "other");
    findings_are("{ ranks = \"9-\"; nodes = \"-2\"; ppn = \"-4\"; algorithm = \"native\"; }",
                 "t.cfg:1: alltoallv rule 1 can never match: its ranks, nodes and ppn contradict "
                 "each other");
    findings_are("{ block = \"1-\"; density = 0; algorithm = \"native\"; }",
                 "t.cfg:1: alltoallv rule 1 can never match: its block and density contradict each "
                 "other: the density is 0 where all blocks are empty, and only there");
    findings_are(
        "{ density = 0; algorithm = \"native\"; }, { block = 0; algorithm = \"scattered\"; }",
        "t.cfg:1: alltoallv rule 2 is never reached: rule 1 in line 1 takes every such call");
    /* The second is what remains when the first needs too much memory. */
    findings_are("{ algorithm = \"parlogna\"; }, { algorithm = \"scattered\"; }", NULL);
    findings_are("{ block = \"0-99\"; algorithm = \"native\"; }, { block = \"9-100\"; algorithm = "
                 "\"scattered\"; }",
                 NULL);
}

static void rules_that_others_hide_together_are_found(void **state)
{
    (void)state;
    findings_are("{ id = \"a\"; block = \"0-99\"; algorithm = \"native\"; },\n{ block = "
                 "\"50-199\"; algorithm = \"scattered\"; },\n"
                 "{ id = \"c\"; block = \"10-150\"; algorithm = \"native\"; }",
                 "t.cfg:3: alltoallv rule \"c\" is never reached: rule \"a\" in line 1 and rule 2 "
                 "in line 2 together take every such call");
    findings_are("{ block = \"0-9\"; algorithm = \"native\"; },\n{ block = \"10-19\"; algorithm = "
                 "\"native\"; },\n"
                 "{ block = \"20-29\"; algorithm = \"native\"; },\n{ block = \"30-\"; algorithm = "
                 "\"native\"; },\n{ algorithm = \"scattered\"; }",
                 "t.cfg:5: alltoallv rule 5 is never reached: rule 1 in line 1, rule 2 in line 2, "
                 "rule 3 in line 3 and 1 more together take "
                 "every such call");
    /* What is left, seven ranks on even nodes of two, is no layout. */
    findings_are("{ ranks = \"-6\"; algorithm = \"native\"; },\n{ ranks = \"8-\"; algorithm = "
                 "\"native\"; },\n"
                 "{ ppn = 2; algorithm = \"scattered\"; }",
                 "t.cfg:3: alltoallv rule 3 is never reached: rule 1 in line 1 and rule 2 in line "
                 "2 together take every such call");
    /* Nodes of three and of seven ranks are within neither 1-4 nor 5-8. */
    findings_are(
        "{ ppn = \"1-4\"; algorithm = \"native\"; }, { ppn = \"5-8\"; algorithm = \"native\"; },"
        "{ ppn = \"1-8\"; algorithm = \"scattered\"; }",
        NULL);
    /* One byte is left. The middle one may be passed over. */
    findings_are("{ block = \"0-9\"; algorithm = \"native\"; }, { block = \"11-\"; algorithm = "
                 "\"native\"; }, { algorithm = \"scattered\"; }",
                 NULL);
    findings_are("{ block = \"0-9\"; algorithm = \"native\"; }, { block = \"10-20\"; algorithm = "
                 "\"parlogna\"; },"
                 "{ block = \"21-\"; algorithm = \"native\"; }, { algorithm = \"scattered\"; }",
                 NULL);
}

enum { NODES = 4, PPN = 4, RANKS = NODES * PPN, BLOCKS = 6, RULES = 7 };

static int between(uint32_t *seed, int low, int high)
{
    return low + (int)(next_random(seed) % (uint32_t)(high - low + 1));
}

/* Ranges within 1..most; now and then all of it. */
static int put_range(char *at, const char *key, uint32_t *seed, int most)
{
    const int low = next_random(seed) % 3 == 0 ? 1 : between(seed, 1, most);
    return sprintf(at, "%s = \"%d-%d\"; ", key, low,
                   next_random(seed) % 3 == 0 ? most : between(seed, low, most));
}

static bool in(int64_t value, struct shunt_range range)
{
    return value >= range.low && value <= range.high;
}

/* Marks the first rule that takes each call of the layout; native rules and scattered ones are
 * never passed over, others always may be. */
static void mark_taken(const struct shunt_table *table, int ranks, int nodes, int least, int most,
                       bool *taken)
{
    for (int block = 1; block <= BLOCKS; block++) {
        for (uint32_t i = 0; i < table->rule_count[SHUNT_OP_ALLTOALLV]; i++) {
            const struct shunt_rule *rule = &table->rules[i];
            if (!in(ranks, rule->ranks) || !in(nodes, rule->nodes) || !in(least, rule->ppn) ||
                !in(most, rule->ppn) || !in(block, rule->block))
                continue;
            taken[i] = true;
            if (!shunt_registry_row(rule->algorithm)->memory)
                break;
        }
    }
}

/* Every layout of up to NODES nodes of up to PPN ranks. */
static void mark_all(const struct shunt_table *table, bool *taken)
{
    for (int code = 0; code < 1 << 2 * NODES; code++) { /* two bits per node: its ranks less 1 */
        int keys[RANKS];
        for (int nodes = 1; nodes <= NODES; nodes++) {
            int ranks = 0, least = PPN, most = 1;
            for (int node = 0; node < nodes; node++) {
                const int here = 1 + (code >> 2 * node) % PPN;
                least = here < least ? here : least;
                most = here > most ? here : most;
                for (int i = 0; i < here; i++)
                    keys[ranks++] = node;
            }
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_from_keys(&layout, ranks, keys), 0);
            assert_true(layout.nodes == nodes && layout.ppn_min == least && layout.ppn_max == most);
            mark_taken(table, layout.ranks, nodes, least, most, taken);
            shunt_layout_clear(&layout);
        }
    }
}

static bool found(const struct shunt_diagnostics *findings, uint32_t rule)
{
    char name[32];
    snprintf(name, sizeof name, "t.cfg:%u: ", rule + 1);
    for (size_t i = 0; i < findings->count; i++)
        if (strncmp(findings->text[i], name, strlen(name)) == 0)
            return true;
    return false;
}

/* The findings are exactly the rules that take no call of any layout. */
static void findings_agree_with_all_calls(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"native", "scattered", "scattered", "parlogna"};
    uint32_t seed = 3;
    int hidden = 0, reached = 0;
    for (int round = 0; round < 60; round++) {
        char text[RULES * 160], *at = text;
        bool taken[RULES] = {false};
        struct shunt_diagnostics findings = {0};
        for (int i = 0; i < RULES; i++) {
            at += sprintf(at, "%s{ ", i > 0 ? ",\n" : "");
            at += put_range(at, "ranks", &seed, RANKS);
            at += put_range(at, "nodes", &seed, NODES);
            at += put_range(at, "ppn", &seed, PPN);
            at += put_range(at, "block", &seed, BLOCKS);
            at += sprintf(at, "algorithm = \"%s\"; }", algorithms[next_random(&seed) % 4]);
        }
        struct shunt_table *table = table_of(text);
        mark_all(table, taken);
        shunt_table_findings(table, &findings);
        for (uint32_t i = 0; i < RULES; i++) {
            if (found(&findings, i) == taken[i])
                print_error("rule %u of\n%s\n", i + 1, text);
            assert_int_equal(found(&findings, i), !taken[i]);
            hidden += !taken[i];
            reached += taken[i];
        }
        shunt_diagnostics_clear(&findings);
        free(table);
    }
    print_message("%d rules taken by some call, %d by none\n", reached, hidden);
    assert_true(hidden > 50 && reached > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_out_of_reach_are_found),
        cmocka_unit_test(rules_that_others_hide_together_are_found),
        cmocka_unit_test(findings_agree_with_all_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
