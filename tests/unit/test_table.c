/* SPDX-License-Identifier: BSD-3-Clause */
/* test_table.c: tables as bytes, the list of problems, nearest names and spellings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/findings.h"
#include "route/machine_keys.h"
#include "route/settings.h"
#include "route/words.h"

static const struct shunt_range any = {0, INT64_MAX};

static struct shunt_rule rule_named(uint32_t id, const char *algorithm)
{
    struct shunt_rule rule;
    /* Padding full of noise must not reach the table. */
    memset(&rule, 0xa5, sizeof rule);
    rule.id = id;
    rule.file = 0;
    rule.line = (int32_t)id;
    rule.algorithm = shunt_registry_index(shunt_registry_find(algorithm));
    rule.ranks = rule.nodes = rule.ppn = rule.block = rule.density = any;
    rule.calls = 0;
    rule.memory = INT64_MAX;
    rule.present = 0;
    rule.native_us = rule.oversubscribed = 0;
    rule.expected = rule.measured = 0;
    return rule;
}

static struct shunt_table *sample(void)
{
    static const char *const strings[] = {"", "small", "large"};
    struct shunt_rule first[] = {rule_named(1, "parlogna"), rule_named(2, "native")};
    struct shunt_rule second[] = {rule_named(2, "scattered")};
    const struct shunt_rule *const rules[SHUNT_OP_COUNT] = {first, second};
    const uint32_t counts[SHUNT_OP_COUNT] = {2, 1};
    first[0].present = 1U << SHUNT_PARAM_RADIX;
    first[0].given[SHUNT_PARAM_RADIX].formula = SHUNT_FORMULA_SQRT_P;
    first[0].given[SHUNT_PARAM_RADIX].number = 0;
    struct shunt_policy policy = shunt_policy_default();
    struct shunt_table *table =
        shunt_table_make(&policy, "here", NULL, "site.cfg", rules, counts, strings, 3);
    assert_non_null(table);
    return table;
}

static void a_table_holds_copies_of_everything(void **state)
{
    (void)state;
    struct shunt_table *table = sample();
    assert_string_equal(shunt_table_string(table, table->machine), "here");
    assert_string_equal(shunt_table_string(table, table->source), "site.cfg");
    assert_int_equal(table->policy.warmup, -1);
    assert_int_equal(table->policy.max_communicators, 16);
    assert_int_equal(table->policy.memory, 268435456);
    assert_int_equal(table->rule_first[SHUNT_OP_ALLTOALLV], 2);
    assert_string_equal(shunt_table_string(table, table->rules[0].id), "small");
    assert_string_equal(shunt_table_string(table, table->rules[2].id), "large");
    assert_string_equal(shunt_table_string(table, table->rules[2].file), "");
    free(table);
}

static void equal_tables_have_equal_bytes(void **state)
{
    (void)state;
    struct shunt_table *a = sample(), *b = sample();
    assert_int_equal(a->bytes, b->bytes);
    assert_memory_equal(a, b, a->bytes);
    assert_true(shunt_table_valid(a, a->bytes));
    free(a);
    free(b);
}

/* With a description of the machine: padding full of noise must not reach the table, and every
 * number tells tables apart. */
static struct shunt_table *described(double latency, int noise)
{
    static const char *const strings[] = {""};
    const struct shunt_rule *const rules[SHUNT_OP_COUNT] = {NULL, NULL};
    const uint32_t counts[SHUNT_OP_COUNT] = {0, 0};
    const struct shunt_policy policy = shunt_policy_default();
    struct shunt_machine paper, model;
    shunt_machine_paper(&paper);
    shunt_machine_copy(&model, &paper);
    model.link[SHUNT_LEVEL_BETWEEN].latency = latency;
    memset(model.name, noise, sizeof model.name);
    strcpy(model.name, "paper");
    memset((char *)&model.processors + sizeof model.processors, noise,
           offsetof(struct shunt_machine, turn) - offsetof(struct shunt_machine, processors) -
               sizeof model.processors);
    struct shunt_table *table =
        shunt_table_make(&policy, "here", &model, "site.cfg", rules, counts, strings, 1);
    assert_non_null(table);
    return table;
}

static void a_table_holds_a_description(void **state)
{
    (void)state;
    struct shunt_table *a = described(6e-6, 0xa5), *b = described(6e-6, 0x5a),
                       *c = described(7e-6, 0xa5), *none = sample();
    assert_int_equal(a->modelled, 1);
    assert_int_equal(none->modelled, 0);
    assert_string_equal(a->model.name, "paper");
    assert_memory_equal(a, b, a->bytes);
    assert_int_not_equal(a->fingerprint, c->fingerprint);
    assert_true(shunt_table_valid(a, a->bytes));
    unsigned char *bytes = (unsigned char *)a;
    const size_t size = a->bytes;
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x41;
        assert_false(shunt_table_valid(a, size));
        bytes[i] ^= 0x41;
    }
    free(a);
    free(b);
    free(c);
    free(none);
}

/* A description that no parser lets through is refused although its fingerprint is right. */
static void a_wrong_description_is_no_table(void **state)
{
    (void)state;
    static const char *const strings[] = {""};
    const struct shunt_rule *const rules[SHUNT_OP_COUNT] = {NULL, NULL};
    const uint32_t counts[SHUNT_OP_COUNT] = {0, 0};
    const struct shunt_policy policy = shunt_policy_default();
    for (int i = 0; i < 2; i++) {
        struct shunt_machine model;
        shunt_machine_paper(&model);
        if (i == 0)
            model.link[SHUNT_LEVEL_BETWEEN].overhead = 0;
        else
            model.power = (enum shunt_power)7;
        struct shunt_table *table =
            shunt_table_make(&policy, "", &model, "", rules, counts, strings, 1);
        assert_non_null(table);
        assert_false(shunt_table_valid(table, table->bytes));
        free(table);
    }
}

/* Every byte counts: whatever arrives changed is refused, and no change crashes the check. */
static void damage_is_noticed(void **state)
{
    (void)state;
    struct shunt_table *table = sample();
    unsigned char *bytes = (unsigned char *)table;
    const size_t size = table->bytes;
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x41;
        assert_false(shunt_table_valid(table, size));
        bytes[i] ^= 0x41;
    }
    assert_false(shunt_table_valid(table, size - 1));
    assert_false(shunt_table_valid(table, 3));
    assert_true(shunt_table_valid(table, size));
    free(table);
}

static void diagnostics_are_one_line(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    shunt_diagnostics_add(&diagnostics, "a%sb%d", "\n\x1b", 3);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.text[0], "a??b3");
    shunt_diagnostics_clear(&diagnostics);
    assert_int_equal(diagnostics.count, 0);
}

static void nearest_suggests_what_is_near(void **state)
{
    (void)state;
    static const char *const names[] = {"radix", "batch_size", "parlinna-coalesced", "block"};
    assert_string_equal(shunt_nearest("radx", names, 4), "radix");
    assert_string_equal(shunt_nearest("raidx", names, 4), "radix");
    assert_string_equal(shunt_nearest("Radix", names, 4), "radix");
    assert_string_equal(shunt_nearest("batchsize", names, 4), "batch_size");
    assert_string_equal(shunt_nearest("parlinna", names, 4), "parlinna-coalesced");
    assert_null(shunt_nearest("elephant", names, 4));
    assert_null(shunt_nearest("", names, 4));
    assert_null(shunt_nearest("radix", names, 0));
}

static void sizes_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
    } good[] = {{"0", 0},
                {"7", 7},
                {"4K", 4096},
                {"513", 513},
                {"64M", 67108864},
                {"3G", INT64_C(3221225472)},
                {"9223372036854775807", INT64_MAX}};
    static const char *const bad[] = {"",
                                      "K",
                                      "4KBit",
                                      "4 bytes",
                                      "-1",
                                      "+1",
                                      "4 4",
                                      "4K K",
                                      "4T",
                                      "4iB",
                                      "1.5K",
                                      "9223372036854775808",
                                      "9223372036854775807K",
                                      "0x10"};
    int64_t bytes;
    char text[32];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(shunt_size_parse(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
        shunt_size_print(bytes, text, sizeof text);
        assert_string_equal(text, good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(shunt_size_parse(bad[i], &bytes));
}

/* Of the same size: whatever is usual, and always powers of 1024. */
static void sizes_have_many_spellings(void **state)
{
    (void)state;
    static const char *const spellings[] = {"8192", "8K",   "8k",    "8KB",    "8kB",     "8kb",
                                            "8KiB", "8kib", "8Ki",   "8 K",    "8 KB",    "8\tKiB",
                                            " 8K",  "8K ",  "8192B", "8192 b", "  8  K  "};
    int64_t bytes;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        assert_true(shunt_size_parse(spellings[i], &bytes));
        assert_int_equal(bytes, 8192);
    }
    assert_true(shunt_size_parse("3mb", &bytes));
    assert_int_equal(bytes, 3 << 20);
    assert_true(shunt_size_parse("2 GiB", &bytes));
    assert_int_equal(bytes, INT64_C(2) << 30);
}

/* What is none is answered with the spelling that was meant, or with nothing. */
static void sizes_and_ranges_have_hints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hint; /* NULL: no hint */
    } sizes[] = {{"1.5K", "1536"},
                 {"0.5 MB", "512K"},
                 {"1,5K", "1536"},
                 {"1,000", "1000"},
                 {"1_048_576", "1M"},
                 {"512 bytes", "512"},
                 {"4 kilobytes", "4K"},
                 {"2 Megabyte", "2M"},
                 {"1T", "1024G"},
                 {"2TiB", "2048G"},
                 {"4Q", NULL},
                 {"K", NULL},
                 {"", NULL},
                 {"lots", NULL},
                 {"1.K", NULL},
                 {"-1", NULL},
                 {"1.5 elephants", NULL},
                 {"99999999999999T", NULL},
                 {"1.0000001K", NULL}},
      ranges[] = {{"1K to 8K", "1K-8K"},
                  {"1K..8K", "1K-8K"},
                  {"1K:8K", "1K-8K"},
                  {"1K\xe2\x80\x93"
                   "8K",
                   "1K-8K"},
                  {"<= 8K", "0-8K"},
                  {"<8K", "0-8191"},
                  {"<0", NULL},
                  {">=8K", "8K-"},
                  {"> 8 KiB", "8193-"},
                  {"=8K", "8K"},
                  {"8K+", "8K-"},
                  {"1.5K-8K", "1536-8K"},
                  {"1,000 - 1_000_000", "1000-1000000"},
                  {"8K to 1K", NULL},
                  {"1--2", NULL},
                  {"elephants", NULL}};
    char hint[96], wanted[96];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        shunt_size_hint(sizes[i].text, hint, sizeof hint);
        snprintf(wanted, sizeof wanted, sizes[i].hint ? " (did you mean \"%s\"?)" : "%s",
                 sizes[i].hint ? sizes[i].hint : "");
        assert_string_equal(hint, wanted);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        shunt_range_hint(ranges[i].text, true, hint, sizeof hint);
        snprintf(wanted, sizeof wanted, ranges[i].hint ? " (did you mean \"%s\"?)" : "%s",
                 ranges[i].hint ? ranges[i].hint : "");
        assert_string_equal(hint, wanted);
    }
    shunt_range_hint("any", false, hint, sizeof hint);
    assert_string_equal(hint, " (a condition that is left out matches everything)");
    shunt_range_hint("1K-2K", false, hint, sizeof hint);
    assert_string_equal(hint, " (did you mean \"1024-2048\"?)");
}

static void sizes_are_printed_for_people(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 B"},
                 {513, "513 B"},
                 {1048576, "1 MiB"},
                 {3355443, "3.20 MiB"},
                 {1023, "1023 B"},
                 {1025, "1.00 KiB"},
                 {1048575, "1.00 MiB"},
                 {268435457, "256.0 MiB"},
                 {13002342, "12.4 MiB"},
                 {UINT64_C(1) << 60, "1 EiB"},
                 {INT64_MAX, "8.00 EiB"},
                 {UINT64_MAX, "16.0 EiB"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        shunt_bytes_print(cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void ranges_are_inclusive(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool sizes;
        int64_t low, high;
        const char *back;
    } good[] = {{"64-4095", false, 64, 4095, "64-4095"},
                {"2-", false, 2, INT64_MAX, "2-"},
                {"-8", false, 0, 8, "0-8"},
                {"7", false, 7, 7, "7"},
                {"513-8K", true, 513, 8192, "513-8192"},
                {"0-", false, 0, INT64_MAX, "any"},
                {"1M-1G", true, 1 << 20, 1 << 30, "1048576-1073741824"},
                {"1K - 8K", true, 1024, 8192, "1024-8192"},
                {" 1 KiB -\t8 kb ", true, 1024, 8192, "1024-8192"},
                {"8k -", true, 8192, INT64_MAX, "8192-"},
                {"- 512", true, 0, 512, "0-512"},
                {"64 - 4095", false, 64, 4095, "64-4095"},
                {" 7 ", false, 7, 7, "7"}};
    static const char *const bad[] = {"",
                                      "-",
                                      "--",
                                      "1--2",
                                      "a",
                                      "1-b",
                                      "1-2-3",
                                      "1K",
                                      "1 2",
                                      "1 - - 2",
                                      " - ",
                                      "1 - 2K",
                                      "99999999999999999999-"};
    struct shunt_range range;
    char text[64];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(shunt_range_parse(good[i].text, good[i].sizes, &range));
        assert_int_equal(range.low, good[i].low);
        assert_int_equal(range.high, good[i].high);
        shunt_range_print(range, text, sizeof text);
        assert_string_equal(text, good[i].back);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(shunt_range_parse(bad[i], false, &range));
}

static void values_go_both_ways(void **state)
{
    (void)state;
    static const char *const good[] = {"4", "P", "Q", "N", "sqrt(P)", "sqrt(Q)"};
    static const char *const bad[] = {"", "p", "P-1", "sqrt(N)", "sqrt(P", "-1", "4K", "(N-1)*Q"};
    struct shunt_value value;
    char text[32];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(shunt_value_parse(good[i], &value));
        shunt_value_print(value, text, sizeof text);
        assert_string_equal(text, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(shunt_value_parse(bad[i], &value));
    shunt_value_print((struct shunt_value){.formula = SHUNT_FORMULA_REMOTE}, text, sizeof text);
    assert_string_equal(text, "(N-1)*Q");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_holds_copies_of_everything),
        cmocka_unit_test(equal_tables_have_equal_bytes),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(a_table_holds_a_description),
        cmocka_unit_test(a_wrong_description_is_no_table),
        cmocka_unit_test(diagnostics_are_one_line),
        cmocka_unit_test(nearest_suggests_what_is_near),
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(sizes_have_many_spellings),
        cmocka_unit_test(sizes_and_ranges_have_hints),
        cmocka_unit_test(sizes_are_printed_for_people),
        cmocka_unit_test(ranges_are_inclusive),
        cmocka_unit_test(values_go_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
