/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_summary.c: the summary: its verdict and its tables, in both forms. No files here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "json.h"
#include "summaries.h"

static const struct shunt_log_table site = {"/etc/shunt/alpha.cfg", "alpha", 0x123456789abcdef},
                                    forced = {"SHUNT_FORCE", "", 7};

/* Of each kind some. */
static void fill(void)
{
    struct shunt_record record = routed_call(0.001);
    shunt_log_summary_rule(&summary, "site.cfg", 21, "small", "alltoall");
    shunt_log_summary_rule(&summary, "site.cfg", 25, "middle", "alltoallv");
    shunt_log_summary_rule(&summary, "site.cfg", 25, "middle", "alltoallv");
    shunt_log_summary_rule(&summary, "site.cfg", 3, "", "alltoall");
    shunt_log_summary_table(&summary, &site, true);
    summary.elapsed = 10;
    summary.missed = 2;
    add(record, 1160);
    record.native = 0.002; /* SHUNT_VERIFY */
    add(record, 20);
    record = warm_up_call(0.002);
    record.set_up = 0.0005;
    add(record, 20);
    record = warm_up_call(0.005);
    record.operation = "alltoallv";
    record.warmup = false;
    record.max = 1000;
    record.reason = "no rule matched";
    record.agreement = 0.00001;
    add(record, 3);
    record.error = 2;
    record.reason = NULL;
    record.rule_file = "site.cfg";
    record.rule_line = 30;
    record.rule_id = "rest";
    add(record, 1);
}

static void the_summary_for_people_leads_with_the_verdict(void **unused)
{
    (void)unused;
    fill();
    assert_string_equal(
        print(false),
        "shunt: summary of rank 0 of 16: routed 1,180 of 1,204 calls (98.0%), 98.0% of 1.18 MiB "
        "sent, 95.2% of 1.24 s\n"
        "shunt:  gain    not measured: SHUNT_VERIFY=1 makes both exchanges in each call; run "
        "without it\n"
        "shunt:  time    1.24 s in all-to-all, 12.4% of the run (10.0 s since the library was "
        "loaded)\n"
        "shunt:          40.0 us of it agreement, 10.0 ms besides for set-up\n"
        "shunt:  native  20 calls  40.0 ms  warm-up, before a communicator was set up\n"
        "shunt:           3 calls  15.0 ms  no rule matched\n"
        "shunt:            1 call  5.00 ms  a rule says so\n"
        "shunt:  errors  1 call returned one\n"
        "shunt:  missed  2 calls not in these figures, because the log was busy\n"
        "shunt:  table   /etc/shunt/alpha.cfg (alpha); shunt " PACKAGE_VERSION "\n"
        "shunt:  largest block  operation  calls  of calls     bytes  mean time  by\n"
        "shunt:  64 B - 128 B   alltoall   1,200     99.7%  1.17 MiB    1.02 ms  bruck 1,180, "
        "native "
        "20\n"
        "shunt:  512 B - 1 KiB  alltoallv      4      0.3%     4 KiB    5.00 ms  native\n"
        "shunt:  operation  algorithm  parameters  calls     bytes     time  of time  rule\n"
        "shunt:  alltoall   bruck      radix=2     1,180  1.15 MiB   1.18 s    95.2%  site.cfg:21 "
        "\"small\"\n"
        "shunt:  alltoall   native                    20    20 KiB  40.0 ms     3.2%  [warm-up]\n"
        "shunt:  alltoallv  native                     3     3 KiB  15.0 ms     1.2%  [no rule "
        "matched]\n"
        "shunt:  alltoallv  native                     1     1 KiB  5.00 ms     0.4%  site.cfg:30 "
        "\"rest\"\n"
        "shunt:  rule never used: site.cfg:3 of alltoall\n"
        "shunt:  rule never used: site.cfg:25 \"middle\" of alltoallv\n"
        "shunt:  not routed by design: MPI_Ialltoallv 12, MPI_Alltoallw 3\n");
}

/* What took longest of what had no rule; not where somebody said not to, nor of few calls. */
static void many_calls_without_a_rule_are_worth_a_hint(void **unused)
{
    (void)unused;
    static const char hint[] =
        "shunt:  hint    1,000 calls of alltoall on 16 ranks, 64 B - 128 B, "
        "had no rule of their own and took 1.00 s: SHUNT_LEARN=on finds out in the next "
        "run what is faster, \"shunt tune\" measures it\n";
    for (int suggests = 0; suggests < 2; suggests++) {
        struct shunt_record record = warm_up_call(0.001);
        record.warmup = false;
        record.reason = "no rule matched";
        add(record, 999);
        summary.suggests = suggests;
        assert_null(strstr(print(false), "hint"));
        shunt_log_summary_clear(&summary);
        add(record, 1000);
        record.max = 10;
        record.seconds = 0.0001;
        add(record, 2000);
        record.rule_file = "site.cfg"; /* that is how it was wanted */
        record.seconds = 1;
        add(record, 1500);
        summary.suggests = suggests;
        assert_int_equal(strstr(print(false), hint) != NULL, suggests);
        shunt_log_summary_clear(&summary);
        record.reason = NULL;
        add(record, 1000);
        record.max = 64;
        record.seconds = 0.001;
        record.rule_id = "rest"; /* a last rule, for what nobody thought of */
        record.rest = true;
        add(record, 1000);
        summary.suggests = suggests;
        print(false);
        assert_int_equal(strstr(result, hint) != NULL, suggests);
        contains(result, "  only a last rule without conditions says so\n");
        contains(result, "  a rule says so\n");
        shunt_log_summary_clear(&summary);
    }
}

static void a_hint_is_for_programs_as_well(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct shunt_record record = warm_up_call(0.001);
        record.warmup = false;
        record.reason = "no rule matched";
        add(record, 1000);
        summary.suggests = i == 1;
        assert_non_null(strstr(print(true), i == 0
                                                ? "\"suggestion\": null"
                                                : "\"suggestion\": {\"operation\": \"alltoall\", "
                                                  "\"ranks\": 16, \"from\": 64, \"to\": 127, "
                                                  "\"calls\": 1000, \"seconds\": "));
        shunt_log_summary_clear(&summary);
    }
}

static void the_summary_for_programs_has_the_same_figures(void **unused)
{
    (void)unused;
    fill();
    const char *line = print(true);
    contains(line, "{\"event\": \"summary\", \"rank\": 0, \"ranks\": 16, \"version\": "
                   "\"" PACKAGE_VERSION "\", \"table\": \"/etc/shunt/alpha.cfg\", \"machine\": "
                   "\"alpha\", \"fingerprint\": \"0123456789abcdef\", \"elapsed\": 10.000000000, "
                   "\"calls\": 1204, \"bytes\": 1232896, \"seconds\": 1.240000000, "
                   "\"agreement\": 0.000040000, \"errors\": 1, ");
    contains(line, "\"set_up\": 0.010000000, \"routed\": {\"calls\": 1180, \"bytes\": 1208320, "
                   "\"seconds\": 1.180000000}, \"warm_up\": {\"calls\": 20, \"bytes\": 20480, "
                   "\"seconds\": 0.040000000}, \"estimate\": {\"not_measured\": "
                   "\"verified\", ");
    contains(line, "}, \"no_rule\": 3, \"missed\": 2, ");
    contains(line, "\"left_native\": [{\"reason\": \"warm-up\", \"calls\": 20, ");
    contains(line, "{\"reason\": null, \"calls\": 1, ");
    contains(line, "\"sizes\": [{\"from\": 64, \"to\": 127, \"operation\": \"alltoall\", "
                   "\"calls\": 1200, \"bytes\": 1228800, \"seconds\": 1.220000000, \"done\": "
                   "[{\"algorithm\": \"bruck\", \"calls\": 1180}, {\"algorithm\": \"native\", "
                   "\"calls\": 20}]}, {\"from\": 512, \"to\": 1023, ");
    contains(line, "\"unused_rules\": [{\"operation\": \"alltoall\", \"rule\": "
                   "{\"file\": \"site.cfg\", \"line\": 3, \"id\": \"\"}}");
    contains(line, "\"not_routed\": {\"MPI_Ialltoallv\": 12, \"MPI_Alltoallw\": 3}}\n");
}

static void a_summary_without_calls_hints_at_why(void **unused)
{
    (void)unused;
    summary.rank = -1;
    const char *lines = print(false);
    contains(lines, "shunt: summary: no calls\n");
    contains(lines, "past all preloaded libraries");
    contains(lines, "shunt:  table   none known here; no communicator was set up; shunt ");
}

static void it_is_said_that_nothing_was_routed(void **unused)
{
    (void)unused;
    add(warm_up_call(0.001), 4);
    shunt_log_summary_table(&summary, &site, false);
    const char *lines = print(false);
    contains(lines, "shunt: summary of rank 0 of 16: routed none of 4 calls (0.0%), 0.0% of 4 KiB "
                    "sent, 0.0% of 4.00 ms\n");
    contains(lines, "shunt:  table   /etc/shunt/alpha.cfg (alpha); no communicator was set up; ");
    lacks(lines, "gain");
    lacks(lines, "rule never used");
}

static void calls_of_the_warm_up_are_not_without_a_rule(void **unused)
{
    (void)unused;
    struct shunt_record record = warm_up_call(0.001);
    add(record, 5);
    record.warmup = false;
    record.reason = "no rule matched";
    add(record, 2);
    const char *line = print(true);
    contains(line, "\"no_rule\": 2, ");
    contains(line, "\"warm_up\": {\"calls\": 5, ");
    lacks(line, "unused_rules"); /* no rule was told */
}

/* The tables that were used, a file first. */
static void tables_are_named(void **unused)
{
    (void)unused;
    static const struct shunt_log_table builtin = {"built-in", "", 9};
    add(routed_call(0.001), 1);
    shunt_log_summary_table(&summary, &builtin, false);
    shunt_log_summary_table(&summary, &forced, true);
    shunt_log_summary_table(&summary, &site, true);
    shunt_log_summary_table(&summary, &site, false);
    assert_int_equal(summary.table_count, 3);
    contains(print(false), "shunt:  table   /etc/shunt/alpha.cfg (alpha), SHUNT_FORCE; shunt ");
}

static void several_tables_are_a_list_for_programs(void **unused)
{
    (void)unused;
    shunt_log_summary_table(&summary, &forced, true);
    shunt_log_summary_table(&summary, &site, true);
    for (uint64_t i = 0; i < (uint64_t)2 * SHUNT_LOG_TABLES; i++) {
        const struct shunt_log_table other = {"x.cfg", "", 100 + i};
        shunt_log_summary_table(&summary, &other, true);
    }
    const char *line = print(true);
    contains(line, "\"table\": \"/etc/shunt/alpha.cfg\", ");
    contains(line, "\"tables\": [{\"table\": \"SHUNT_FORCE\", \"machine\": null, \"fingerprint\": "
                   "\"0000000000000007\"}, {\"table\": \"/etc/shunt/alpha.cfg\", ");
}

/* Each size counts with its routed calls: 30 ms instead of 15. */
static void sizes_count_by_their_routed_calls(void **unused)
{
    (void)unused;
    struct shunt_record record = routed_call(0.001);
    add(record, 10);
    add(turn_call(0.001), 10);
    record.max = record.largest_sent = 4096;
    record.seconds = 0.0005;
    add(record, 10);
    record = turn_call(0.002);
    record.largest_sent = 5000;
    add(record, 5);
    const struct shunt_log_estimate made = estimate();
    assert_true(made.speedup > 1.999 && made.speedup < 2.001);
    assert_int_equal(made.native, 15);
    assert_int_equal(made.routed, 20);
}

static void sizes_are_told_apart_by_powers_of_two(void **unused)
{
    (void)unused;
    static const struct {
        int64_t size, from, to;
    } cases[] = {{-5, -1, -1}, {0, 0, 0},          {1, 1, 1},
                 {2, 2, 3},    {3, 2, 3},          {4, 4, 7},
                 {7, 4, 7},    {1024, 1024, 2047}, {INT64_MAX, INT64_C(1) << 62, INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int class = shunt_log_class(cases[i].size);
        assert_int_equal(shunt_log_class_from(class), cases[i].from);
        assert_int_equal(shunt_log_class_to(class), cases[i].to);
    }
}

static void sizes_that_are_not_known_have_a_row(void **unused)
{
    (void)unused;
    struct shunt_record record = warm_up_call(0.001);
    record.largest_sent = -1;
    add(record, 4);
    const char *lines = print(false);
    contains(lines,
             "shunt:  not known      alltoall       4    100.0%  4 KiB    1.00 ms  native\n");
    contains(print(true), "\"sizes\": [{\"operation\": \"alltoall\", \"calls\": 4, ");
}

/* More kinds of calls than the set keeps apart are still counted. */
static void kinds_of_calls_beyond_the_room_are_counted_together(void **unused)
{
    (void)unused;
    char reason[32];
    for (int i = 0; i < SHUNT_LOG_SET_MAX + 50; i++) {
        struct shunt_record record = routed_call(0.001);
        snprintf(reason, sizeof(reason), "reason %d", i);
        record.reason = reason;
        add(record, 1);
    }
    (void)print(true);
    assert_int_equal(summary.other.calls, 50);
    assert_int_equal(summary.routed.calls, SHUNT_LOG_SET_MAX + 50);
    contains(result, "\"calls\": 1074, ");
}

static void sizes_beyond_the_room_are_counted_together(void **unused)
{
    (void)unused;
    for (int i = 0; i < SHUNT_LOG_CELLS_MAX + 7; i++) {
        struct shunt_record record = routed_call(0.001);
        record.ranks = i + 1;
        add(record, 1);
    }
    assert_int_equal(summary.sizes.count, SHUNT_LOG_CELLS_MAX);
    const char *lines = print(false);
    contains(lines, "1,024     99.3%");
    contains(lines, "shunt:  not known                     7      0.7%");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_summary, end_summary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_summary_for_people_leads_with_the_verdict),
        TEST(many_calls_without_a_rule_are_worth_a_hint),
        TEST(a_hint_is_for_programs_as_well),
        TEST(the_summary_for_programs_has_the_same_figures),
        TEST(a_summary_without_calls_hints_at_why),
        TEST(it_is_said_that_nothing_was_routed),
        TEST(calls_of_the_warm_up_are_not_without_a_rule),
        TEST(tables_are_named),
        TEST(several_tables_are_a_list_for_programs),
        TEST(sizes_count_by_their_routed_calls),
        TEST(sizes_are_told_apart_by_powers_of_two),
        TEST(sizes_that_are_not_known_have_a_row),
        TEST(kinds_of_calls_beyond_the_room_are_counted_together),
        TEST(sizes_beyond_the_room_are_counted_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
