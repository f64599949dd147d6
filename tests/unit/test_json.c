/* SPDX-License-Identifier: BSD-3-Clause */
/* The writer of JSON, against a reader that knows nothing of it; and the list of keys. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"
#include "log/json.h"

/* Calls of realloc, through the linker's --wrap: the only way a text grows. */
static int allocations;

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

/* What is written next, and where. */
static char bytes[1 << 16];
static struct shunt_log_text text;
static struct shunt_json json;

static int begin(void **unused)
{
    (void)unused;
    memset(bytes, '#', sizeof(bytes));
    text = (struct shunt_log_text){.bytes = bytes, .capacity = sizeof(bytes) - 1};
    json = (struct shunt_json){.text = &text};
    return 0;
}

static const char *written(void)
{
    assert_false(text.cut);
    bytes[text.used] = '\0';
    if (!json_valid(bytes, text.used))
        fail_msg("not JSON: %s", bytes);
    return bytes;
}

static void an_empty_object_or_array_has_nothing_in_it(void **unused)
{
    (void)unused;
    shunt_json_array(&json);
    shunt_json_object(&json);
    shunt_json_close(&json);
    shunt_json_array(&json);
    shunt_json_close(&json);
    shunt_json_close(&json);
    assert_string_equal(written(), "[{}, []]");
}

/* Commas are right on all depths, after whatever stands before. */
static void commas_are_right_on_all_depths(void **unused)
{
    (void)unused;
    shunt_json_object(&json);
    shunt_json_put_array(&json, SHUNT_KEY_CASES);
    for (int i = 0; i < 2; i++) {
        shunt_json_object(&json);
        shunt_json_put_known(&json, SHUNT_KEY_BLOCK, i);
        shunt_json_put_object(&json, SHUNT_KEY_US);
        shunt_json_close(&json);
        shunt_json_put_flag(&json, SHUNT_KEY_YIELDS, i == 1);
        shunt_json_close(&json);
    }
    shunt_json_close(&json);
    shunt_json_name(&json, "MPI_\"x\"");
    shunt_json_array(&json);
    shunt_json_integer(&json, 1);
    shunt_json_null(&json);
    shunt_json_string(&json, "a");
    shunt_json_close(&json);
    shunt_json_put_string(&json, SHUNT_KEY_REASON, NULL);
    shunt_json_close(&json);
    assert_string_equal(written(), "{\"cases\": [{\"block\": 0, \"us\": {}, \"yields\": false}, "
                                   "{\"block\": 1, \"us\": {}, \"yields\": true}], "
                                   "\"MPI_\\\"x\\\"\": [1, null, \"a\"], \"reason\": null}");
}

/* As many levels as there are bits for, arrays and objects in turn. */
static void there_are_as_many_levels_as_said(void **unused)
{
    (void)unused;
    for (int i = 0; i < SHUNT_JSON_DEPTH_MAX / 2; i++) {
        shunt_json_object(&json);
        shunt_json_put_array(&json, SHUNT_KEY_DONE);
    }
    for (int i = 0; i < SHUNT_JSON_DEPTH_MAX; i++)
        shunt_json_close(&json);
    assert_int_equal(json.depth, 0);
    assert_int_equal(text.used, SHUNT_JSON_DEPTH_MAX / 2 * strlen("{\"done\": []}"));
    (void)written();
}

static void what_comes_next_may_begin_a_line(void **unused)
{
    (void)unused;
    shunt_json_array(&json);
    for (int i = 0; i < 2; i++) {
        shunt_json_line(&json);
        shunt_json_integer(&json, i);
    }
    shunt_json_line(&json);
    shunt_json_close(&json);
    assert_string_equal(written(), "[\n0,\n1\n]");
}

static void numbers_are_written_as_json_has_them(void **unused)
{
    (void)unused;
    shunt_json_array(&json);
    shunt_json_integer(&json, INT64_MIN);
    shunt_json_integer(&json, INT64_MAX);
    shunt_json_unsigned(&json, UINT64_MAX);
    shunt_json_fixed(&json, 1.5, 3);
    shunt_json_fixed(&json, -2.25, 1);
    shunt_json_fixed(&json, 0.0000000014, 9);
    shunt_json_fixed(&json, 7, 0);
    shunt_json_fixed(&json, NAN, 3);
    shunt_json_fixed(&json, HUGE_VAL, 3);
    shunt_json_fixed(&json, -HUGE_VAL, 3);
    shunt_json_close(&json);
    assert_string_equal(written(),
                        "[-9223372036854775808, 9223372036854775807, 18446744073709551615, 1.500, "
                        "-2.3, 0.000000001, 7, null, null, null]");
}

static void numbers_of_any_size_have_nine_digits(void **unused)
{
    (void)unused;
    shunt_json_array(&json);
    shunt_json_real(&json, 0);
    shunt_json_real(&json, 1.65e-11);
    shunt_json_real(&json, -0.125);
    shunt_json_real(&json, 1.0 / 3);
    shunt_json_real(&json, 1e300);
    shunt_json_real(&json, NAN);
    shunt_json_real(&json, HUGE_VAL);
    shunt_json_close(&json);
    assert_string_equal(written(), "[0, 1.65e-11, -0.125, 0.333333333, 1e+300, null, null]");
}

/* The unit of a key says how many digits its numbers have; what is not known has no key. */
static void the_unit_of_a_key_says_how_many_digits(void **unused)
{
    (void)unused;
    shunt_json_object(&json);
    shunt_json_put_known(&json, SHUNT_KEY_LARGEST, -1);
    shunt_json_put_number(&json, SHUNT_KEY_SECONDS, 0.25);
    shunt_json_put_number(&json, SHUNT_KEY_MEAN, 210.25);
    shunt_json_put_fixed(&json, SHUNT_KEY_MEDIAN, 2, 1);
    shunt_json_put_rule(&json, SHUNT_KEY_RULE, NULL, 3, "id");
    shunt_json_put_rule(&json, SHUNT_KEY_RULE, "", 0, NULL);
    shunt_json_put_rule(&json, SHUNT_KEY_RULE, "a.cfg", 3, "small");
    shunt_json_close(&json);
    assert_string_equal(written(),
                        "{\"seconds\": 0.250000000, \"mean\": 210.250, \"median\": 2.0, "
                        "\"rule\": null, \"rule\": {\"file\": \"\", \"id\": \"\"}, "
                        "\"rule\": {\"file\": \"a.cfg\", \"line\": 3, \"id\": \"small\"}}");
}

static const char *string(const char *value)
{
    (void)begin(NULL);
    shunt_json_string(&json, value);
    return written();
}

static void any_string_becomes_a_valid_one(void **unused)
{
    (void)unused;
    assert_string_equal(string("a\"b\\c\n\x01\x7f/"), "\"a\\\"b\\\\c\\u000a\\u0001\\u007f/\"");
    assert_string_equal(string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
                        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_string_equal(string("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(string("x\xe2\x82"), "\"x\\ufffd\\ufffd\"");
    for (unsigned i = 0x100; i < 0x10000; i++) {
        const char pair[] = {'x', (char)(i >> 8), (char)(i & 0xff), 'y', '\0'};
        text.used = 0;
        json.more = false;
        shunt_json_string(&json, pair);
        assert_true(json_valid(bytes, text.used));
    }
}

/* In a line of the log a long string ends early; a program writes it whole. */
static void long_strings_end_early_only_in_the_log(void **unused)
{
    (void)unused;
    char name[4000];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_string_equal(string(name) + SHUNT_LOG_STRING_MAX, "nn...\"");
    (void)begin(NULL);
    json.whole = true;
    shunt_json_string(&json, name);
    assert_int_equal(strlen(written()), sizeof(name) - 1 + 2);
}

static void write_something(void)
{
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_COMMUNICATOR, "a \"name\"");
    shunt_json_put_array(&json, SHUNT_KEY_REJECTED);
    shunt_json_fixed(&json, 12.5, 3);
    shunt_json_close(&json);
    shunt_json_close(&json);
}

/* Too little room: told, and nothing is written past the end, wherever that comes. */
static void what_does_not_fit_is_told_and_not_written(void **unused)
{
    (void)unused;
    write_something();
    const size_t all = text.used;
    assert_true(json_valid(bytes, all));
    for (size_t room = 0; room < all; room++) {
        (void)begin(NULL);
        text.capacity = room;
        write_something();
        assert_true(text.cut);
        assert_true(text.used <= room);
        assert_int_equal(bytes[room], '#');
        assert_false(json_valid(bytes, text.used));
    }
    (void)begin(NULL);
    text.capacity = all;
    write_something();
    assert_false(text.cut);
}

/* On the path of a call there is no allocation; what grows does allocate. */
static void a_text_of_fixed_capacity_allocates_nothing(void **unused)
{
    (void)unused;
    allocations = 0;
    write_something();
    assert_int_equal(allocations, 0);
    text = (struct shunt_log_text){.grows = true};
    json = (struct shunt_json){.text = &text};
    write_something();
    assert_true(allocations > 0);
    assert_true(json_valid(text.bytes, text.used));
    free(text.bytes);
}

static void numbers_do_not_follow_the_locale(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        shunt_json_array(&json);
        shunt_json_fixed(&json, 1.5, 1);
        shunt_json_real(&json, 2.5e-7);
        shunt_json_close(&json);
        assert_string_equal(written(), "[1.5, 2.5e-07]");
        setlocale(LC_ALL, "C");
        return;
    }
    print_message("no locale with a decimal comma is installed\n");
    skip();
}

#define ENTRY(name, key, unit, meaning) {key, meaning},
static const struct {
    const char *key, *meaning;
} list[] = {SHUNT_KEYS(ENTRY)};

/* One key for one thing: none twice, each spelt alike and explained, and each written as listed. */
static void every_key_is_there_once_and_explained(void **unused)
{
    (void)unused;
    for (int i = 0; i < SHUNT_KEY_COUNT; i++) {
        char expected[80];
        assert_int_equal(strspn(list[i].key, "abcdefghijklmnopqrstuvwxyz_"), strlen(list[i].key));
        assert_true(strlen(list[i].meaning) > 3);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(list[i].key, list[j].key);
        (void)begin(NULL);
        shunt_json_object(&json);
        shunt_json_put_known(&json, (enum shunt_key)i, 1);
        shunt_json_close(&json);
        snprintf(expected, sizeof(expected), "{\"%s\": 1}", list[i].key);
        assert_string_equal(written(), expected);
    }
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_object_or_array_has_nothing_in_it),
        TEST(commas_are_right_on_all_depths),
        TEST(there_are_as_many_levels_as_said),
        TEST(what_comes_next_may_begin_a_line),
        TEST(numbers_are_written_as_json_has_them),
        TEST(numbers_of_any_size_have_nine_digits),
        TEST(the_unit_of_a_key_says_how_many_digits),
        TEST(any_string_becomes_a_valid_one),
        TEST(long_strings_end_early_only_in_the_log),
        TEST(what_does_not_fit_is_told_and_not_written),
        TEST(a_text_of_fixed_capacity_allocates_nothing),
        TEST(numbers_do_not_follow_the_locale),
        TEST(every_key_is_there_once_and_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
