/* SPDX-License-Identifier: BSD-3-Clause */
/* test_map.c: decisions by block size, against the plain definition "the first rule that matches".
 */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "route/coverage.h"
#include "route/findings.h"
#include "route/parse.h"
#include "route/route.h"
#include "rules.h"

static void blocks(struct shunt_layout *layout, int ranks, int nodes)
{
    assert_int_equal(shunt_layout_blocks(layout, ranks, nodes), 0);
}

static void build_for(struct shunt_map *map, const struct shunt_table *table, enum shunt_op op,
                      const struct shunt_layout *layout, int64_t cap)
{
    assert_int_equal(shunt_map_build(map, table, op, layout, cap), 0);
    assert_true(map->count >= 1);
    assert_int_equal(map->from[0], 0);
}

static void build(struct shunt_map *map, const struct shunt_table *table,
                  const struct shunt_layout *layout, int64_t cap)
{
    build_for(map, table, SHUNT_OP_ALLTOALLV, layout, cap);
}

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
                 "\"native\"; }");
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
    char reason[128];
    assert_false(shunt_rule_matches(table, &table->rules[4], SHUNT_OP_ALLTOALLV, &even, 512, 4096,
                                    100, reason, sizeof reason));
    assert_int_equal(strncmp(reason, "needs ", 6), 0);
    assert_non_null(strstr(reason, ", cap is 512 B"));
    shunt_layout_clear(&even);
    shunt_layout_clear(&uneven);
    free(table);
}

static char *random_rules(uint32_t *seed, int count)
{
    static const char *const algorithms[] = {"native", "parlogna", "scattered", "pairwise",
                                             "parlinna-coalesced"};
    char *text = malloc((size_t)count * 160 + 1), *at = text;
    assert_non_null(text);
    *at = '\0';
    for (int i = 0; i < count; i++) {
        uint32_t low = next_random(seed) % 2000, high = low + next_random(seed) % 2000;
        at += sprintf(at, "%s{ block = \"%u-%u\"; ", i > 0 ? "," : "", low, high);
        if (next_random(seed) % 4 == 0)
            at += sprintf(at, "ranks = \"%u-\"; ", next_random(seed) % 128);
        if (next_random(seed) % 8 == 0)
            at += sprintf(at, "density = \"%u-%u\"; ", next_random(seed) % 50,
                          50 + next_random(seed) % 51);
        if (next_random(seed) % 4 == 0)
            at += sprintf(at, "memory = %u; ", next_random(seed) % 400000);
        at += sprintf(at, "algorithm = \"%s\"; }", algorithms[next_random(seed) % 5]);
    }
    return text;
}

static void the_map_agrees_with_first_match(void **state)
{
    (void)state;
    uint32_t seed = 1;
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    for (int round = 0; round < 40; round++) {
        char *text = random_rules(&seed, 1 + round % 12), reason[128];
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

static void a_thousand_rules_are_quick(void **state)
{
    (void)state;
    uint32_t seed = 7;
    char *text = random_rules(&seed, 1000);
    struct shunt_table *table = table_of(text);
    struct shunt_layout layout;
    struct shunt_map map;
    blocks(&layout, 1024, 16);
    clock_t begin = clock();
    build(&map, table, &layout, -1);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("1,000 rules: %.2f ms, %zu entries\n", seconds * 1e3, map.count);
    /* A few milliseconds are expected; the bound leaves room for sanitizers and busy machines. */
    assert_true(seconds < 0.5);
    shunt_map_clear(&map);
    shunt_layout_clear(&layout);
    free(table);
    free(text);
}

/* Processor seconds of what is done with a table, the least of three times. */
struct times {
    double read, check, build;
};

static double since(clock_t *begin)
{
    const clock_t now = clock();
    const double seconds = (double)(now - *begin) / CLOCKS_PER_SEC;
    *begin = now;
    return seconds;
}

static void keep_least(double *least, double seconds)
{
    *least = *least > 0 && *least < seconds ? *least : seconds;
}

/* Rules with names, each for a few sizes of its own, so that every one of them stays in the map. */
static char *many_rules(int count)
{
    char *text = malloc((size_t)count * 100 + 64), *at = text;
    assert_non_null(text);
    at += sprintf(at, "schema = 1; alltoallv = (");
    for (int i = 0; i < count; i++)
        at += sprintf(at, "%s{ id = \"rule %d\"; block = \"%d-%d\"; algorithm = \"scattered\"; }",
                      i > 0 ? ",\n" : "", i, i * 4, i * 4 + 2);
    strcpy(at, ");");
    return text;
}

/* What no rule takes, and which rules overlap: none do. */
static void cover(const struct shunt_table *table)
{
    const struct shunt_rule any = {.ranks = {2, INT64_MAX},
                                   .nodes = {0, INT64_MAX},
                                   .ppn = {0, INT64_MAX},
                                   .block = {0, INT64_MAX},
                                   .density = {0, INT64_MAX}};
    const struct shunt_box space = shunt_box_of(&any);
    struct shunt_coverage coverage;
    assert_true(shunt_coverage_find(&coverage, table, SHUNT_OP_ALLTOALLV, &space, 8, true));
    assert_int_equal(coverage.gap_count, 8);
    assert_true(coverage.overlaps_complete);
    assert_int_equal(coverage.overlap_count, 0);
    shunt_coverage_clear(&coverage);
}

static struct times times_of(int rules)
{
    char *text = many_rules(rules);
    struct shunt_layout layout;
    struct times least = {0};
    blocks(&layout, 1024, 16);
    for (int i = 0; i < 3; i++) {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_map map;
        clock_t begin = clock();
        struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
        keep_least(&least.read, since(&begin));
        assert_non_null(table);
        shunt_table_findings(table, &diagnostics);
        cover(table);
        keep_least(&least.check, since(&begin));
        build(&map, table, &layout, -1);
        keep_least(&least.build, since(&begin));
        assert_int_equal(map.count, 2 * rules);
        assert_int_equal(diagnostics.count, 0);
        shunt_map_clear(&map);
        free(table);
    }
    shunt_layout_clear(&layout);
    free(text);
    print_message("%d rules: read in %.1f ms, checked in %.1f ms, map made in %.1f ms\n", rules,
                  least.read * 1e3, least.check * 1e3, least.build * 1e3);
    return least;
}

/*
 * Ten times the rules take ten times as long, and a bit; in proportion to the square it would be a
 * hundred times. (Looking for rules that are never reached compares each with all before it, which
 * costs little next to reading; so the sum of both is looked at.) Other work on the machine can
 * lengthen any one measurement, while what grows with the square is too long each time: one good
 * measurement of five is enough. Times of instrumented code, whose allocator copies a list each
 * time it grows, say nothing about this.
 */
static void time_grows_with_the_number_of_rules(void **state)
{
    (void)state;
    if (getenv("SHUNT_TEST_THIN")) {
        print_message("skipped: times of instrumented code are not those of the library\n");
        skip();
    }
    const int rules = 20000;
    int good = 0;
    for (int i = 0; i < 5 && !good; i++) {
        const struct times few = times_of(rules / 10), many = times_of(rules);
        good = many.read + many.check < 35 * (few.read + few.check) &&
               many.build < 35 * few.build + 1e-3;
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_table_all_is_native),
        cmocka_unit_test(sizes_cut_at_the_right_byte),
        cmocka_unit_test(a_rule_for_all_sizes_needs_no_size),
        cmocka_unit_test(the_model_takes_what_rules_leave),
        cmocka_unit_test(the_model_leaves_alltoallv_alone),
        cmocka_unit_test(without_the_model_rules_are_left),
        cmocka_unit_test(what_the_model_chose_has_a_number),
        cmocka_unit_test(without_policy_or_description_nothing_changes),
        cmocka_unit_test(memory_caps_end_a_rule),
        cmocka_unit_test(reasons_name_the_obstacle),
        cmocka_unit_test(the_map_agrees_with_first_match),
        cmocka_unit_test(densities_have_parts_of_the_map),
        cmocka_unit_test(the_density_is_exact),
        cmocka_unit_test(a_thousand_rules_are_quick),
        cmocka_unit_test(time_grows_with_the_number_of_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
