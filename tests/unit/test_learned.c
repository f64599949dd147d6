/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of learned rules: where it is, how it completes a table, what a run changes in it; and
 * what is proposed to be tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "algorithms/formula.h"
#include "route/learned.h"
#include "route/parse.h"
#include "route/proposals.h"
#include "route/write.h"

static struct shunt_table *parsed(const char *text, const char *name)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_parse_text(text, name, &diagnostics);
    if (diagnostics.count > 0)
        fail_msg("%s", diagnostics.text[0]);
    assert_non_null(table);
    return table;
}

static const char learned_text[] =
    "schema = 1; alltoall = (\n"
    "{ id = \"a\"; ranks = 16; nodes = 1; ppn = 16; block = \"257-512\"; calls = 2000;"
    " algorithm = \"shared-segment\"; },\n"
    "{ id = \"b\"; ranks = 16; nodes = 4; ppn = 4; block = \"33-64\"; calls = 70;"
    " algorithm = \"node-pair\"; leaders = \"Q\"; fragment = \"15K\"; } );\n";

static const char *id_of(const struct shunt_table *table, enum shunt_op op, uint32_t index)
{
    return shunt_table_string(table, table->rules[table->rule_first[op] + index].id);
}

static void gaps_are_filled_and_nothing_else(void **unused)
{
    (void)unused;
    struct shunt_table *base = parsed("schema = 1; machine = { name = \"m\"; };\n"
                                      "alltoall = ( { id = \"mine\"; ranks = 16;"
                                      " algorithm = \"native\"; },\n"
                                      "{ id = \"rest\"; algorithm = \"native\"; } );\n"
                                      "alltoallv = ( { id = \"v\"; algorithm = \"scattered\"; } );",
                                      "site.cfg"),
                       *learned = parsed(learned_text, "learned.cfg"),
                       *joined = shunt_learned_join(base, learned);
    assert_true(shunt_table_valid(joined, joined->bytes));
    assert_int_equal(joined->rule_count[SHUNT_OP_ALLTOALL], 4);
    assert_string_equal(id_of(joined, SHUNT_OP_ALLTOALL, 0), "mine");
    assert_string_equal(id_of(joined, SHUNT_OP_ALLTOALL, 1), "a");
    assert_string_equal(id_of(joined, SHUNT_OP_ALLTOALL, 2), "b");
    assert_string_equal(id_of(joined, SHUNT_OP_ALLTOALL, 3), "rest");
    assert_int_equal(joined->rule_count[SHUNT_OP_ALLTOALLV], 1);
    assert_string_equal(shunt_table_string(joined, joined->rules[1].file), "learned.cfg");
    assert_string_equal(shunt_table_string(joined, joined->rules[0].file), "site.cfg");
    assert_string_equal(shunt_table_string(joined, joined->machine), "m");
    assert_string_equal(shunt_table_string(joined, joined->source), "site.cfg, learned.cfg");
    free(joined);
    free(learned);
    free(base);
}

/* What no rule took, and what only a file's last one did; not what is meant to be native. */
static void gaps_are_what_nobody_thought_of(void **unused)
{
    (void)unused;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *base = parsed("schema = 1;\n"
                                      "alltoall = ( { ranks = 16; algorithm = \"native\"; },\n"
                                      "{ id = \"rest\"; algorithm = \"native\"; } );\n"
                                      "alltoallv = ( { algorithm = \"scattered\"; } );",
                                      "site.cfg"),
                       *force = shunt_table_from_force("alltoall=native", &diagnostics);
    assert_non_null(force);
    const struct shunt_rule *const rules[] = {NULL, &base->rules[0], &base->rules[1],
                                              &base->rules[2], &force->rules[0]};
    static const bool gaps[] = {true, false, true, false, false};
    for (size_t i = 0; i < sizeof gaps; i++) {
        const struct shunt_decision decision = {
            .algorithm =
                rules[i] ? shunt_registry_row(rules[i]->algorithm) : shunt_registry_find("native"),
            .rule = rules[i]};
        assert_int_equal(shunt_learned_is_gap(&decision), gaps[i]);
    }
    free(force);
    free(base);
}

static struct shunt_learned found(const struct shunt_table *like, uint32_t index, bool native)
{
    struct shunt_learned note = {
        .op = SHUNT_OP_ALLTOALL, .rule = like->rules[index], .native = native};
    static int count;
    note.rule.calls = 5;
    snprintf(note.id, sizeof note.id, "new %d", count++);
    return note;
}

static void a_run_replaces_takes_out_and_adds(void **unused)
{
    (void)unused;
    struct shunt_table *old = parsed(learned_text, "learned.cfg");
    struct shunt_learned list[] = {found(old, 0, false), found(old, 1, true), found(old, 1, false)};
    list[2].rule.block = (struct shunt_range){65, 128};
    struct shunt_table *table = shunt_learned_add(old, list, 3, "m");
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALL], 2);
    assert_string_equal(id_of(table, SHUNT_OP_ALLTOALL, 0), "new 0");
    assert_int_equal(table->rules[0].calls, 5);
    assert_int_equal(table->rules[1].block.high, 128);
    /* What is written reads back as it is. */
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    const char *hosts = "node*";
    shunt_table_write(table, &hosts, 1, stream);
    fclose(stream);
    struct shunt_table *again = parsed(text, "again.cfg");
    assert_int_equal(again->rule_count[SHUNT_OP_ALLTOALL], 2);
    assert_int_equal(again->rules[0].calls, 5);
    assert_true(shunt_learned_same(&again->rules[1], &table->rules[1]));
    assert_int_equal(again->rules[1].given[SHUNT_PARAM_LEADERS].formula, SHUNT_FORMULA_Q);
    free(text);
    free(again);
    free(table);
    struct shunt_table *first = shunt_learned_add(NULL, list, 3, "m"); /* there was no file */
    assert_int_equal(first->rule_count[SHUNT_OP_ALLTOALL], 2);
    free(first);
    free(old);
}

static void the_file_is_named_after_the_machine(void **unused)
{
    (void)unused;
    char path[256], hosts[SHUNT_LEARNED_HOSTS];
    char cache_is[] = "XDG_CACHE_HOME=/c", home_is[] = "HOME=/h", wrong[] = "XDG_CACHE_HOME=c";
    char *xdg[] = {cache_is, home_is, NULL}, *home[] = {home_is, NULL}, *relative[] = {wrong, NULL};
    struct shunt_table *table = parsed("schema = 1; machine = { name = \"my/own\"; };", "x.cfg");
    assert_true(shunt_learned_path(table, "node017.site", xdg, path, sizeof path, hosts));
    assert_string_equal(path, "/c/shunt/my-own.cfg");
    assert_string_equal(hosts, "node*");
    assert_true(shunt_learned_path(NULL, "node017.site", home, path, sizeof path, hosts));
    assert_string_equal(path, "/h/.cache/shunt/node.cfg");
    assert_false(shunt_learned_path(NULL, "node017", relative, path, sizeof path, hosts));
    assert_false(shunt_learned_path(NULL, "node017", xdg, path, 8, hosts));
    free(table);
}

static void a_file_that_others_may_write_is_not_trusted(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/shunt-learned.XXXXXX", path[64], linked[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.cfg", folder);
    snprintf(linked, sizeof linked, "%s/l.cfg", folder);
    assert_true(shunt_learned_trusted(path)); /* not there */
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(symlink(path, linked), 0);
    assert_int_equal(chmod(path, 0664), 0);
    assert_true(shunt_learned_trusted(path));
    assert_int_equal(chmod(path, 0666), 0);
    assert_false(shunt_learned_trusted(path));
    assert_false(shunt_learned_trusted(linked));
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_false(shunt_learned_trusted(path));
    assert_int_equal(chmod(folder, 0700), 0);
    assert_true(shunt_learned_trusted(path));
    if (geteuid() == 0) { /* nobody else can give files away */
        assert_int_equal(chown(path, 12345, 0), 0);
        assert_false(shunt_learned_trusted(path));
        assert_int_equal(chown(path, 0, 0), 0);
        assert_int_equal(chown(folder, 12345, 0), 0);
        assert_false(shunt_learned_trusted(path));
    }
    unlink(linked);
    unlink(path);
    rmdir(folder);
}

/* On every layout something is proposed; it can be carried out, and nothing twice. */
static void proposals_can_be_carried_out(void **unused)
{
    (void)unused;
    static const int shapes[][2] = {{2, 1}, {16, 1}, {16, 4}, {64, 8}, {8, 8}, {7, 3}, {32, 32}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, shapes[s][0], shapes[s][1]), 0);
        for (int64_t block = 1; block <= 1 << 20; block *= 2)
            for (int op = 0; op < SHUNT_OP_COUNT; op++) {
                struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
                struct shunt_params params[SHUNT_PROPOSALS_MOST];
                const struct shunt_range range = {block / 2 + 1, block};
                const int count = shunt_proposals(rules, params, (enum shunt_op)op, &layout, range,
                                                  INT64_C(1) << 28);
                assert_true(count > 0);
                for (int i = 0; i < count; i++) {
                    const struct shunt_algorithm *row = shunt_registry_row(rules[i].algorithm);
                    assert_true((row->ops & 1U << op) != 0);
                    assert_true(!row->infeasible || !row->infeasible(&layout, &params[i]));
                    assert_true(!row->memory ||
                                row->memory(&layout, &params[i], block) <= INT64_C(1) << 28);
                    for (int j = 0; j < i; j++)
                        assert_true(rules[i].algorithm != rules[j].algorithm ||
                                    memcmp(&params[i], &params[j], sizeof params[i]) != 0);
                }
            }
        shunt_layout_clear(&layout);
    }
}

static void memory_that_is_short_leaves_proposals_out(void **unused)
{
    (void)unused;
    struct shunt_layout layout;
    struct shunt_rule rules[SHUNT_PROPOSALS_MOST];
    struct shunt_params params[SHUNT_PROPOSALS_MOST];
    const struct shunt_range range = {257, 512};
    assert_int_equal(shunt_layout_blocks(&layout, 16, 1), 0);
    const int all =
        shunt_proposals(rules, params, SHUNT_OP_ALLTOALL, &layout, range, INT64_C(1) << 28);
    assert_true(all > shunt_proposals(rules, params, SHUNT_OP_ALLTOALL, &layout, range, 0));
    shunt_layout_clear(&layout);
}

static const char expected_text[] =
    "schema = 1; alltoallv = (\n"
    "{ id = \"x\"; ranks = 16; nodes = 1; ppn = 16; block = \"1-4096\"; calls = 15;"
    " native_us = 4000; expected = true; algorithm = \"shared-segment\"; },\n"
    "{ id = \"n\"; ranks = 8; calls = 15; native_us = 4000; expected = true;"
    " algorithm = \"native\"; },\n"
    "{ id = \"l\"; ranks = 16; nodes = 1; ppn = 16; block = \"5-8\"; calls = 100;"
    " native_us = 1000; algorithm = \"shared-segment\"; } );\n";

/* Earlier versions left it in files; maps know nothing of it. */
static void what_is_expected_routes_nothing(void **unused)
{
    (void)unused;
    struct shunt_table *table = parsed(expected_text, "e.cfg");
    struct shunt_layout layout;
    struct shunt_map map;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 1), 0);
    assert_int_equal(shunt_map_build(&map, table, SHUNT_OP_ALLTOALLV, &layout, -1), 0);
    assert_int_equal(shunt_map_find(&map, 512)->algorithm->kind, SHUNT_KIND_NATIVE);
    assert_string_equal(shunt_map_find(&map, 8)->algorithm->name, "shared-segment");
    assert_true(shunt_learned_expects(table));
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    table->rules[table->rule_first[SHUNT_OP_ALLTOALLV]].expected = 0;
    table->rules[table->rule_first[SHUNT_OP_ALLTOALLV] + 1].expected = 0;
    assert_false(shunt_learned_expects(table));
    free(table);
}

/* A rule for one class of sizes comes before those for many, whatever was learned last; and what
 * was only expected is dropped. */
static void wide_rules_come_last(void **unused)
{
    (void)unused;
    struct shunt_table *old = parsed(expected_text, "e.cfg");
    struct shunt_learned wide = {.op = SHUNT_OP_ALLTOALLV,
                                 .rule = old->rules[old->rule_first[SHUNT_OP_ALLTOALLV]],
                                 .id = "y"};
    struct shunt_learned narrow = wide;
    narrow.rule.block = (struct shunt_range){257, 512};
    narrow.rule.expected = 0;
    snprintf(narrow.id, sizeof narrow.id, "z");
    wide.rule.expected = 0;
    const struct shunt_learned list[] = {wide, narrow};
    struct shunt_table *table = shunt_learned_add(old, list, 2, "m");
    assert_non_null(table);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 3);
    static const char *const ids[] = {"l", "z", "y"};
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(id_of(table, SHUNT_OP_ALLTOALLV, i), ids[i]);
    assert_int_equal(table->rules[table->rule_first[SHUNT_OP_ALLTOALLV] + 2].native_us, 4000);
    free(table);
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_filled_and_nothing_else),
        cmocka_unit_test(gaps_are_what_nobody_thought_of),
        cmocka_unit_test(a_run_replaces_takes_out_and_adds),
        cmocka_unit_test(the_file_is_named_after_the_machine),
        cmocka_unit_test(a_file_that_others_may_write_is_not_trusted),
        cmocka_unit_test(proposals_can_be_carried_out),
        cmocka_unit_test(memory_that_is_short_leaves_proposals_out),
        cmocka_unit_test(what_is_expected_routes_nothing),
        cmocka_unit_test(wide_rules_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
