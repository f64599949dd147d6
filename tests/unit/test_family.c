/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of many ranks from one schedule, against those that each rank's own schedule makes;
 * and predictions from node 0 against those from all ranks, for all settings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "events/family.h"
#include "model/candidates.h"
#include "model/cost.h"

static struct shunt_layout layout;

static void blocks(int ranks, int nodes)
{
    shunt_layout_clear(&layout);
    assert_int_equal(shunt_layout_blocks(&layout, ranks, nodes), 0);
}

static void expect_equal(const struct shunt_events *a, const struct shunt_events *b,
                         const char *name, int rank)
{
    if (a->count != b->count || a->rounds != b->rounds)
        fail_msg("%s, rank %d of %d: %zu events are not %zu", name, rank, layout.ranks, a->count,
                 b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct shunt_event *x = &a->event[i], *y = &b->event[i];
        if (x->kind != y->kind || x->peer != y->peer || x->round != y->round ||
            x->blocks != y->blocks || x->bytes != y->bytes)
            fail_msg("%s, rank %d of %d: event %zu differs", name, rank, layout.ranks, i);
    }
}

/* Whether one schedule is enough; then every rank's events are those of its own. */
static bool compare_events(const struct shunt_event_call *call)
{
    struct shunt_events_family family;
    struct shunt_events own, moved;
    assert_int_equal(shunt_events_family_make(&family, call), 0);
    const bool alike = family.alike;
    for (int p = 0; alike && p < layout.ranks; p++) {
        assert_int_equal(shunt_events_build(&own, call, p), 0);
        assert_int_equal(shunt_events_family_build(&moved, &family, call, p, p), 0);
        expect_equal(&moved, &own, call->algorithm->name, p);
        shunt_events_clear(&own);
        shunt_events_clear(&moved);
    }
    shunt_events_family_clear(&family);
    return alike;
}

/* Settings whose ranks are alike, among all of an operation; memory: 0, or so little that blocks
 * wait in slots. */
static int compare_settings(enum shunt_op op, int64_t block, int64_t memory)
{
    struct shunt_candidates all;
    int alike = 0;
    assert_int_equal(shunt_candidates_make(&all, op, &layout, block, -1), 0);
    for (size_t i = 0; i < all.count; i++) {
        const struct shunt_candidate *c = &all.candidate[i];
        const struct shunt_event_call call = {.op = op,
                                              .algorithm = c->algorithm,
                                              .layout = &layout,
                                              .params = &c->params,
                                              .block = block,
                                              .memory = memory,
                                              .agrees = op == SHUNT_OP_ALLTOALLV &&
                                                        shunt_kind_agrees(c->algorithm->kind)};
        if (c->algorithm->build)
            alike += compare_events(&call);
    }
    shunt_candidates_clear(&all);
    return alike;
}

/* Under valgrind, which takes fifty times as long: fewer ranks have the same code. */
static bool too_many(int ranks)
{
    return ranks > 30 && getenv("SHUNT_TEST_THIN");
}

static void every_rank_has_its_own_events(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1},  {2, 1},  {3, 3},  {8, 2},  {9, 3},
                                    {12, 4}, {25, 5}, {27, 9}, {64, 8}, {300, 25}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        if (too_many(shapes[k][0]))
            continue;
        blocks(shapes[k][0], shapes[k][1]);
        assert_true(compare_settings(SHUNT_OP_ALLTOALL, 64, 0) > 5);
        assert_true(compare_settings(SHUNT_OP_ALLTOALLV, 64, 0) > 3);
        if (layout.ranks > 64)
            continue;
        assert_true(compare_settings(SHUNT_OP_ALLTOALL, 64, 1) > 5);
        assert_true(compare_settings(SHUNT_OP_ALLTOALL, 0, 0) > 5);
    }
}

/* In ascending order from everywhere: no rank does what rank 0 does. */
static void ascending_order_is_not_moved(void **state)
{
    (void)state;
    struct shunt_params params = {{0}};
    struct shunt_events_family family;
    const struct shunt_event_call call = {.algorithm = shunt_registry_find("linear"),
                                          .layout = &layout,
                                          .params = &params,
                                          .block = 8};
    blocks(512, 16);
    assert_int_equal(shunt_events_family_make(&family, &call), 0);
    assert_false(family.alike);
    shunt_events_family_clear(&family);
}

/* The least that makes ranks compete for cards, and copies cost. */
static struct shunt_machine machine_with_copies(bool crowded)
{
    struct shunt_machine machine;
    shunt_machine_paper(&machine);
    machine.offload = false;
    machine.copy_block = 2e-8;
    machine.copy_byte = 3e-10;
    machine.cards = 2;
    machine.card_message = 1e-8;
    machine.card_byte = 4e-11;
    machine.barrier_start = machine.barrier_rank = 1e-7;
    machine.processors = crowded ? 3 : 0;
    machine.turn = 1e-6;
    return machine;
}

/* Settings that node 0 was enough for, with the bits of all ranks. Of many ranks, which take
 * seconds, every fourth setting without SHUNT_TEST_FULL, and it counts for four. */
static int compare_costs(enum shunt_op op, bool crowded)
{
    const size_t step = layout.ranks > 64 && !getenv("SHUNT_TEST_FULL") ? 4 : 1;
    const struct shunt_machine machine = machine_with_copies(crowded);
    struct shunt_candidates all;
    int symmetric = 0;
    assert_int_equal(shunt_candidates_make(&all, op, &layout, 64, -1), 0);
    for (size_t i = 0; i < all.count; i += step) {
        const struct shunt_candidate *c = &all.candidate[i];
        struct shunt_cost_call call = {
            .machine = &machine,
            .call = {.op = op,
                     .algorithm = c->algorithm,
                     .layout = &layout,
                     .params = &c->params,
                     .block = 64,
                     .agrees = op == SHUNT_OP_ALLTOALLV && shunt_kind_agrees(c->algorithm->kind)}};
        struct shunt_cost once, exact;
        assert_int_equal(shunt_cost_predict(&once, &call), SHUNT_COST_OK);
        call.exact = true;
        assert_int_equal(shunt_cost_predict(&exact, &call), SHUNT_COST_OK);
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        if (memcmp(&once.time, &exact.time, sizeof once.time) != 0)
            fail_msg("%s, %d ranks: %.17g is not %.17g", c->algorithm->name, layout.ranks,
                     once.time, exact.time);
        assert_true(once.messages == exact.messages && once.bytes == exact.bytes &&
                    once.rounds == exact.rounds && once.descriptors == exact.descriptors);
        symmetric += once.method == SHUNT_COST_SYMMETRIC ? (int)step : 0;
    }
    shunt_candidates_clear(&all);
    return symmetric;
}

static void node_0_stands_for_all_settings(void **state)
{
    (void)state;
    static const int shapes[][2] = {{24, 4}, {30, 5}, {48, 8}, {64, 16}, {264, 4}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        if (too_many(shapes[k][0]))
            continue;
        blocks(shapes[k][0], shapes[k][1]);
        for (int crowded = 0; crowded < (layout.ranks > 64 ? 1 : 2); crowded++) {
            assert_true(compare_costs(SHUNT_OP_ALLTOALL, crowded) > 50);
            assert_true(compare_costs(SHUNT_OP_ALLTOALLV, crowded) > 5);
        }
    }
}

/* An agreement among a power of two of nodes, and exclusive or, move across and not on. */
static void what_moves_across_is_found(void **state)
{
    (void)state;
    if (too_many(54))
        return;
    blocks(48, 8);
    const int across = compare_costs(SHUNT_OP_ALLTOALLV, false);
    blocks(54, 9);
    assert_true(across > 2 * compare_costs(SHUNT_OP_ALLTOALLV, false));
}

static int clear(void **state)
{
    (void)state;
    shunt_layout_clear(&layout);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_has_its_own_events),
        cmocka_unit_test(ascending_order_is_not_moved),
        cmocka_unit_test(node_0_stands_for_all_settings),
        cmocka_unit_test(what_moves_across_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, clear);
}
