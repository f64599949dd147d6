/* SPDX-License-Identifier: BSD-3-Clause */
/* test_write.c: a table that is written as a decision file reads as the same table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/builtin.h"
#include "route/parse.h"
#include "route/write.h"
#include "rules.h"
#include "same_table.h"

static char *written(const struct shunt_table *table)
{
    static const char *const hosts[] = {"node[001-064,100]", "login*"};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    shunt_table_write(table, hosts, 2, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static struct shunt_table *read_back(const char *text)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s\nof\n%s\n", diagnostics.text[i], text);
    assert_int_equal(diagnostics.count, 0);
    assert_non_null(table);
    return table;
}

static void goes_round(const struct shunt_table *table)
{
    char *text = written(table);
    struct shunt_table *again = read_back(text);
    if (!same_table(table, again))
        print_error("differs:\n%s\n", text);
    assert_true(same_table(table, again));
    char *twice = written(again);
    assert_string_equal(twice, text);
    free(twice);
    free(text);
    free(again);
}

static void tables_go_round(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "",
        "{ algorithm = \"native\"; }",
        "{ id = \"a \\\"b\\\" \\\\ \xc3\xa9 \xff # /* { ;\"; algorithm = \"native\"; }",
        "{ ranks = \"64-4095\"; nodes = \"2-\"; ppn = \"-8\"; block = \"513-8K\"; memory = \"3M\"; "
        "algorithm = \"parlogna\"; radix = \"sqrt(P)\"; batch_size = 16; metadata = "
        "\"separate\"; }",
        "{ algorithm = \"parlogna\"; radix = (4, \"Q\", 3); }, { algorithm = \"parlogna\"; radix = "
        "[2, 3, 4, 5, 6, 7, 8, 9]; }",
        "{ algorithm = \"parlogna\"; radix = 9000000000L; batch_size = \"P\"; }",
        "{ algorithm = \"node-pair\"; leaders = \"Q\"; fragment = \"15K\"; }, { algorithm = "
        "\"node-pair\"; fragment = 1025; }",
        "{ block = 0; algorithm = \"native\"; }, { block = \"0-\"; memory = 0; algorithm = "
        "\"bruck-zero-rotation\"; }, { ranks = \"0\"; algorithm = \"scattered\"; }",
        "{ block = \"9223372036854775807\"; ranks = \"9223372036854775807\"; nodes = "
        "\"5-9223372036854775807\"; algorithm = \"native\"; }"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        char text[1024];
        struct shunt_diagnostics diagnostics = {0};
        const bool alltoall = strstr(rules[i], "bruck-zero-rotation");
        snprintf(text, sizeof text, "schema = 1; alltoall%s = (%s);", alltoall ? "" : "v",
                 rules[i]);
        struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
        for (size_t d = 0; d < diagnostics.count; d++)
            print_error("%s\n", diagnostics.text[d]);
        assert_non_null(table);
        goes_round(table);
        free(table);
    }
    goes_round(shunt_builtin_table());
}

static void policies_and_names_go_round(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_parse_text(
        "schema = 1; machine = { name = \"a\\nb\\x07 \\\"c\\\"\"; };\n"
        "policy = { warmup = 3000000000L; max_communicators = 0; memory = \"9223372036854775807\"; "
        "};",
        "t.cfg", &diagnostics);
    assert_non_null(table);
    goes_round(table);
    free(table);
    table = shunt_parse_text(
        "schema = 1; policy = { no_match = \"model\"; guard = false; adapt = false; margin = 2.7; "
        "objective = { time = 1; memory = 0.1; }; };",
        "t.cfg", &diagnostics);
    assert_non_null(table);
    assert_int_equal(table->policy.no_match, SHUNT_NO_MATCH_MODEL);
    assert_int_equal(table->policy.guard, 0);
    assert_int_equal(table->policy.adapt, 0);
    goes_round(table);
    free(table);
    table =
        shunt_parse_text("schema = 1; machine = { name = \"m\"; model = { inside = { latency_us = "
                         "0.3; overhead_us = "
                         "0.1; byte_ns = 0.0123456789012345; }; between = { latency_us = 1; "
                         "overhead_us = 2; byte_ns "
                         "= 3; eager = \"16K\"; }; copy = { block_ns = 1e-3; byte_ns = 0; }; }; };",
                         "t.cfg", &diagnostics);
    assert_non_null(table);
    assert_int_equal(table->modelled, 1);
    assert_string_equal(table->model.name, "m");
    goes_round(table);
    free(table);
    table = shunt_parse_text("schema = 1; policy = { warmup = 0; memory = \"1500\"; };", "t.cfg",
                             &diagnostics);
    assert_non_null(table);
    goes_round(table);
    free(table);
}

/* What the equality of tables is made of: each of these differs from the first. */
static void other_tables_are_not_the_same(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "{ algorithm = \"parlogna\"; radix = 4; }",
        "{ algorithm = \"parlogna\"; radix = 5; }",
        "{ algorithm = \"parlogna\"; radix = \"4x2\"; }",
        "{ algorithm = \"parlogna\"; }",
        "{ algorithm = \"parlogna\"; radix = 4; memory = 4096; }",
        "{ algorithm = \"parlogna\"; radix = 4; block = \"1-\"; }",
        "{ id = \"x\"; algorithm = \"parlogna\"; radix = 4; }",
        "{ algorithm = \"parlogna\"; radix = 4; }, { algorithm = \"native\"; }",
    };
    struct shunt_table *first = table_of(rules[0]);
    for (size_t i = 1; i < sizeof rules / sizeof rules[0]; i++) {
        struct shunt_table *other = table_of(rules[i]);
        assert_false(same_table(first, other));
        free(other);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_go_round),
        cmocka_unit_test(policies_and_names_go_round),
        cmocka_unit_test(other_tables_are_not_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
