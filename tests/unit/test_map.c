/* SPDX-License-Identifier: BSD-3-Clause */
/* test_map.c: decisions by block size, against the plain definition "the first rule that matches".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maps.h"
#include "rules.h"

static void without_table_all_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 8, 2);
    build(&map, NULL, &layout, -1);
    assert_int_equal(map.count, 1);
    assert_true(shunt_map_all_native(&map));
    const struct shunt_decision *decision = shunt_map_find(&map, INT64_MAX);
    assert_string_equal(decision->algorithm->name, "native");
    assert_null(decision->rule);
    assert_null(decision->table);
    assert_int_equal(decision->rule_index, UINT32_MAX);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
}

static void sizes_cut_at_the_right_byte(void **state)
{
    (void)state;
    struct shunt_table *table = table_of(
        "{ id = \"a\"; block = \"0-512\"; algorithm = \"parlogna\"; radix = \"sqrt(P)\"; },"
        "{ id = \"b\"; block = \"256-1K\"; algorithm = \"scattered\"; },"
        "{ id = \"c\"; block = \"4K-\"; algorithm = \"pairwise\"; }");
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 64, 4);
    build(&map, table, &layout, -1);
    static const int64_t from[] = {0, 513, 1025, 4096};
    assert_int_equal(map.count, 4);
    assert_memory_equal(map.from, from, sizeof from);
    assert_int_equal(shunt_map_find(&map, 0)->rule_index, 0);
    assert_int_equal(shunt_map_find(&map, 512)->rule_index, 0);
    assert_int_equal(shunt_map_find(&map, 0)->params.value[SHUNT_PARAM_RADIX], 8);
    assert_int_equal(shunt_map_find(&map, 513)->rule_index, 1);
    assert_int_equal(shunt_map_find(&map, 1024)->rule_index, 1);
    assert_int_equal(shunt_map_find(&map, 1025)->rule_index, UINT32_MAX);
    assert_int_equal(shunt_map_find(&map, 4095)->rule_index, UINT32_MAX);
    assert_int_equal(shunt_map_find(&map, 4096)->rule_index, 2);
    assert_int_equal(shunt_map_find(&map, INT64_MAX)->rule_index, 2);
    assert_false(shunt_map_all_native(&map));
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

static void a_rule_for_all_sizes_needs_no_size(void **state)
{
    (void)state;
    struct shunt_table *table = table_of("{ ranks = \"100-\"; algorithm = \"parlogna\"; block = "
                                         "\"0-8\"; }, { algorithm = \"scattered\"; },"
                                         "{ block = \"0-8\"; algorithm = \"pairwise\"; }");
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 64, 4);
    build(&map, table, &layout, -1);
    assert_int_equal(map.count, 1);
    assert_int_equal(map.decisions[0].rule_index, 1);
    assert_int_equal(map.decisions[0].params.value[SHUNT_PARAM_BATCH_SIZE], 32);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

/* The largest block that fits takes the rule, one byte more does not; the smallest of the three
 * caps counts. */
static void memory_caps_end_a_rule(void **state)
{
    (void)state;
    struct shunt_table *table = table_of("{ id = \"capped\"; memory = \"1M\"; algorithm = "
                                         "\"parlogna\"; }, { algorithm = \"scattered\"; }");
    struct shunt_layout layout;
    static const int64_t caps[][2] = {{-1, 1 << 20}, {1 << 30, 1 << 20}, {1 << 16, 1 << 16}};
    blocks(&layout, 64, 4);
    for (size_t i = 0; i < 3; i++) {
        struct shunt_map map;
        build(&map, table, &layout, caps[i][0]);
        assert_int_equal(map.count, 2);
        const struct shunt_decision *decision = &map.decisions[0];
        assert_string_equal(decision->algorithm->name, "parlogna");
        int64_t largest = map.from[1] - 1;
        assert_true(decision->algorithm->memory(&layout, &decision->params, largest) <= caps[i][1]);
        assert_true(decision->algorithm->memory(&layout, &decision->params, largest + 1) >
                    caps[i][1]);
        assert_string_equal(map.decisions[1].algorithm->name, "scattered");
        shunt_map_clear(&map);
    }
    struct shunt_map map;
    build(&map, table, &layout, 0);
    assert_int_equal(map.count, 1);
    assert_string_equal(map.decisions[0].algorithm->name, "scattered");
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
}

static void reason_is(const struct shunt_table *table, uint32_t index,
                      const struct shunt_layout *layout, int64_t cap, int64_t block, int density,
                      const char *expected)
{
    char reason[128] = "noise";
    bool takes =
        shunt_rule_matches(table, &table->rules[table->rule_first[SHUNT_OP_ALLTOALLV] + index],
                           SHUNT_OP_ALLTOALLV, layout, cap, block, density, reason, sizeof reason);
    assert_int_equal(takes, expected[0] == '\0');
    assert_string_equal(reason, expected);
}

static void reasons_name_the_obstacle(void **state)
{
    (void)state;
    struct shunt_table *table =
        table_of("{ ranks = \"64-4095\"; algorithm = \"native\"; }, { nodes = 1; algorithm = "
                 "\"native\"; }, { ppn = \"8-\"; algorithm = \"native\"; "
                 "},"
                 "{ block = \"513-8K\"; algorithm = \"native\"; }, { memory = \"1K\"; algorithm = "
                 "\"parlogna\"; }, { algorithm = \"native\"; }, { density = \"5-50\"; algorithm = "
                 "\"native\"; }, { oversubscribed = true; algorithm = \"native\"; }, "
                 "{ oversubscribed = false; algorithm = \"native\"; }");
    struct shunt_layout even, uneven;
    static const int keys[] = {0, 0, 0, 1, 1, 1, 1, 1};
    blocks(&even, 8, 2);
    assert_int_equal(shunt_layout_from_keys(&uneven, 8, keys), 0);
    reason_is(table, 0, &even, -1, 0, 100, "ranks 8 not in 64-4095");
    reason_is(table, 1, &even, -1, 0, 100, "nodes 2 not in 1");
    reason_is(table, 2, &even, -1, 0, 100, "ppn 4 not in 8-");
    reason_is(table, 2, &uneven, -1, 0, 100, "ppn 3-5 not within 8-");
    reason_is(table, 3, &even, -1, 9216, 100, "block 9216 not in 513-8K");
    reason_is(table, 3, &even, -1, 8192, 100, "");
    reason_is(table, 4, &even, -1, INT64_MAX, 100,
              "needs more memory than can be addressed, cap is 1 KiB");
    reason_is(table, 5, &even, 0, INT64_MAX, 100, "");
    reason_is(table, 6, &even, -1, 1, 5, "");
    reason_is(table, 6, &even, -1, 1, 50, "");
    reason_is(table, 6, &even, -1, 1, 51, "density 51 not in 5-50");
    reason_is(table, 7, &even, -1, 1, 100, "not oversubscribed");
    reason_is(table, 8, &even, -1, 1, 100, "");
    even.oversubscribed = true;
    reason_is(table, 7, &even, -1, 1, 100, "");
    reason_is(table, 8, &even, -1, 1, 100, "oversubscribed");
    char reason[128];
    assert_false(shunt_rule_matches(table, &table->rules[4], SHUNT_OP_ALLTOALLV, &even, 512, 4096,
                                    100, reason, sizeof reason));
    assert_int_equal(strncmp(reason, "needs ", 6), 0);
    assert_non_null(strstr(reason, ", cap is 512 B"));
    shunt_layout_clear(&even);
    shunt_layout_clear(&uneven);
    free(table);
}

static void the_map_agrees_with_first_match(void **state)
{
    (void)state;
    uint32_t seed = 1;
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    for (int round = 0; round < 40; round++) {
        char *text = random_rules(&seed, 1 + round % 12), reason[128];
        layout.oversubscribed = round % 2 != 0;
        struct shunt_table *table = table_of(text);
        struct shunt_map map;
        build(&map, table, &layout, 300000);
        for (size_t i = 1; i < map.count; i++) {
            assert_true(map.from[i] > map.from[i - 1]);
            assert_true(map.decisions[i].rule_index != map.decisions[i - 1].rule_index);
        }
        for (int64_t block = 0; block < 4200; block += 1 + block % 3) {
            const int density = (int)(block * 7 % 101);
            uint32_t expected = 0, count = table->rule_count[SHUNT_OP_ALLTOALLV];
            while (expected < count &&
                   !shunt_rule_matches(table, &table->rules[expected], SHUNT_OP_ALLTOALLV, &layout,
                                       300000, block, density, reason, sizeof reason))
                expected++;
            assert_int_equal(shunt_map_find(shunt_map_part(&map, density), block)->rule_index,
                             expected < count ? expected : UINT32_MAX);
        }
        shunt_map_clear(&map);
        free(table);
        free(text);
    }
    shunt_layout_clear(&layout);
}

/* Parts for ranges of the density, down to 0; those that decide alike are one. */
static void densities_have_parts_of_the_map(void **state)
{
    (void)state;
    struct shunt_table *table =
        table_of("{ density = \"0-10\"; algorithm = \"native\"; },"
                 "{ density = \"11-60\"; block = \"1-64\"; algorithm = "
                 "\"parlogna\"; },"
                 "{ density = \"30-60\"; ranks = 7; algorithm = \"pairwise\"; },"
                 "{ algorithm = \"scattered\"; }");
    struct shunt_layout layout;
    struct shunt_map map, copy;
    blocks(&layout, 8, 2);
    build(&map, table, &layout, -1);
    assert_int_equal(shunt_map_copy(&copy, &map), 0);
    for (const struct shunt_map *one = &map; one; one = one == &map ? &copy : NULL) {
        assert_int_equal(one->density, 61);
        assert_int_equal(one->sparser->density, 11);
        assert_int_equal(one->sparser->sparser->density, 0);
        assert_null(one->sparser->sparser->sparser);
        assert_int_equal(shunt_map_find(one, 8)->rule_index, 3);
        assert_int_equal(shunt_map_find(shunt_map_part(one, 61), 8)->rule_index, 3);
        assert_int_equal(shunt_map_find(shunt_map_part(one, 60), 64)->rule_index, 1);
        assert_int_equal(shunt_map_find(shunt_map_part(one, 11), 65)->rule_index, 3);
        assert_int_equal(shunt_map_find(shunt_map_part(one, 10), 8)->rule_index, 0);
        assert_int_equal(shunt_map_find(shunt_map_part(one, 0), 0)->rule_index, 0);
        assert_false(shunt_map_all_native(one));
    }
    shunt_map_clear(&copy);
    shunt_map_clear(&map);
    free(table);
    shunt_layout_clear(&layout);
}

/* Rounded up, so that a share is at most D percent where the density is at most D. */
static void the_density_is_exact(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 40; ranks++) {
        const uint64_t all = (uint64_t)ranks * (uint64_t)ranks;
        for (uint64_t filled = 0; filled <= all; filled++)
            for (int percent = 0; percent <= 100; percent++)
                assert_int_equal(shunt_density(filled, ranks) <= percent,
                                 100 * filled <= (uint64_t)percent * all);
    }
    assert_int_equal(shunt_density(UINT64_C(1) << 54, 1 << 27), 100);
    assert_int_equal(shunt_density((UINT64_C(1) << 53) + 1, 1 << 27), 51);
    assert_int_equal(shunt_density(1, 1 << 27), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_table_all_is_native),
        cmocka_unit_test(sizes_cut_at_the_right_byte),
        cmocka_unit_test(a_rule_for_all_sizes_needs_no_size),
        cmocka_unit_test(memory_caps_end_a_rule),
        cmocka_unit_test(reasons_name_the_obstacle),
        cmocka_unit_test(the_map_agrees_with_first_match),
        cmocka_unit_test(densities_have_parts_of_the_map),
        cmocka_unit_test(the_density_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
