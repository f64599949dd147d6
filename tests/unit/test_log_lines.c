/* SPDX-License-Identifier: BSD-3-Clause */
/* What a line looks like, in both forms. No files here. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"
#include "log/line.h"
#include "log/text.h"

static const struct shunt_record full = {.call = 42,
                                         .operation = "alltoallv",
                                         .communicator = "MPI_COMM_WORLD",
                                         .communicator_id = 3,
                                         .ranks = 1792,
                                         .nodes = 32,
                                         .ppn = 56,
                                         .max = 512,
                                         .mean = 210.25,
                                         .filled = 0.75,
                                         .density = 12,
                                         .bytes = 376320,
                                         .algorithm = "parlinna-coalesced",
                                         .params = "radix=4 batch_size=16",
                                         .rule_file = "site.cfg",
                                         .rule_line = 21,
                                         .rule_id = "small",
                                         .seconds = 0.0031,
                                         .agreement = 0.00002,
                                         .memory = 65536};

/* A finished text as a C string in static memory. */
static const char *finish(struct shunt_log_text *text)
{
    static char result[1 << 18];
    assert_false(text->cut);
    assert_true(text->used < sizeof(result));
    memcpy(result, text->bytes, text->used);
    result[text->used] = '\0';
    free(text->bytes);
    return result;
}

/* Nanoseconds at which calls below arrive, since the log's date and since 1970. */
static int64_t since = -1, arrival = -1;

static const char *human(const struct shunt_record *record)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_line_human(&text, record, since);
    assert_true(text.used <= SHUNT_LOG_LINE_MAX);
    return finish(&text);
}

static const char *json(const struct shunt_record *record)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_line_json(&text, record, 7, arrival);
    assert_true(record->send_bytes || text.used <= SHUNT_LOG_LINE_MAX);
    assert_int_equal(text.bytes[text.used - 1], '\n');
    assert_true(json_valid(text.bytes, text.used - 1));
    return finish(&text);
}

static const char *seconds(double value)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_seconds(&text, value);
    return finish(&text);
}

static const char *bytes(uint64_t value)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_bytes(&text, value);
    return finish(&text);
}

static const char *fixed(double value, int digits)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_fixed(&text, value, digits);
    return finish(&text);
}

static void numbers_are_short_for_people(void **unused)
{
    (void)unused;
    assert_string_equal(seconds(0.0031), "3.10 ms");
    assert_string_equal(seconds(0), "0 s");
    assert_string_equal(seconds(-1), "0 s");
    assert_string_equal(seconds(12.5e-9), "12.5 ns");
    assert_string_equal(seconds(999.6e-6), "1.00 ms");
    assert_string_equal(seconds(0.0999), "99.9 ms");
    assert_string_equal(seconds(125.4), "125 s");
    assert_string_equal(seconds(98765.4), "98765 s");
    assert_string_equal(bytes(0), "0 B");
    assert_string_equal(bytes(1023), "1023 B");
    assert_string_equal(bytes(13002342), "12.4 MiB");
    assert_string_equal(bytes(1048575), "1.00 MiB");
    assert_string_equal(bytes(UINT64_MAX), "16.0 EiB");
    assert_string_equal(fixed(1.5, 3), "1.500");
    assert_string_equal(fixed(0.0000000014, 9), "0.000000001");
    assert_string_equal(fixed(2.06, 1), "2.1");
    assert_string_equal(fixed(-3, 2), "0.00");
    assert_string_equal(fixed(1e300, 0), "18446744073709551615");
}

static const char *count(uint64_t value)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_count(&text, value);
    return finish(&text);
}

static const char *percent(double part, double whole)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_percent(&text, part, whole);
    return finish(&text);
}

static void numbers_are_grouped_by_thousands(void **unused)
{
    (void)unused;
    assert_string_equal(count(0), "0");
    assert_string_equal(count(999), "999");
    assert_string_equal(count(1000), "1,000");
    assert_string_equal(count(1002003), "1,002,003");
    assert_string_equal(count(UINT64_MAX), "18,446,744,073,709,551,615");
}

/* Neither nothing nor all is claimed where it is not. */
static void percent_are_not_rounded_to_nothing_or_all(void **unused)
{
    (void)unused;
    assert_string_equal(percent(1, 4), "25.0%");
    assert_string_equal(percent(0, 0), "0.0%");
    assert_string_equal(percent(0, 9), "0.0%");
    assert_string_equal(percent(9, 9), "100.0%");
    assert_string_equal(percent(9999, 10000), "99.9%");
    assert_string_equal(percent(1, 10000), "<0.1%");
    assert_string_equal(percent(6, 10000), "0.1%");
}

static void a_line_for_people_has_all_of_a_call(void **unused)
{
    (void)unused;
    assert_string_equal(human(&full), "shunt: #42 alltoallv P=1792 N=32 Q=56 max=512 mean=210 -> "
                                      "parlinna-coalesced radix=4 batch_size=16 "
                                      "[site.cfg:21 \"small\"] 3.10 ms\n");
}

static void a_line_for_people_leaves_out_what_is_not_known(void **unused)
{
    (void)unused;
    const struct shunt_record record = {.call = 1,
                                        .operation = "alltoall",
                                        .max = -1,
                                        .mean = -1,
                                        .filled = -1,
                                        .density = -1,
                                        .algorithm = "native",
                                        .reason = "warm-up",
                                        .seconds = 1e-6,
                                        .error = 15};
    assert_string_equal(human(&record),
                        "shunt: #1 alltoall -> native [warm-up] 1.00 us error=15\n");
}

static void a_line_for_people_names_the_rule(void **unused)
{
    (void)unused;
    struct shunt_record record = {.call = 1,
                                  .operation = "alltoall",
                                  .max = 0,
                                  .mean = 0,
                                  .algorithm = "native",
                                  .rule_file = "",
                                  .rule_id = "SHUNT_FORCE"};
    assert_string_equal(human(&record),
                        "shunt: #1 alltoall max=0 mean=0 -> native [SHUNT_FORCE] 0 s\n");
    record.rule_file = "a.cfg";
    record.rule_line = 3;
    record.rule_id = "";
    record.reason = "no memory";
    assert_string_equal(human(&record),
                        "shunt: #1 alltoall max=0 mean=0 -> native [a.cfg:3: no memory] 0 s\n");
}

/* A line stays one line whatever is in the names. */
static void a_line_for_people_stays_one_line_whatever_a_name_holds(void **unused)
{
    (void)unused;
    struct shunt_record record = full;
    record.rule_id = "a\nb\x1b\xff\xc3\xa9";
    assert_non_null(strstr(human(&record), "\"a\\x0ab\\x1b\\xff\xc3\xa9\"]"));
    /* U+009B is what ESC [ is; U+202E turns the rest of the line round. */
    static const unsigned char odd[] = {0xc2, 0x9b, '2', 'J', 0xe2, 0x80, 0xae, 0};
    record.rule_id = (const char *)odd;
    assert_non_null(strstr(human(&record), "\"\\xc2\\x9b2J\\xe2\\x80\\xae\"]"));
    assert_non_null(strstr(json(&record), "\"id\": \"\\u009b2J\\u202e\"}"));
}

static void a_line_for_programs_has_all_of_a_call(void **unused)
{
    (void)unused;
    const struct shunt_log_rejected rejected[] = {{"site.cfg", "first", 9, "needs two nodes"},
                                                  {"site.cfg", "", 12, "memory"}};
    struct shunt_record record = full;
    record.rejected = rejected;
    record.rejected_count = 2;
    assert_string_equal(
        json(&record),
        "{\"event\": \"call\", \"rank\": 7, \"communicator\": \"MPI_COMM_WORLD\", "
        "\"communicator_id\": \"0000000000000003\", \"call\": 42, "
        "\"operation\": \"alltoallv\", \"ranks\": 1792, \"nodes\": 32, \"ppn_max\": 56, "
        "\"largest\": 512, "
        "\"mean\": 210.250, \"filled\": 0.750000, \"density\": 12, \"bytes\": 376320, "
        "\"algorithm\": \"parlinna-coalesced\", \"parameters\": \"radix=4 batch_size=16\", "
        "\"rule\": {\"file\": \"site.cfg\", \"line\": 21, \"id\": \"small\"}, \"reason\": null, "
        "\"rejected\": [{\"rule\": {\"file\": \"site.cfg\", \"line\": 9, \"id\": \"first\"}, "
        "\"reason\": \"needs two nodes\"}, "
        "{\"rule\": {\"file\": \"site.cfg\", \"line\": 12, \"id\": \"\"}, \"reason\": "
        "\"memory\"}], "
        "\"seconds\": 0.003100000, \"agreement\": 0.000020000, \"memory\": 65536, \"error\": 0}\n");
}

static void a_line_for_programs_leaves_out_what_is_not_known(void **unused)
{
    (void)unused;
    const struct shunt_record record = {.call = 1,
                                        .max = -1,
                                        .mean = -1,
                                        .filled = -1,
                                        .density = -1,
                                        .memory = -1,
                                        .reason = "warm-up"};
    const char *line = json(&record);
    static const char *const absent[] = {"ranks",   "nodes",  "ppn",    "largest",
                                         "mean",    "memory", "time",   "filled",
                                         "density", "phases", "native", "send_bytes"};
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
        assert_null(strstr(line, absent[i]));
    assert_non_null(strstr(line, "\"rule\": null, \"reason\": \"warm-up\""));
}

/* A double would be off by 200 ns here. */
static void the_time_of_arrival_has_all_its_digits(void **unused)
{
    (void)unused;
    arrival = INT64_C(1795335599123456789);
    assert_non_null(strstr(json(&full), "\"rank\": 7, \"time\": 1795335599.123456789, "));
    arrival = 5;
    assert_non_null(strstr(json(&full), "\"time\": 0.000000005, "));
    arrival = -1;
    since = INT64_C(12345678999);
    assert_non_null(strstr(human(&full), " 3.10 ms t=12.345678\n"));
    since = -1;
}

static void what_was_asked_for_is_in_the_line(void **unused)
{
    (void)unused;
    enum { RANKS = 5000 };
    static int64_t bytes[RANKS];
    const struct shunt_log_phase phases[] = {{"copy", 0.001}, {"remote", 0.0021}};
    struct shunt_record record = full;
    record.phases = phases;
    record.phase_count = 2;
    record.native = 0.5;
    assert_non_null(strstr(json(&record), "\"agreement\": 0.000020000, \"phases\": {\"copy\": "
                                          "0.001000000, \"remote\": 0.002100000}, \"native\": "
                                          "0.500000000, \"memory\": 65536"));
    record.agreement = -1; /* it came with the blocks */
    assert_null(strstr(json(&record), "\"agreement\""));
    record.agreement = 0;
    assert_non_null(strstr(json(&record), "\"agreement\": 0.000000000"));
    record.ranks = 3;
    record.send_bytes = (const int64_t[]){0, 7, INT64_MAX};
    assert_non_null(strstr(json(&record), "\"send_bytes\": [0, 7, 9223372036854775807]}\n"));
    for (int i = 0; i < RANKS; i++)
        bytes[i] = 1000000 + i;
    record.ranks = RANKS;
    record.send_bytes = bytes;
    const char *line = json(&record);
    assert_true(strlen(line) > SHUNT_LOG_LINE_MAX);
    assert_non_null(strstr(line, ", 1004999]}\n"));
}

/* Broken sequences are valid JSON afterwards. */
static void any_bytes_become_valid_json(void **unused)
{
    (void)unused;
    static const char *const broken[] = {
        "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80",
        "\xc0\xaf",     "\xe2\x82",     "\xf0\x9f\x98",     "\xf8\x88\x80\x80\x80"};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        struct shunt_record record = full;
        record.communicator = broken[i];
        assert_non_null(strstr(json(&record), "\"communicator\": \"\\ufffd"));
    }
    struct shunt_record record = full;
    record.communicator = "\"\\\x01\x7f\xf0\x9f\x98\x80";
    assert_non_null(
        strstr(json(&record), "\"communicator\": \"\\\"\\\\\\u0001\\u007f\xf0\x9f\x98\x80\""));
}

/* Names of any length and any number of rejected rules stay within a line, and the line stays JSON.
 */
static void long_names_are_cut_and_the_line_stays_valid(void **unused)
{
    (void)unused;
    char name[8192];
    memset(name, '\x01', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    struct shunt_log_rejected rejected[100];
    for (int i = 0; i < 100; i++)
        rejected[i] = (struct shunt_log_rejected){name, name, 1, name};
    struct shunt_record record = full;
    record.operation = record.communicator = record.algorithm = record.params = name;
    record.rule_file = record.rule_id = record.reason = name;
    record.site = record.symbol = name;
    record.rejected = rejected;
    record.rejected_count = 100;
    assert_non_null(strstr(json(&record), "\"rejected_omitted\": "));
    assert_non_null(strstr(human(&record), "..."));
}

/* The application may print numbers with a comma; JSON may not. */
static void the_locale_changes_no_number(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        assert_non_null(strstr(json(&full), "\"mean\": 210.250,"));
        assert_non_null(strstr(human(&full), "3.10 ms"));
        setlocale(LC_ALL, "C");
        return;
    }
    print_message("no locale with a decimal comma is installed\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_for_people),
        cmocka_unit_test(numbers_are_grouped_by_thousands),
        cmocka_unit_test(percent_are_not_rounded_to_nothing_or_all),
        cmocka_unit_test(a_line_for_people_has_all_of_a_call),
        cmocka_unit_test(a_line_for_people_leaves_out_what_is_not_known),
        cmocka_unit_test(a_line_for_people_names_the_rule),
        cmocka_unit_test(a_line_for_people_stays_one_line_whatever_a_name_holds),
        cmocka_unit_test(a_line_for_programs_has_all_of_a_call),
        cmocka_unit_test(a_line_for_programs_leaves_out_what_is_not_known),
        cmocka_unit_test(the_time_of_arrival_has_all_its_digits),
        cmocka_unit_test(what_was_asked_for_is_in_the_line),
        cmocka_unit_test(any_bytes_become_valid_json),
        cmocka_unit_test(long_names_are_cut_and_the_line_stays_valid),
        cmocka_unit_test(the_locale_changes_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
