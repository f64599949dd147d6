/* SPDX-License-Identifier: BSD-3-Clause */
/* test_map_model.c: decisions by block size where the model takes what rules leave. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "maps.h"
#include "route/parse.h"

static struct shunt_table *parsed(const char *text)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s\n", diagnostics.text[i]);
    assert_int_equal(diagnostics.count, 0);
    assert_non_null(table);
    return table;
}

/* A machine whose messages take a millisecond; native is always the direct exchange. */
#define SLOW                                                                                       \
    "schema = 1; machine = { name = \"slow\"; model = {"                                           \
    "  inside = { latency_us = 1; overhead_us = 1000; byte_ns = 1; };"                             \
    "  between = { latency_us = 10; overhead_us = 1000; byte_ns = 1; };"                           \
    "  copy = { block_ns = 10; byte_ns = 0.1; }; read = { block_ns = 500; byte_ns = 0.1; };"       \
    "  barrier = { start_us = 1; rank_us = 0.1; }; native = { short = 0; }; }; }; "

/* Rules come first; what they leave over is the model's, up to its largest size. */
static void the_model_takes_what_rules_leave(void **state)
{
    (void)state;
    struct shunt_table *table =
        parsed(SLOW "policy = { no_match = \"model\"; }; alltoall = ("
                    "{ id = \"a\"; block = \"16-64\"; algorithm = \"native\"; },"
                    "{ id = \"b\"; block = \"1M-\"; algorithm = \"pairwise\"; } );");
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 8, 1);
    build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, -1);
    for (int64_t block = 0; block < 1 << 21; block += 1 + block / 3) {
        const struct shunt_decision *decision = shunt_map_find(&map, block);
        const bool ruled = (block >= 16 && block <= 64) || block >= 1 << 20;
        assert_int_equal(decision->rule != NULL, ruled);
        assert_int_equal(decision->modelled, !ruled);
        assert_int_equal(decision->gain > 0,
                         !ruled && decision->algorithm->kind != SHUNT_KIND_NATIVE);
        assert_int_equal(decision->rule_index == UINT32_MAX, !ruled);
    }
    assert_true(shunt_map_find(&map, 8)->gain > 3);
    assert_true(shunt_map_find(&map, 65)->gain > 3);
    assert_true(shunt_map_find(&map, SHUNT_CHOOSE_LARGEST + 1)->gain == 0);
    shunt_map_clear(&map);
    build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, 0); /* no memory for it */
    for (size_t i = 0; i < map.count; i++)
        assert_false(map.decisions[i].modelled &&
                     shunt_kind_joins(map.decisions[i].algorithm->kind));
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

static void without_policy_or_description_nothing_changes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        SLOW, "schema = 1; policy = { no_match = \"model\"; };",
        SLOW "policy = { no_match = \"model\"; }; alltoall = ( { algorithm = \"native\"; } );",
        SLOW "policy = { no_match = \"model\"; margin = 1e9; };"};
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 8, 1);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct shunt_table *table = parsed(texts[i]);
        build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, -1);
        assert_int_equal(map.count, 1);
        assert_true(shunt_map_all_native(&map));
        assert_int_equal(map.decisions[0].modelled, i == 3);
        shunt_map_clear(&map);
        free(table);
    }
    shunt_layout_clear(&layout);
}

static void same_map(const struct shunt_map *a, const struct shunt_map *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->from[i], b->from[i]);
        assert_ptr_equal(a->decisions[i].algorithm, b->decisions[i].algorithm);
        assert_ptr_equal(a->decisions[i].rule, b->decisions[i].rule);
        assert_int_equal(a->decisions[i].modelled, b->decisions[i].modelled);
    }
}

/* A rank that cannot ask the model, and ranks that hear of it, have the same map: that of the
 * rules. */
static void without_the_model_rules_are_left(void **state)
{
    (void)state;
    static const char rules[] =
        "alltoall = ( { id = \"a\"; block = \"16-64\"; algorithm = \"native\"; },"
        "{ id = \"b\"; block = \"1M-\"; algorithm = \"pairwise\"; } );";
    char text[2048];
    snprintf(text, sizeof text, "%spolicy = { no_match = \"model\"; }; %s", SLOW, rules);
    struct shunt_table *table = parsed(text);
    const volatile double one = 1, little = 1e-30;
    struct shunt_layout layout;
    struct shunt_map map, unasked, copy;
    blocks(&layout, 8, 1);
    build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, -1);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const bool upward = one + little > one;
    build_for(&unasked, table, SHUNT_OP_ALLTOALL, &layout, -1);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_false(map.unmodelled);
    assert_int_equal(unasked.unmodelled, upward); /* valgrind does not follow the mode */
    assert_int_equal(shunt_map_copy(&copy, &unasked), 0);
    assert_int_equal(copy.unmodelled, upward);
    assert_true(shunt_map_modelled(&map) > 0);
    assert_true(shunt_map_modelled(&map) < UINT64_C(1) << SHUNT_MODELLED_BITS);
    assert_int_equal(shunt_map_modelled(&unasked) == 0, upward);
    shunt_map_forget_model(&map);
    shunt_map_forget_model(&unasked);
    shunt_map_forget_model(&copy);
    same_map(&map, &unasked);
    same_map(&map, &copy);
    assert_int_equal(map.count, 4);
    assert_int_equal(shunt_map_modelled(&map), 0);
    assert_false(map.unmodelled || unasked.unmodelled);
    shunt_map_clear(&copy);
    shunt_map_clear(&unasked);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

/* Ranks with other choices have other numbers for them. */
static void what_the_model_chose_has_a_number(void **state)
{
    (void)state;
    struct shunt_table *table = parsed(SLOW "policy = { no_match = \"model\"; };");
    struct shunt_layout layout;
    struct shunt_map map, other;
    blocks(&layout, 8, 1);
    build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, -1);
    build_for(&other, table, SHUNT_OP_ALLTOALL, &layout, -1);
    const uint64_t number = shunt_map_modelled(&map);
    assert_int_equal(number, shunt_map_modelled(&other));
    other.decisions[0].gain *= 1 + 1e-12;
    assert_int_not_equal(number, shunt_map_modelled(&other));
    other.decisions[0].gain = map.decisions[0].gain;
    assert_int_equal(number, shunt_map_modelled(&other));
    other.decisions[0].params.value[SHUNT_PARAM_LEADERS]++;
    assert_int_not_equal(number, shunt_map_modelled(&other));
    other.decisions[0].params = map.decisions[0].params;
    other.from[other.count - 1]++;
    assert_int_not_equal(number, shunt_map_modelled(&other));
    shunt_map_clear(&other);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

/* What an MPI_Alltoallv moves is not known, so the policy changes nothing for it. */
static void the_model_leaves_alltoallv_alone(void **state)
{
    (void)state;
    struct shunt_table *table = parsed(SLOW "policy = { no_match = \"model\"; margin = 1; };");
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 8, 1);
    build_for(&map, table, SHUNT_OP_ALLTOALL, &layout, -1);
    assert_false(shunt_map_all_native(&map));
    shunt_map_clear(&map);
    build(&map, table, &layout, -1);
    assert_int_equal(map.count, 1);
    assert_true(shunt_map_all_native(&map));
    assert_false(map.decisions[0].modelled);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_takes_what_rules_leave),
        cmocka_unit_test(the_model_leaves_alltoallv_alone),
        cmocka_unit_test(without_the_model_rules_are_left),
        cmocka_unit_test(what_the_model_chose_has_a_number),
        cmocka_unit_test(without_policy_or_description_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
