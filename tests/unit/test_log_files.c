/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_files.c: the log on real files: names, formats, the cap. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "log/clock.h"
#include "log/output.h"
#include "log_child.h"

static void set_job(const char *name, const char *value)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
    if (name)
        setenv(name, value, 1);
}

static void expect_path(const char *pattern, int rank, const char *expected)
{
    char path[PATH_MAX], unknown;
    assert_int_equal(shunt_log_path(pattern, rank, path, sizeof(path), &unknown), 0);
    assert_string_equal(path, expected);
}

static void patterns_make_names_of_files(void **unused)
{
    (void)unused;
    char host[256] = "", expected[512], path[8], unknown;
    gethostname(host, sizeof(host) - 1);
    set_job("PBS_JOBID", "12[3]/x.server");
    expect_path("/a/%j-%r%%.log", 7, "/a/12[3]_x.server-7%.log");
    set_job("SLURM_JOB_ID", "..");
    expect_path("logs/%j/%r.log", 0, "logs/_./0.log");
    set_job("SLURM_JOB_ID", ".");
    expect_path("logs/%j%j/%r.log", 0, "logs/__/0.log");
    set_job("SLURM_JOB_ID", "../../x");
    expect_path("logs/%j", 0, "logs/_._.._x");
    set_job("SLURM_JOB_ID", "99");
    snprintf(expected, sizeof(expected), "99 %s %ld", host, (long)getpid());
    expect_path("%j %h %p", 0, expected);
    set_job(NULL, NULL);
    snprintf(expected, sizeof(expected), "%ld", (long)getppid());
    expect_path("%j", 0, expected);
    expect_path("%r", -1, "x");
    unsetenv("SLURM_STEP_ID");
    unsetenv("SLURM_RESTART_COUNT");
    expect_path("%s.%t", 0, "x.0");
    setenv("SLURM_STEP_ID", "3", 1);
    setenv("SLURM_RESTART_COUNT", "2", 1);
    expect_path("%s.%t", 0, "3.2");
    unsetenv("SLURM_STEP_ID");
    setenv("SLURM_RESTART_COUNT", "many", 1);
    expect_path("%s.%t", 0, "x.0");
    unsetenv("SLURM_RESTART_COUNT");
    expect_path("plain", 0, "plain");
    assert_int_equal(shunt_log_path("123456%r", 10, path, sizeof(path), &unknown), ENAMETOOLONG);
    assert_int_equal(shunt_log_path("12345%r", 10, path, sizeof(path), &unknown), 0);
    assert_int_equal(unknown, 0);
    assert_int_equal(shunt_log_path("%q", 0, path, sizeof(path), &unknown), 0);
    assert_string_equal(path, "%q");
    assert_int_equal(unknown, 'q');
    assert_int_equal(shunt_log_path("a%", 0, path, sizeof(path), &unknown), 0);
    assert_string_equal(path, "a%");
    assert_int_equal(unknown, '%');
    assert_true(shunt_log_path_is_own("a%r"));
    assert_true(shunt_log_path_is_own("%h%p"));
    assert_false(shunt_log_path_is_own("%%r%j%h%"));
}

static void every_call_has_its_line(void **unused)
{
    (void)unused;
    in_child(write_ten);
    const char *text = contents(log_path);
    assert_int_equal(occurrences(text, "shunt: #"), 10);
    assert_int_equal(occurrences(text, "shunt: summary of rank 0 of 4: routed 10 of 10 calls "), 1);
    assert_string_equal(contents(error_path), "");
}

static void write_json(void)
{
    open_json();
    calls(3);
    shunt_log_passed("MPI_Alltoallw");
    shunt_log_rule_known("b.cfg", 2, "", "alltoall");
    shunt_log_close();
}

static void every_line_is_valid_json(void **unused)
{
    (void)unused;
    in_child(write_json);
    assert_int_equal(json_lines(log_path), 5);
    assert_int_equal(occurrences(contents(log_path), "{\"MPI_Alltoallw\": 1}"), 1);
}

/* Bytes to so many ranks that a line is longer than the log's buffer, and a cap. */
static void write_long_lines(void)
{
    enum { RANKS = 10000 };
    static int64_t bytes[RANKS];
    struct shunt_log_options wide = options();
    struct shunt_record record = {
        .call = 1, .arrival = 1000000000, .ranks = RANKS, .send_bytes = bytes};
    for (int i = 0; i < RANKS; i++)
        bytes[i] = 1000000 + i;
    wide.json = true;
    wide.size = 300000;
    shunt_log_open(&wide);
    for (int i = 0; i < 5; i++) {
        call(1);
        shunt_log_call(&record);
    }
    shunt_log_close();
}

static void a_line_may_be_longer_than_the_buffer(void **unused)
{
    (void)unused;
    in_child(write_long_lines);
    /* the first line, four short and three long ones, the cap, the summary */
    assert_int_equal(json_lines(log_path), 10);
    const char *text = contents(log_path);
    assert_int_equal(occurrences(text, ", 1009999]}\n"), 3);
    assert_int_equal(occurrences(text, "{\"event\": \"cap\", "), 1);
}

static void write_events(void)
{
    const int first[] = {0, 2, 4};
    const struct shunt_log_table table = {"a.cfg", "alpha", 7};
    const struct shunt_log_communicator world = {.arrival = 1000000000,
                                                 .name = "world",
                                                 .id = 9,
                                                 .ranks = 4,
                                                 .nodes = 2,
                                                 .node_first = first,
                                                 .table = &table};
    shunt_log_table(&table); /* no log yet */
    open_json();
    shunt_log_table(&table);
    call(1);
    const int64_t base = shunt_log_clock_base();
    if (base < INT64_C(1000000000) * 1600000000 || base > INT64_C(1000000000) * 8000000000)
        _exit(1);
    shunt_log_clock(-base, 3); /* CLOCK_MONOTONIC from here on */
    shunt_log_communicator(&world);
    shunt_log_close();
}

static void what_is_about_no_call_has_lines_too(void **unused)
{
    (void)unused;
    in_child(write_events);
    assert_int_equal(json_lines(log_path), 5);
    const char *text = contents(log_path);
    assert_true(strncmp(text, "{\"event\": \"header\", ", 20) == 0);
    assert_int_equal(occurrences(text, "\"event\": \"header\""), 1);
    assert_int_equal(occurrences(text, "\"table\": \"a.cfg\", \"machine\": \"alpha\", "
                                       "\"fingerprint\": \"0000000000000007\""),
                     2);
    assert_int_equal(occurrences(text, "\"event\": \"clock\", \"rank\": 0, \"offset\": -"), 1);
    assert_int_equal(occurrences(text, "\"rank\": 0, \"time\": 1.000000000, \"communicator\": "
                                       "\"world\""),
                     1);
}

/* An hour between the clocks of two hosts is no hour of the run. */
static void write_with_clock(void)
{
    const struct shunt_log_options plain = options();
    struct shunt_record record = {.call = 1, .algorithm = "native"};
    shunt_log_open(&plain);
    record.arrival = shunt_now();
    shunt_log_call(&record);
    shunt_log_clock(INT64_C(-3600000000000), 3);
    shunt_log_call(&record);
    shunt_log_close();
}

static void times_for_people_do_not_jump_where_clocks_are_compared(void **unused)
{
    (void)unused;
    in_child(write_with_clock);
    const char *text = contents(log_path), *first = strstr(text, " t="),
               *second = first ? strstr(first + 1, " t=") : NULL;
    assert_non_null(second);
    if (!second) /* for those who do not know that assert_non_null ends the test */
        return;
    const size_t length = strcspn(first, "\n");
    assert_int_equal(strcspn(second, "\n"), length);
    assert_int_equal(strncmp(first, second, length), 0);
    assert_int_equal(occurrences(text, "with -3600.000000000 s added"), 1);
}

/* The form for people has no lists, and after the cap nobody writes any. */
static void ask_for_details(void)
{
    struct shunt_log_options plain = options(), json = options();
    if (shunt_log_takes_details())
        _exit(1);
    shunt_log_open(&plain);
    if (shunt_log_takes_details())
        _exit(2);
    shunt_log_close();
    json.json = true;
    json.size = 4096;
    shunt_log_open(&json);
    if (!shunt_log_takes_details())
        _exit(3);
    calls(100);
    if (shunt_log_takes_details())
        _exit(4);
    shunt_log_close();
}

static void details_are_asked_for_while_they_are_written(void **unused)
{
    (void)unused;
    in_child(ask_for_details);
}

/* At the level of the summary: in files, not among the messages of the program. */
static void only_a_summary(void)
{
    struct shunt_log_options plain = options();
    plain.level = 1;
    shunt_log_open(&plain);
    call(1);
    shunt_log_close();
    plain.file = NULL;
    shunt_log_open(&plain);
    call(1);
    shunt_log_close();
}

static void a_summary_in_a_file_has_a_first_line(void **unused)
{
    (void)unused;
    in_child(only_a_summary);
    const char *text = contents(log_path);
    assert_true(strncmp(text, "shunt: log schema 1, shunt ", 27) == 0);
    assert_int_equal(occurrences(text, "shunt: summary"), 1);
    assert_int_equal(occurrences(contents(error_path), "log schema"), 0);
    assert_int_equal(occurrences(contents(error_path), "shunt: summary"), 1);
}

static void unknown_sequence(void)
{
    char pattern[128];
    struct shunt_log_options odd = options();
    snprintf(pattern, sizeof(pattern), "%s%%q", log_path);
    odd.file = pattern;
    shunt_log_open(&odd);
    unlink(pattern);
    snprintf(pattern, sizeof(pattern), "%s", "gone"); /* the log has copied what it needs */
    shunt_log_close();
}

static void an_unknown_sequence_is_said_once(void **unused)
{
    (void)unused;
    in_child(unknown_sequence);
    assert_int_equal(
        occurrences(contents(error_path), "has %q, which is none of %j %s %t %h %r %p %%"), 1);
    assert_int_equal(occurrences(contents(error_path), "\n"), 1);
}

static void write_capped(void)
{
    struct shunt_log_options capped = options();
    capped.size = 4096;
    shunt_log_open(&capped);
    calls(1000);
    shunt_log_close();
}

static void the_log_ends_at_its_cap_and_the_summary_still_comes(void **unused)
{
    (void)unused;
    in_child(write_capped);
    const char *text = contents(log_path), *summary = strstr(text, "shunt: summary");
    assert_non_null(summary);
    assert_true(summary - text <= 4096 && summary - text > 3500);
    assert_int_equal(occurrences(text, "has reached its cap of 4 KiB (SHUNT_LOG_SIZE)"), 1);
    assert_int_equal(occurrences(summary, " of 1,000 calls "), 1);
}

static void other_rank(void)
{
    struct shunt_log_options other = options();
    other.level = 1;
    other.world_rank = 2;
    shunt_log_open(&other);
    calls(3);
    shunt_log_close();
}

/* Rank 2 leaves a summary only where it has a file of its own. */
static void other_ranks_have_a_summary_only_in_files_of_their_own(void **unused)
{
    (void)unused;
    in_child(other_rank);
    assert_int_equal(access(log_path, F_OK), -1);
    assert_string_equal(contents(error_path), "");
    char own[80];
    snprintf(own, sizeof(own), "%s", log_path);
    strcat(log_path, ".%r");
    in_child(other_rank);
    strcpy(log_path, own);
    strcat(own, ".2");
    assert_int_equal(
        occurrences(contents(own), "shunt: summary of rank 2 of 4: routed 3 of 3 calls "), 1);
    assert_int_equal(occurrences(contents(own), "shunt: #"), 0);
    unlink(own);
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(patterns_make_names_of_files),
        TEST(every_call_has_its_line),
        TEST(every_line_is_valid_json),
        TEST(a_line_may_be_longer_than_the_buffer),
        TEST(what_is_about_no_call_has_lines_too),
        TEST(times_for_people_do_not_jump_where_clocks_are_compared),
        TEST(details_are_asked_for_while_they_are_written),
        TEST(a_summary_in_a_file_has_a_first_line),
        TEST(an_unknown_sequence_is_said_once),
        TEST(the_log_ends_at_its_cap_and_the_summary_still_comes),
        TEST(other_ranks_have_a_summary_only_in_files_of_their_own),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
