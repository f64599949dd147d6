/* SPDX-License-Identifier: BSD-3-Clause */
/* test_model_alike.c: what comes to the same has the same cost: one node stands for all where they
 * are alike, equal blocks are as if told once; and who copies blocks that are not equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "messages.h"

static void blocks_of_one_size_may_be_told_one_by_one(void **state)
{
    (void)state;
    static const char *const names[] = {"scattered", "native", "peer-read"};
    int64_t counts[36];
    for (int k = 0; k < 36; k++)
        counts[k] = 77;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct costed costed;
        begin_messages(&costed, 6, k == 2 ? 1 : 3);
        costed.machine.copy_byte = costed.machine.read_byte = 1e-9;
        costed_algorithm(&costed, names[k], SHUNT_OP_ALLTOALLV, 0, 77);
        const struct shunt_cost one = costed_predict(&costed);
        costed.call.counts = counts;
        const struct shunt_cost all = costed_predict(&costed);
        assert_true(one.time > 0);
        assert_memory_equal(&one.time, &all.time, sizeof one.time);
        assert_int_equal(one.bytes, all.bytes);
        costed_end(&costed);
    }
}

/* Machines on which different things are scarce. */
static void make_scarce(struct shunt_machine *machine, unsigned what)
{
    machine->offload = what & 1;
    if (what & 2) {
        machine->card_message = 2e-6;
        machine->card_byte = 1e-8;
    }
    if (what & 4) {
        machine->processors = 2;
        machine->turn = 3e-6;
    }
    if (what & 8)
        machine->link[SHUNT_LEVEL_INSIDE].eager = machine->link[SHUNT_LEVEL_BETWEEN].eager = 20;
    if (what & 16) {
        machine->copy_block = 1e-8;
        machine->copy_byte = 1e-10;
        machine->read_block = 1e-6;
        machine->type_message = 1e-7;
        machine->type_byte = 3e-10;
        machine->barrier_start = machine->barrier_rank = 1e-7;
    }
    if (what & 32)
        machine->link[SHUNT_LEVEL_INSIDE].latency = machine->link[SHUNT_LEVEL_INSIDE].overhead = 0;
}

/* The same bits from node 0 as from all ranks, and twice. True: node 0 was enough. */
static bool compare(struct costed *costed)
{
    const struct shunt_cost once = costed_predict(costed), again = costed_predict(costed);
    costed->call.exact = true;
    struct shunt_cost exact = costed_predict(costed);
    costed->call.exact = false;
    assert_memory_equal(&once.time, &again.time, sizeof once.time);
    assert_memory_equal(&once.energy, &again.energy, sizeof once.energy);
    assert_memory_equal(&once.time, &exact.time, sizeof once.time);
    assert_memory_equal(&once.energy, &exact.energy, sizeof once.energy);
    assert_true(once.messages == exact.messages && once.bytes == exact.bytes &&
                once.remote_messages == exact.remote_messages &&
                once.remote_bytes == exact.remote_bytes && once.rounds == exact.rounds &&
                once.descriptors == exact.descriptors && once.memory == exact.memory);
    assert_int_equal(exact.method, SHUNT_COST_EXACT);
    return once.method == SHUNT_COST_SYMMETRIC;
}

static int compare_rows(int ranks, int nodes, unsigned what)
{
    size_t count;
    int symmetric = 0;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t k = 0; k < 2 * count; k++) {
        const struct shunt_algorithm *row = rows[k / 2];
        const enum shunt_op op = k % 2 ? SHUNT_OP_ALLTOALLV : SHUNT_OP_ALLTOALL;
        struct costed costed;
        begin_messages(&costed, ranks, nodes);
        make_scarce(&costed.machine, what);
        costed_algorithm(&costed, row->name, op, 0, 64);
        costed.call.call.agrees = op == SHUNT_OP_ALLTOALLV && shunt_kind_agrees(row->kind);
        if ((row->ops & SHUNT_OP_BIT(op)) &&
            (!row->infeasible || !row->infeasible(&costed.layout, &costed.params)))
            symmetric += compare(&costed);
        costed_end(&costed);
    }
    return symmetric;
}

static const struct {
    const char *name;
    int64_t radix;
} rows[] = {{"spread-out", 0},        {"bruck", 3},     {"two-phase-bruck", 2},
            {"padded-bruck", 2},      {"parlogna", 2},  {"parlinna-coalesced", 2},
            {"shared-segment", 0},    {"node-pair", 0}, {"node-bruck", 2},
            {"parlinna-shared", 2},   {"sloav", 0},     {"linear", 0},
            {"parlinna-shared", 3},   {"parlogna", 3},  {"bruck-zero-copy", 2},
            {"parlinna-staggered", 2}};

/* Makes the call with row k, unless there is none or it does not run here. */
static bool choose_row(struct costed *costed, size_t k, int64_t block)
{
    const struct shunt_algorithm *row = shunt_registry_find(rows[k].name);
    if (!row || !row->build || row->kind == SHUNT_KIND_DATATYPE)
        return false;
    costed_algorithm(costed, rows[k].name, SHUNT_OP_ALLTOALLV, rows[k].radix, block);
    return true;
}

/* On a machine on which nothing costs but copies, every byte a nanosecond. */
static void begin_copies(struct costed *costed)
{
    begin_messages(costed, 8, 2);
    costed->machine.link[0] = costed->machine.link[1] = (struct shunt_link){.eager = INT64_MAX};
    costed->machine.copy_byte = 1e-9;
}

/* To the last bit, whatever takes copies and messages apart. */
static void equal_blocks_are_copied_as_if_told_once(void **state)
{
    (void)state;
    int64_t counts[64];
    struct costed costed;
    int tried = 0;
    for (int k = 0; k < 64; k++)
        counts[k] = 300;
    begin_copies(&costed);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!choose_row(&costed, k, 300))
            continue;
        costed.call.exact = true;
        const double once = costed_predict(&costed).time;
        costed.call.counts = counts;
        const double each = costed_predict(&costed).time;
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        if (memcmp(&once, &each, sizeof once) != 0)
            fail_msg("%s: %.17g is not %.17g", rows[k].name, each, once);
        tried++;
    }
    assert_true(tried > 6);
    costed_end(&costed);
}

/* Who has a large block copies it: in, out, or into a message. */
static void a_large_block_is_copied_as_a_whole(void **state)
{
    (void)state;
    enum { LARGE = 8000000 };
    int64_t counts[64] = {[1 * 8 + 6] = LARGE};
    struct costed costed;
    begin_copies(&costed);
    costed_algorithm(&costed, "shared-segment", SHUNT_OP_ALLTOALLV, 0, LARGE);
    shunt_layout_clear(&costed.layout);
    assert_int_equal(shunt_layout_blocks(&costed.layout, 8, 1), 0);
    costed.call.counts = counts;
    expect_near(costed_predict(&costed).time, 2 * LARGE * 1e-9, 1e-3);
    /* Without any copy. */
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALLV, 0, LARGE);
    costed.call.counts = counts;
    expect_near(costed_predict(&costed).time + 1, 1, EXACT);
    costed_end(&costed);
}

/* Rank 0 has all blocks, and copies them in alone; every other rank copies its own out. */
static void one_to_all_is_copied_by_one(void **state)
{
    (void)state;
    enum { BLOCK = 1000000 };
    int64_t counts[64] = {0};
    struct costed costed;
    for (int to = 1; to < 8; to++)
        counts[to] = BLOCK;
    begin_messages(&costed, 8, 1);
    costed.machine.link[SHUNT_LEVEL_INSIDE] = (struct shunt_link){.eager = INT64_MAX};
    costed.machine.copy_byte = 1e-9;
    costed_algorithm(&costed, "shared-segment", SHUNT_OP_ALLTOALLV, 0, BLOCK);
    costed.call.counts = counts;
    expect_near(costed_predict(&costed).time, 8 * BLOCK * 1e-9, 1e-3);
    costed_end(&costed);
}

static void one_node_stands_for_all(void **state)
{
    (void)state;
    static const int shapes[][2] = {{2, 2}, {6, 3}, {8, 8}, {12, 3}, {20, 4}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (unsigned what = 0; what < 64; what += (unsigned)thin())
            assert_true(compare_rows(shapes[k][0], shapes[k][1], what) > 10);
    assert_int_equal(compare_rows(5, 1, 31), 0);
    assert_int_equal(compare_rows(1, 1, 31), 0);
    assert_int_equal(compare_rows(7, 3, 31), 0); /* 3, 3 and 1 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_one_size_may_be_told_one_by_one),
        cmocka_unit_test(equal_blocks_are_copied_as_if_told_once),
        cmocka_unit_test(a_large_block_is_copied_as_a_whole),
        cmocka_unit_test(one_to_all_is_copied_by_one),
        cmocka_unit_test(one_node_stands_for_all),
    };
    return cmocka_run_group_tests_name("model: alike", tests, NULL, NULL);
}
