/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sheet.c: rows under columns that are described once, in the three forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/common/sheet.h"

static struct shunt_log_text text;
static char printed[8192];

/* What was appended since the last time. */
static const char *take(void)
{
    assert_false(text.cut);
    assert_true(text.used < sizeof printed);
    memcpy(printed, text.bytes, text.used);
    printed[text.used] = '\0';
    free(text.bytes);
    text = (struct shunt_log_text){.grows = true};
    return printed;
}

static void put(struct shunt_sheet sheet, const struct shunt_field *rows, size_t count)
{
    struct shunt_json json = {.text = &text, .whole = true};
    text = (struct shunt_log_text){.grows = true};
    sheet.text = &text;
    sheet.json = &json;
    sheet.list = SHUNT_KEY_ROWS;
    if (sheet.form == SHUNT_SHEET_JSON)
        shunt_json_object(&json);
    shunt_sheet_begin(&sheet);
    for (size_t i = 0; i < count; i++)
        shunt_sheet_row(&sheet, rows + i * (size_t)sheet.columns);
    assert_int_equal(shunt_sheet_end(&sheet), 0);
    if (sheet.form == SHUNT_SHEET_JSON)
        shunt_json_close(&json);
}

/* All kinds, once known and once not. */
static const struct shunt_column kinds[] = {
    {.key = SHUNT_KEY_ALGORITHM, .title = "algorithm"},
    {.key = SHUNT_KEY_CALLS, .title = "calls", .grouped = true},
    {.key = SHUNT_KEY_MESSAGES, .title = "messages", .null = true},
    {.key = SHUNT_KEY_BYTES, .title = "bytes"},
    {.key = SHUNT_KEY_SECONDS, .title = "time"},
    {.key = SHUNT_KEY_ENERGY_J, .title = "energy", .null = true},
    {.key = SHUNT_KEY_FILLED, .title = "share", .csv_digits = SHUNT_SIGNIFICANT(3)},
    {.key = SHUNT_KEY_SPEEDUP, .title = "gain", .digits = 2, .suffix = "x"},
    {.key = SHUNT_KEY_ALLOWED, .title = "allowed"},
    {.key = SHUNT_KEY_RANKS, .title = "ranks", .range = true, .none = "any"},
};

static void every_kind_in_every_form(void **unused)
{
    (void)unused;
    const struct shunt_field rows[] = {
        shunt_field_text("bruck"),   shunt_field_count(12345),
        shunt_field_count(12345),    shunt_field_count(2048),
        shunt_field_real(0.0031),    shunt_field_real(0.25),
        shunt_field_real(0.8234567), shunt_field_real(1.5),
        shunt_field_flag(true),      shunt_field_range((struct shunt_range){2, 64}),
        shunt_field_text(NULL),      shunt_field_count(-1),
        shunt_field_count(-1),       shunt_field_some(0),
        shunt_field_positive(0),     shunt_field_real(NAN),
        shunt_field_real(-1),        shunt_field_real(INFINITY),
        shunt_field_unknown(),       shunt_field_range((struct shunt_range){0, INT64_MAX}),
    };
    put(SHUNT_SHEET(kinds, .form = SHUNT_SHEET_TEXT), rows, 2);
    assert_string_equal(
        take(),
        "algorithm   calls  messages  bytes     time  energy  share   gain  allowed  ranks\n"
        "bruck      12,345     12345  2 KiB  3.10 ms  250 mJ  82.3%  1.50x  yes      2-64\n"
        "-               -         -      -        -       -      -      -  -        any\n");
    put(SHUNT_SHEET(kinds, .form = SHUNT_SHEET_CSV), rows, 2);
    assert_string_equal(
        take(), "algorithm,calls,messages,bytes,seconds,energy_j,filled,speedup,allowed,ranks_from,"
                "ranks_to\n"
                "bruck,12345,12345,2048,0.003100000,0.25,0.823,1.50,1,2,64\n"
                ",,,,,,,,,0,\n");
    put(SHUNT_SHEET(kinds, .form = SHUNT_SHEET_JSON), rows, 2);
    assert_string_equal(
        take(),
        "{\"rows\": [\n"
        "{\"algorithm\": \"bruck\", \"calls\": 12345, \"messages\": 12345, \"bytes\": 2048, "
        "\"seconds\": 0.003100000, \"energy_j\": 0.25, \"filled\": 0.823457, \"speedup\": 1.50, "
        "\"allowed\": true, \"ranks\": {\"low\": 2, \"high\": 64}},\n"
        "{\"messages\": null, \"energy_j\": null}]}");
}

static void put_list(struct shunt_json *json, const void *value)
{
    shunt_json_put_array(json, SHUNT_KEY_LAYOUT);
    shunt_json_integer(json, *(const int *)value);
    shunt_json_close(json);
}

static void objects_stand_in_each_other(void **unused)
{
    static const struct shunt_column columns[] = {
        {.key = SHUNT_KEY_OPERATION},
        {.key = SHUNT_KEY_ALGORITHM, .name = "then", .within = {SHUNT_KEY_WHAT_IF}},
        {.key = SHUNT_KEY_FILE, .within = {SHUNT_KEY_WHAT_IF, SHUNT_KEY_RULE}, .null = true},
        {.key = SHUNT_KEY_LINE, .within = {SHUNT_KEY_WHAT_IF, SHUNT_KEY_RULE}},
        {.key = SHUNT_KEY_MEDIAN, .in = SHUNT_IN_CSV},
        {.key = SHUNT_KEY_LOW, .within = {SHUNT_KEY_SPEEDUP}, .null = true},
        {.key = SHUNT_KEY_HIGH, .within = {SHUNT_KEY_SPEEDUP}},
        {.key = SHUNT_KEY_LAYOUT, .in = SHUNT_IN_JSON, .own = put_list},
    };
    const int ranks = 4;
    const struct shunt_field rows[] = {
        shunt_field_text("alltoall"), shunt_field_text("bruck"), shunt_field_text("site.cfg"),
        shunt_field_some(3), shunt_field_real(1.25), shunt_field_real(1), shunt_field_real(2),
        shunt_field_own(&ranks),
        /* A rule that is not known in an object that is; an object without anything. */
        shunt_field_text("alltoall"), shunt_field_text("bruck"), shunt_field_text(NULL),
        shunt_field_some(0), shunt_field_unknown(), shunt_field_unknown(), shunt_field_unknown(),
        shunt_field_own(NULL),
        /* Nothing within what is left out, either. */
        shunt_field_text("alltoall"), shunt_field_text(NULL), shunt_field_text(NULL),
        shunt_field_some(0), shunt_field_unknown(), shunt_field_unknown(), shunt_field_unknown(),
        shunt_field_own(NULL)};
    (void)unused;
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_JSON), rows, 3);
    assert_string_equal(
        take(),
        "{\"rows\": [\n"
        "{\"operation\": \"alltoall\", \"what_if\": {\"algorithm\": \"bruck\", \"rule\": "
        "{\"file\": \"site.cfg\", \"line\": 3}}, \"speedup\": {\"low\": 1.000, \"high\": 2.000}, "
        "\"layout\": [4]},\n"
        "{\"operation\": \"alltoall\", \"what_if\": {\"algorithm\": \"bruck\", \"rule\": null}, "
        "\"speedup\": null},\n"
        "{\"operation\": \"alltoall\", \"speedup\": null}]}");
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_CSV), rows, 1);
    assert_string_equal(take(), "operation,then,file,line,median,low,high\n"
                                "alltoall,bruck,site.cfg,3,1.250,1.000,2.000\n");
}

static void csv_quotes_what_needs_it(void **unused)
{
    static const struct shunt_column columns[] = {{.key = SHUNT_KEY_NAME},
                                                  {.key = SHUNT_KEY_MACHINE, .quoted = true}};
    const struct shunt_field rows[] = {shunt_field_text("plain"),     shunt_field_text("plain"),
                                       shunt_field_text("a, b"),      shunt_field_text("a \"b\""),
                                       shunt_field_text("\x1b[2J\n"), shunt_field_text(NULL)};
    (void)unused;
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_CSV), rows, 3);
    assert_string_equal(take(), "name,machine\n"
                                "plain,\"plain\"\n"
                                "\"a, b\",\"a \"\"b\"\"\"\n"
                                "\\x1b[2J\\x0a,\n");
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_CSV), rows, 0);
    assert_string_equal(take(), "name,machine\n");
}

/* A name, a figure and words, with a name and words as long as asked for. */
static const char *long_ones(int name, int words, bool wide)
{
    static const struct shunt_column columns[] = {
        {.key = SHUNT_KEY_NAME, .title = "name", .most = 60},
        {.key = SHUNT_KEY_CALLS, .title = "calls", .least = 12},
        {.key = SHUNT_KEY_NOTE, .title = "note"},
    };
    char names[256], notes[256];
    memset(names, 'n', sizeof names);
    memset(notes, 'w', sizeof notes);
    for (int i = 9; i < words; i += 10)
        notes[i] = ' ';
    names[name] = notes[words] = '\0';
    const struct shunt_field rows[] = {shunt_field_text("short"), shunt_field_count(1),
                                       shunt_field_text("note"),  shunt_field_text(names),
                                       shunt_field_count(2),      shunt_field_text(notes)};
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_TEXT, .wide = wide, .indent = 2), rows, 2);
    return take();
}

static int longest_line(const char *lines)
{
    int longest = 0;
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
        longest = end - lines > longest ? (int)(end - lines) : longest;
    return longest;
}

static int lines_of(const char *lines)
{
    int count = 0;
    for (; *lines != '\0'; lines++)
        count += *lines == '\n';
    return count;
}

static void people_get_100_columns_unless_wide(void **unused)
{
    (void)unused;
    /* It fits: one line each, in columns. */
    assert_string_equal(long_ones(6, 4, false), "  name           calls  note\n"
                                                "  short              1  note\n"
                                                "  nnnnnn             2  wwww\n");
    for (int name = 10; name <= 250; name += 20) {
        const char *lines = long_ones(name, 120, false);
        assert_true(longest_line(lines) <= 100);
        assert_true(lines_of(lines) > 3);
        /* A name that has no room has its own line; the figure stays in its column. */
        if (name > 60)
            assert_non_null(strstr(lines, "n\n                    2  wwwwwwwww wwww"));
    }
    /* A name that is longer than a line goes on four columns further in. */
    assert_non_null(strstr(long_ones(150, 4, false), "n\n      nnnn"));
    const char *wide = long_ones(80, 120, true);
    assert_int_equal(lines_of(wide), 3);
    assert_int_equal(longest_line(wide), 2 + 80 + 2 + 12 + 2 + 120);
}

static void columns_are_aligned_by_characters(void **unused)
{
    static const struct shunt_column columns[] = {
        {.key = SHUNT_KEY_NAME, .title = ""},
        {.key = SHUNT_KEY_DENSITY, .title = "", .optional = true},
        {.key = SHUNT_KEY_VALUE, .title = "", .none = ""},
        {.key = SHUNT_KEY_NOTE, .title = ""},
    };
    const struct shunt_field rows[] = {shunt_field_text("\xc3\xa4\xc3\xb6"),
                                       shunt_field_unknown(),
                                       shunt_field_text("x"),
                                       shunt_field_text("end"),
                                       shunt_field_text("abc"),
                                       shunt_field_unknown(),
                                       shunt_field_text(NULL),
                                       shunt_field_text("")};
    (void)unused;
    /* Without titles there is no line of them; nor is there a column that no row has. */
    put(SHUNT_SHEET(columns, .form = SHUNT_SHEET_TEXT), rows, 2);
    assert_string_equal(take(), "\xc3\xa4\xc3\xb6   x  end\nabc     -\n");
}

/* Sums of many files may be beyond what a count can say. */
static void counts_end_at_the_largest(void **unused)
{
    (void)unused;
    assert_int_equal(shunt_field_unsigned(7).count, 7);
    assert_int_equal(shunt_field_unsigned(UINT64_MAX).count, INT64_MAX);
    assert_int_equal(shunt_field_unsigned((uint64_t)INT64_MAX + 1).count, INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_in_every_form),
        cmocka_unit_test(objects_stand_in_each_other),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(people_get_100_columns_unless_wide),
        cmocka_unit_test(columns_are_aligned_by_characters),
        cmocka_unit_test(counts_end_at_the_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
