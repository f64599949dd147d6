/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings that are worth asking about: which there are, each once, each of use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "model/candidates.h"

static struct shunt_layout layout;
static struct shunt_candidates candidates;

static void make(enum shunt_op op, int64_t block, int64_t memory)
{
    shunt_candidates_clear(&candidates);
    assert_int_equal(shunt_candidates_make(&candidates, op, &layout, block, memory), 0);
}

/* Candidates of the algorithm. */
static int of(const char *name)
{
    int count = 0;
    for (size_t i = 0; i < candidates.count; i++)
        count += strcmp(candidates.candidate[i].algorithm->name, name) == 0;
    return count;
}

/* Whether one has this value of a parameter. */
static int has(const char *name, int param, int64_t value)
{
    for (size_t i = 0; i < candidates.count; i++)
        if (strcmp(candidates.candidate[i].algorithm->name, name) == 0 &&
            candidates.candidate[i].params.value[param] == value)
            return 1;
    return 0;
}

static void blocks(int ranks, int nodes)
{
    shunt_layout_clear(&layout);
    assert_int_equal(shunt_layout_blocks(&layout, ranks, nodes), 0);
}

static void unequal(void)
{
    static const int keys[] = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3};
    shunt_layout_clear(&layout);
    assert_int_equal(shunt_layout_from_keys(&layout, (int)(sizeof keys / sizeof keys[0]), keys), 0);
}

/*
 * Four ranks, each on a node of its own. Radices up to 4: 2, 3, 4. Batches up to 3: 3 and 1; of
 * parlogna one with radix 2, and with radices 3 and 4 both, each with both words of metadata.
 */
static void four_nodes_have_these(void **state)
{
    (void)state;
    blocks(4, 4);
    make(SHUNT_OP_ALLTOALL, 8, -1);
    assert_int_equal(of("native"), 1);
    assert_int_equal(of("spread-out"), 1);
    assert_int_equal(of("scattered"), 2);
    assert_int_equal(of("bruck"), 3);
    assert_int_equal(of("two-phase-bruck"), 1);
    assert_int_equal(of("padded-bruck"), 3);
    assert_int_equal(of("padded-alltoall"), 0);
    assert_int_equal(of("parlogna"), (1 + 2 + 2) * 2);
    assert_int_equal(of("parlinna-coalesced"), 2 * 2);
    /* All three messages at once, or one after the other; these also in as many parts. */
    assert_int_equal(of("parlinna-shared"), 2 + 1);
    assert_true(has("parlinna-shared", SHUNT_PARAM_PARTS, 3));
    assert_int_equal(of("shared-segment"), 0);
    assert_int_equal(of("node-pair"), 1);
    assert_int_equal(of("node-bruck"), 3);
    make(SHUNT_OP_ALLTOALLV, 8, -1);
    assert_int_equal(of("bruck"), 0);
    assert_int_equal(of("parlogna"), 10);
}

/* Eight nodes of eight: 64 ranks tell sqrt(P), sqrt(Q), Q and QxN apart. */
static void eight_by_eight_have_these(void **state)
{
    (void)state;
    blocks(64, 8);
    make(SHUNT_OP_ALLTOALL, 8, -1);
    assert_int_equal(of("scattered"), 3 + 1); /* 32, 1, 8, 63 */
    /* 2, 3, 4, 8, 64, and 8x8, which is written with two digits */
    assert_int_equal(of("bruck"), 6);
    assert_true(has("bruck", SHUNT_PARAM_RADIX, 64));
    assert_true(has("bruck", shunt_radix_index(1), 8));
    assert_int_equal(of("node-pair"), 3); /* leaders 1, 2, 8 */
    assert_int_equal(of("exclusive-or"), 1);
    /* 64 blocks of 1,000 bytes in a bundle, and headers: 64 KiB have room for all of it. */
    make(SHUNT_OP_ALLTOALL, 1000, -1);
    assert_int_equal(of("node-pair"), 3 * 2);
    assert_true(has("node-pair", SHUNT_PARAM_FRAGMENT, 16 << 10));
    assert_false(has("node-pair", SHUNT_PARAM_FRAGMENT, 64 << 10));
    unequal();
    make(SHUNT_OP_ALLTOALL, 8, -1);
    assert_int_equal(of("exclusive-or"), 0);
    assert_true(has("parlogna", SHUNT_PARAM_RADIX, 5)); /* sqrt(17) */
}

static void one_rank_and_one_node_have_the_presets(void **state)
{
    (void)state;
    blocks(1, 1);
    make(SHUNT_OP_ALLTOALLV, 1, -1);
    assert_int_equal(of("parlogna"), 2);
    assert_int_equal(of("scattered"), 1);
    assert_int_equal(of("shared-segment"), 1);
    blocks(16, 1);
    make(SHUNT_OP_ALLTOALLV, 1, -1);
    assert_int_equal(of("shared-segment"), 1);
    assert_int_equal(of("node-bruck"), 1);
    assert_int_equal(of("node-pair"), 3);
}

/* Of each row the presets come first; what is given is what the parameters are. */
static void each_is_feasible_and_said_once(enum shunt_op op)
{
    const struct shunt_algorithm *last = NULL;
    assert_int_equal(candidates.candidate[0].algorithm->kind, SHUNT_KIND_NATIVE);
    for (size_t i = 0; i < candidates.count; i++) {
        const struct shunt_candidate *c = &candidates.candidate[i];
        const struct shunt_algorithm *row = c->algorithm;
        const struct shunt_params params =
            shunt_params_evaluate(row, c->present, c->given, &layout);
        assert_memory_equal(&params, &c->params, sizeof params);
        assert_true((row->ops & SHUNT_OP_BIT(op)) != 0);
        assert_true(!row->infeasible || !row->infeasible(&layout, &c->params));
        assert_true(row == last || c->present == 0);
        assert_true(!last || shunt_registry_index(last) <= shunt_registry_index(row));
        for (size_t j = 0; j < i; j++)
            assert_false(candidates.candidate[j].algorithm == row &&
                         memcmp(&candidates.candidate[j].params, &c->params, sizeof params) == 0);
        last = row;
    }
}

static void each_is_feasible_on_many_layouts(void **state)
{
    static const int shapes[][2] = {{1, 1},  {2, 1},  {2, 2},   {7, 7},    {16, 1},
                                    {24, 4}, {64, 8}, {81, 27}, {256, 16}, {1000, 1}};
    (void)state;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            blocks(shapes[i][0], shapes[i][1]);
            make((enum shunt_op)op, 64, -1);
            each_is_feasible_and_said_once((enum shunt_op)op);
        }
        unequal();
        make((enum shunt_op)op, 4096, -1);
        each_is_feasible_and_said_once((enum shunt_op)op);
    }
}

static void twice_the_same(void **state)
{
    struct shunt_candidates again;
    (void)state;
    blocks(96, 6);
    make(SHUNT_OP_ALLTOALLV, 100, 1 << 20);
    assert_int_equal(shunt_candidates_make(&again, SHUNT_OP_ALLTOALLV, &layout, 100, 1 << 20), 0);
    assert_int_equal(again.count, candidates.count);
    for (size_t i = 0; i < again.count; i++) {
        assert_ptr_equal(again.candidate[i].algorithm, candidates.candidate[i].algorithm);
        assert_int_equal(again.candidate[i].present, candidates.candidate[i].present);
        assert_memory_equal(&again.candidate[i].params, &candidates.candidate[i].params,
                            sizeof again.candidate[i].params);
    }
    shunt_candidates_clear(&again);
}

static void memory_is_capped(void **state)
{
    (void)state;
    blocks(64, 8);
    make(SHUNT_OP_ALLTOALL, 1 << 16, -1);
    const size_t all = candidates.count;
    make(SHUNT_OP_ALLTOALL, 1 << 16, 1 << 20);
    const size_t some = candidates.count;
    for (size_t i = 0; i < some; i++) {
        const struct shunt_candidate *c = &candidates.candidate[i];
        assert_true(!c->algorithm->memory ||
                    c->algorithm->memory(&layout, &c->params, 1 << 16) <= 1 << 20);
    }
    make(SHUNT_OP_ALLTOALL, 1 << 16, 0);
    assert_true(some > candidates.count && some < all);
    assert_int_equal(of("native"), 1);
    assert_int_equal(of("pairwise"), 1);
    assert_int_equal(of("bruck"), 0);
    /* What no number can say is too large for any cap. */
    make(SHUNT_OP_ALLTOALL, INT64_MAX / 2, -1);
    assert_false(has("bruck", SHUNT_PARAM_RADIX, 2));
    assert_int_equal(of("spread-out"), 1);
}

static bool same_schedule(const struct shunt_algorithm *row, struct shunt_params a,
                          struct shunt_params b, int rank)
{
    struct shunt_schedule left, right;
    assert_int_equal(row->build(&left, &layout, rank, &a), 0);
    assert_int_equal(row->build(&right, &layout, rank, &b), 0);
    bool same = left.round_count == right.round_count && left.step_count == right.step_count;
    for (uint32_t i = 0; same && i <= left.round_count; i++)
        same = left.round_first[i] == right.round_first[i];
    shunt_schedule_clear(&left);
    shunt_schedule_clear(&right);
    return same;
}

/* Larger batches than a digit has messages are left out because they change nothing. */
static void batches_of_a_digit_end_with_it(void **state)
{
    const struct shunt_algorithm *row = shunt_registry_find("parlogna");
    struct shunt_value given[SHUNT_VALUE_COUNT] = {{0}};
    (void)state;
    blocks(64, 8);
    given[SHUNT_PARAM_RADIX].number = 8;
    struct shunt_params all = shunt_params_evaluate(row, 1U << SHUNT_PARAM_RADIX, given, &layout),
                        seven = all, six = all;
    assert_int_equal(all.value[SHUNT_PARAM_BATCH_SIZE], 63);
    seven.value[SHUNT_PARAM_BATCH_SIZE] = 7;
    six.value[SHUNT_PARAM_BATCH_SIZE] = 6;
    for (int rank = 0; rank < 64; rank++) {
        assert_true(same_schedule(row, all, seven, rank));
        assert_false(same_schedule(row, all, six, rank));
    }
    make(SHUNT_OP_ALLTOALLV, 8, -1);
    int with_eight = 0;
    for (size_t i = 0; i < candidates.count; i++) {
        const struct shunt_candidate *c = &candidates.candidate[i];
        with_eight += c->algorithm == row && c->params.value[SHUNT_PARAM_RADIX] == 8 &&
                      c->params.value[shunt_radix_index(1)] == 0;
    }
    assert_int_equal(with_eight, 2 * 2); /* batches 63 and 1 with both words of metadata */
}

static int clear(void **state)
{
    (void)state;
    shunt_candidates_clear(&candidates);
    shunt_layout_clear(&layout);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_nodes_have_these),
        cmocka_unit_test(eight_by_eight_have_these),
        cmocka_unit_test(one_rank_and_one_node_have_the_presets),
        cmocka_unit_test(each_is_feasible_on_many_layouts),
        cmocka_unit_test(twice_the_same),
        cmocka_unit_test(memory_is_capped),
        cmocka_unit_test(batches_of_a_digit_end_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, clear);
}
