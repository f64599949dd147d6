/* SPDX-License-Identifier: BSD-3-Clause */
/* test_settings.c: the environment, right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/parse.h"
#include "route/settings.h"

/* Reads up to 10 entries; expects exactly `diagnostic`, or none when it is NULL. */
static struct shunt_settings read_settings(const char *const *entries, const char *diagnostic)
{
    char *environment[11] = {NULL};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_settings settings;
    for (size_t i = 0; entries[i]; i++) {
        assert_true(i < 10);
        environment[i] = (char *)(uintptr_t)entries[i];
    }
    shunt_settings_read(&settings, environment, &diagnostics);
    if (diagnostic) {
        assert_int_equal(diagnostics.count, 1);
        assert_string_equal(diagnostics.text[0], diagnostic);
    } else {
        assert_int_equal(diagnostics.count, 0);
    }
    shunt_diagnostics_clear(&diagnostics);
    return settings;
}

#define READ(...) read_settings((const char *const[]){__VA_ARGS__, NULL}, NULL)

static void without_variables_all_is_as_documented(void **state)
{
    (void)state;
    struct shunt_settings settings = READ("PATH=/bin", "SHUNT_FORCE=", "XSHUNT_LOG=calls");
    assert_false(settings.disable);
    assert_false(settings.verify);
    assert_int_equal(settings.strict, SHUNT_STRICT_WARN);
    assert_int_equal(settings.warmup, -1);
    assert_int_equal(settings.memory, -1);
    assert_int_equal(settings.layout_count, 0);
    assert_null(settings.force);
    assert_null(settings.config);
    assert_true(settings.watchdog == 30);
    assert_int_equal(settings.log, SHUNT_LOG_OFF);
    assert_int_equal(settings.log_format, SHUNT_LOG_HUMAN);
    assert_null(settings.log_file);
    assert_string_equal(settings.log_ranks, "0");
    assert_int_equal(settings.log_size, 67108864);
}

static void every_variable_is_read(void **state)
{
    (void)state;
    struct shunt_settings settings =
        READ("SHUNT_DISABLE=1", "SHUNT_VERIFY=yes", "SHUNT_STRICT=error", "SHUNT_WARMUP=0",
             "SHUNT_MEMORY=64M", "SHUNT_TEST_LAYOUT=3,5,8,1");
    assert_true(settings.disable);
    assert_true(settings.verify);
    assert_int_equal(settings.strict, SHUNT_STRICT_ERROR);
    assert_int_equal(settings.warmup, 0);
    assert_int_equal(settings.memory, 67108864);
    assert_int_equal(settings.layout_count, 4);
    assert_int_equal(settings.layout[2], 8);
    assert_false(settings.layout_cyclic);
    settings = READ("SHUNT_TEST_LAYOUT=cyclic:4,2");
    assert_int_equal(settings.layout_count, 2);
    assert_int_equal(settings.layout[1], 2);
    assert_true(settings.layout_cyclic);
    settings = READ("SHUNT_FORCE=alltoall=bruck", "SHUNT_CONFIG=/a", "SHUNT_WATCHDOG=0.25",
                    "SHUNT_LOG=calls", "SHUNT_LOG_SIZE=1K", "SHUNT_LOG_RANKS=0,3-7",
                    "SHUNT_LOG_FORMAT=json", "SHUNT_LOG_PHASES=1", "SHUNT_LOG_COUNTS=on",
                    "SHUNT_LOG_SITES=yes");
    assert_true(settings.log_phases);
    assert_true(settings.log_counts);
    assert_true(settings.log_sites);
    assert_string_equal(settings.force, "alltoall=bruck");
    assert_string_equal(settings.config, "/a");
    assert_string_equal(READ("SHUNT_TEST_COMMUNICATORS=/b").communicators, "/b");
    assert_true(settings.watchdog == 0.25);
    assert_int_equal(settings.log, SHUNT_LOG_CALLS);
    assert_int_equal(settings.log_size, 1024);
    assert_string_equal(settings.log_ranks, "0,3-7");
    assert_int_equal(settings.log_format, SHUNT_LOG_JSON);
}

static void the_start_line_is_no_level_for_calls(void **state)
{
    (void)state;
    assert_false(READ("PATH=/bin").start);
    assert_false(READ("SHUNT_LOG=off").start);
    assert_true(READ("SHUNT_LOG=start").start);
    assert_int_equal(READ("SHUNT_LOG=start").log, SHUNT_LOG_OFF);
    assert_true(READ("SHUNT_LOG=summary").start);
    assert_int_equal(READ("SHUNT_LOG=summary").log, SHUNT_LOG_SUMMARY);
    assert_true(READ("SHUNT_LOG=calls").start);
}

static void the_file_decides_format_and_ranks(void **state)
{
    (void)state;
    struct shunt_settings settings = READ("SHUNT_LOG_FILE=/tmp/%j-%s.%t-%h.%r.jsonl");
    assert_int_equal(settings.log_format, SHUNT_LOG_JSON);
    assert_string_equal(settings.log_ranks, "all");
    settings = READ("SHUNT_LOG_FILE=log.json", "SHUNT_LOG_FORMAT=human");
    assert_int_equal(settings.log_format, SHUNT_LOG_HUMAN);
    assert_string_equal(settings.log_ranks, "0");
}

static void the_first_of_two_counts(void **state)
{
    (void)state;
    assert_int_equal(READ("SHUNT_WARMUP=3", "SHUNT_WARMUP=4").warmup, 3);
}

static void every_mistake_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"SHUNT_DISABLE=2", "SHUNT_DISABLE=2: expected 0 or 1"},
        {"SHUNT_VERIFY=maybe", "SHUNT_VERIFY=maybe: expected 0 or 1"},
        {"SHUNT_STRICT=hard", "SHUNT_STRICT=hard: expected off, warn or error"},
        {"SHUNT_WARMUP=4K", "SHUNT_WARMUP=4K: expected a number of calls"},
        {"SHUNT_WARMUP=-1", "SHUNT_WARMUP=-1: expected a number of calls"},
        {"SHUNT_MEMORY=64Q", "SHUNT_MEMORY=64Q: expected bytes such as 64M"},
        {"SHUNT_MEMORY=1.5G",
         "SHUNT_MEMORY=1.5G: expected bytes such as 64M (did you mean \"1536M\"?)"},
        {"SHUNT_TEST_LAYOUT=3,0",
         "SHUNT_TEST_LAYOUT=3,0: expected at most 64 sizes such as 3,5,8,1 or cyclic:4,2"},
        {"SHUNT_TEST_LAYOUT=3,",
         "SHUNT_TEST_LAYOUT=3,: expected at most 64 sizes such as 3,5,8,1 or cyclic:4,2"},
        {"SHUNT_TEST_LAYOUT=cyclic:",
         "SHUNT_TEST_LAYOUT=cyclic:: expected at most 64 sizes such as 3,5,8,1 or cyclic:4,2"},
        {"SHUNT_TEST_LAYOUT=cyclic",
         "SHUNT_TEST_LAYOUT=cyclic: expected at most 64 sizes such as 3,5,8,1 or cyclic:4,2"},
        {"SHUNT_TEST_LAYOUT=4,cyclic:2",
         "SHUNT_TEST_LAYOUT=4,cyclic:2: expected at most 64 sizes such as 3,5,8,1 or cyclic:4,2"},
        {"SHUNT_PTRACER=1", "SHUNT_PTRACER=1: expected off or any"},
        {"SHUNT_WATCHDOG=1e3", "SHUNT_WATCHDOG=1e3: expected seconds"},
        {"SHUNT_WATCHDOG=.5", "SHUNT_WATCHDOG=.5: expected seconds"},
        {"SHUNT_LOG=all", "SHUNT_LOG=all: expected off, start, summary or calls"},
        {"SHUNT_LOG_FORMAT=xml", "SHUNT_LOG_FORMAT=xml: expected human or json"},
        {"SHUNT_LOG_FILE=log.%x", "SHUNT_LOG_FILE=log.%x: expected a file name in which % is "
                                  "followed by j, s, t, h, r, p or %"},
        {"SHUNT_LOG_FILE=log.%", "SHUNT_LOG_FILE=log.%: expected a file name in which % is "
                                 "followed by j, s, t, h, r, p or %"},
        {"SHUNT_LOG_RANKS=3-1", "SHUNT_LOG_RANKS=3-1: expected world ranks such as 0,3-7 or all"},
        {"SHUNT_LOG_SIZE=big", "SHUNT_LOG_SIZE=big: expected bytes such as 64M"},
        {"SHUNT_LOG_PHASES=all", "SHUNT_LOG_PHASES=all: expected 0 or 1"},
        {"SHUNT_LOG_COUNTS=2", "SHUNT_LOG_COUNTS=2: expected 0 or 1"},
        {"SHUNT_LOG_SITES=main", "SHUNT_LOG_SITES=main: expected 0 or 1"},
        {"SHUNT_FORSE=x", "unknown variable SHUNT_FORSE (did you mean SHUNT_FORCE?)"},
        {"SHUNT_ELEPHANTS=x", "unknown variable SHUNT_ELEPHANTS"},
        {"SHUNT_=x", "unknown variable SHUNT_"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        read_settings((const char *const[]){cases[i][0], NULL}, cases[i][1]);
}

static void what_module_systems_set_is_no_setting(void **state)
{
    (void)state;
    READ("SHUNT_ROOT=/opt/shunt", "SHUNT_DIR=/opt/shunt", "SHUNT_HOME=/opt/shunt",
         "SHUNT_PREFIX=/opt/shunt", "SHUNT_VERSION=1", "SHUNT_LIB=/opt/shunt/lib",
         "SHUNT_INC=/opt/shunt/include");
}

static void lists_of_ranks_are_read(void **state)
{
    (void)state;
    assert_true(shunt_ranks_contain(NULL, 5));
    assert_true(shunt_ranks_contain("all", 5));
    assert_true(shunt_ranks_contain("0,3-7", 7));
    assert_true(shunt_ranks_contain("0,3-7", 0));
    assert_false(shunt_ranks_contain("0,3-7", 2));
    assert_false(shunt_ranks_contain("0,x", 0));
}

static void files_are_looked_for_in_the_documented_folders(void **state)
{
    (void)state;
    struct shunt_parse_path places;
    char *with_xdg[] = {(char[]){"HOME=/home/me"}, (char[]){"XDG_CONFIG_HOME=/etc/xdg"}, NULL};
    char *with_home[] = {(char[]){"HOME=/home/me"}, (char[]){"XDG_CONFIG_HOME=relative"}, NULL};
    char *with_none[] = {NULL};
    shunt_parse_here(&places, "x.cfg", with_xdg);
    assert_string_equal(places.request.config, "x.cfg");
    assert_string_equal(places.request.user_dir, "/etc/xdg/shunt");
    shunt_parse_here(&places, NULL, with_home);
    assert_string_equal(places.request.user_dir, "/home/me/.config/shunt");
    shunt_parse_here(&places, NULL, with_none);
    assert_null(places.request.user_dir);
    assert_non_null(places.request.host);
    assert_non_null(places.request.system_dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_variables_all_is_as_documented),
        cmocka_unit_test(every_variable_is_read),
        cmocka_unit_test(what_module_systems_set_is_no_setting),
        cmocka_unit_test(the_start_line_is_no_level_for_calls),
        cmocka_unit_test(the_file_decides_format_and_ranks),
        cmocka_unit_test(the_first_of_two_counts),
        cmocka_unit_test(every_mistake_is_named),
        cmocka_unit_test(lists_of_ranks_are_read),
        cmocka_unit_test(files_are_looked_for_in_the_documented_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
