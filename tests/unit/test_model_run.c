/* SPDX-License-Identifier: BSD-3-Clause */
/* test_model_run.c: how ranks run against each other: who waits for whom, what they share; that one
 * node stands for all where they are alike; and what a machine cannot be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "costs.h"

/* Between nodes, and within them. */
static const double L = 5e-6, o = 1e-6, G = 1e-9, l = 1e-6, i = 0.5e-6;
static const double EXACT = 1e-12;

/* `ranks` on `nodes` of a machine on which nothing costs but messages. */
static void begin(struct costed *costed, int ranks, int nodes)
{
    costed_begin(costed, ranks, nodes);
    costed->machine.offload = false;
    costed->machine.link[SHUNT_LEVEL_BETWEEN] =
        (struct shunt_link){.latency = L, .overhead = o, .byte = G, .eager = INT64_MAX};
    costed->machine.link[SHUNT_LEVEL_INSIDE] =
        (struct shunt_link){.latency = l, .overhead = i, .eager = INT64_MAX};
}

static void a_late_message_holds_up_its_receiver(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    /* Step 1: 2 to 0, much; step 2: 0 to 2, a byte, when 0 has got that. */
    int64_t counts[9] = {0};
    struct costed costed;
    counts[2 * 3 + 0] = LONG;
    counts[0 * 3 + 2] = 1;
    begin(&costed, 3, 3);
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALLV, 0, LONG);
    costed.call.counts = counts;
    const struct shunt_cost cost = costed_predict(&costed);
    expect_near(cost.time, 2 * (o + L + o) + (LONG + 1) * G, EXACT);
    assert_int_equal(cost.messages, 2);
    assert_int_equal(cost.bytes, LONG + 1);
    assert_int_equal(cost.method, SHUNT_COST_EXACT);
    costed_end(&costed);
}

static void long_messages_ask_first(void **state)
{
    (void)state;
    struct costed costed;
    begin(&costed, 2, 2);
    costed.machine.link[SHUNT_LEVEL_BETWEEN].eager = 1000;
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1000);
    expect_near(costed_predict(&costed).time, o + L + 1000 * G + o, EXACT);
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1001);
    expect_near(costed_predict(&costed).time, o + 2 * L + 1001 * G + L + o, EXACT);
    costed_end(&costed);
}

/* 0 sends to 2 in step 2, but 2 is not there before it has got what 1 sent it. */
static void long_messages_wait_for_late_receivers(void **state)
{
    (void)state;
    enum { LONG = 1000000, LONGER = 2000000 };
    int64_t counts[9] = {0};
    struct costed costed;
    counts[1 * 3 + 2] = LONGER;
    counts[0 * 3 + 2] = LONG;
    begin(&costed, 3, 3);
    costed.machine.link[SHUNT_LEVEL_BETWEEN].eager = 1000;
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALLV, 0, LONGER);
    costed.call.counts = counts;
    const double posted = o + 3 * L + LONGER * G + o;
    expect_near(costed_predict(&costed).time, posted + L + LONG * G + L + o, EXACT);
    costed_end(&costed);
}

static void messages_of_a_rank_keep_a_distance(void **state)
{
    (void)state;
    struct costed costed;
    begin(&costed, 9, 9);
    costed.machine.link[SHUNT_LEVEL_BETWEEN].gap = 7 * o;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 10);
    expect_near(costed_predict(&costed).time, o + 7 * 7 * o + L + 10 * G + o, EXACT);
    costed_end(&costed);
}

/* Four ranks of a node send one message each to the other node. */
static double through_cards(int cards, double message, double byte)
{
    enum { BYTES = 1000 };
    int64_t counts[64] = {0};
    struct costed costed;
    for (int rank = 0; rank < 4; rank++)
        counts[rank * 8 + rank + 4] = BYTES;
    begin(&costed, 8, 2);
    costed.machine.cards = cards;
    costed.machine.card_message = message;
    costed.machine.card_byte = byte;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALLV, 0, BYTES);
    costed.call.counts = counts;
    const double time = costed_predict(&costed).time;
    costed_end(&costed);
    return time - (o + L + o);
}

static void ranks_of_a_node_share_its_cards(void **state)
{
    (void)state;
    expect_near(through_cards(1, 0, 0), 1000 * G, 1e-9);
    expect_near(through_cards(1, 50e-6, 0), 4 * 50e-6, 1e-9);
    expect_near(through_cards(2, 50e-6, 0), 2 * 50e-6, 1e-9);
    expect_near(through_cards(1, 0, 10 * G), 4 * 1000 * 10 * G, 1e-9);
    expect_near(through_cards(4, 0, 10 * G), 1000 * 10 * G, 1e-9);
}

/* All of one node send to one rank of the other: its card takes in one byte after the other. */
static void cards_take_in_one_message_after_the_other(void **state)
{
    (void)state;
    enum { BYTES = 100000 };
    int64_t counts[16] = {0};
    struct costed costed;
    counts[1 * 4 + 0] = BYTES;
    counts[2 * 4 + 0] = BYTES;
    counts[3 * 4 + 0] = BYTES;
    begin(&costed, 4, 4);
    costed.machine.card_byte = G;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALLV, 0, BYTES);
    costed.call.counts = counts;
    expect_near(costed_predict(&costed).time, o + L + 3 * BYTES * G + o, EXACT);
    costed_end(&costed);
}

/* Both copy their own block first. */
static double on_processors(int processors, double turn)
{
    struct costed costed;
    begin(&costed, 2, 1);
    costed.machine.link[SHUNT_LEVEL_INSIDE] = (struct shunt_link){.eager = INT64_MAX};
    costed.machine.copy_block = 1e-3;
    costed.machine.processors = processors;
    costed.machine.turn = turn;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 1);
    const double time = costed_predict(&costed).time;
    costed_end(&costed);
    return time;
}

static void ranks_take_turns_on_processors(void **state)
{
    (void)state;
    expect_near(on_processors(0, 1e-4), 1e-3, EXACT);
    expect_near(on_processors(2, 1e-4), 1e-3, EXACT);
    expect_near(on_processors(1, 0), 2e-3, EXACT);
    expect_near(on_processors(1, 1e-4), 2e-3 + 1e-4, EXACT);
}

/* Four nodes of one rank each, which copy before they send. */
static double on_machines(int sharing)
{
    struct costed costed;
    begin(&costed, 4, 4);
    costed.machine.link[SHUNT_LEVEL_BETWEEN] = (struct shunt_link){.eager = INT64_MAX};
    costed.machine.copy_block = 1e-3;
    costed.machine.processors = 1;
    costed.machine.sharing = sharing;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 1);
    const double time = costed_predict(&costed).time;
    costed_end(&costed);
    return time;
}

static void nodes_of_one_machine_share_its_processors(void **state)
{
    (void)state;
    expect_near(on_machines(0), 1e-3, EXACT);
    expect_near(on_machines(1), 1e-3, EXACT);
    expect_near(on_machines(2), 2e-3, EXACT);
    expect_near(on_machines(3), 3e-3, EXACT); /* and the fourth alone */
    expect_near(on_machines(4), 4e-3, EXACT);
    expect_near(on_machines(100), 4e-3, EXACT);
    expect_near(on_machines(INT32_MAX), 4e-3, EXACT);
}

/* Eight messages leave a rank one after the other, and come in so. */
static void bytes_take_a_processor_at_both_ends(void **state)
{
    (void)state;
    enum { BYTES = 1000 };
    const double O = 1e-8;
    struct costed costed;
    begin(&costed, 9, 9);
    costed.machine.offload = false;
    costed.machine.link[SHUNT_LEVEL_BETWEEN].overhead_byte = O;
    costed.machine.link[SHUNT_LEVEL_BETWEEN].byte = 0;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, BYTES);
    expect_near(costed_predict(&costed).time, 16 * (o + BYTES * O), EXACT);
    costed.machine.offload = true;
    costed.machine.link[SHUNT_LEVEL_BETWEEN].latency = 1;
    expect_near(costed_predict(&costed).time, 8 * (o + BYTES * O) + 1 + o + BYTES * O, EXACT);
    costed_end(&costed);
}

/* One copy in, a barrier, one copy out, and the own block. */
static void a_node_alone_meets_at_its_barrier(void **state)
{
    (void)state;
    struct costed costed;
    begin(&costed, 5, 1);
    costed.machine.copy_block = 1e-6;
    costed.machine.copy_byte = 1e-9;
    costed.machine.barrier_start = 3e-6;
    costed.machine.barrier_rank = 1e-7;
    costed_algorithm(&costed, "shared-segment", SHUNT_OP_ALLTOALL, 0, 100);
    const struct shunt_cost cost = costed_predict(&costed);
    expect_near(cost.time, (4 + 1 + 4) * (1e-6 + 100e-9) + 3e-6 + 5e-7, EXACT);
    assert_int_equal(cost.messages, 0);
    costed_end(&costed);
}

/* Four ranks with radix 2: two rounds of two blocks, each of which is packed at one end of its way
 * and unpacked at the other; and the same blocks as a copy of each, where they are long. */
static void types_are_packed_at_both_ends(void **state)
{
    (void)state;
    enum { ROUNDS = 2, BLOCKS = 2, LONG = 200 };
    static const char *const names[] = {"bruck-zero-copy", "bruck-basic-dt", "bruck-modified-dt"};
    const double end = 1e-6 + BLOCKS * (2e-7 + 100 * 3e-9);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct costed costed;
        begin(&costed, 4, 4);
        costed_algorithm(&costed, names[k], SHUNT_OP_ALLTOALL, 0, 100);
        const double before = costed_predict(&costed).time;
        costed.machine.type_message = 1e-6;
        costed.machine.type_block = 2e-7;
        costed.machine.type_byte = 3e-9;
        costed.machine.type_long = LONG;
        expect_near(costed_predict(&costed).time - before, ROUNDS * 2 * end, EXACT);
        costed.machine.type_long = 100;
        expect_near(costed_predict(&costed).time, before, EXACT);
        costed_end(&costed);
    }
}

/* One block lies in one piece, and other algorithms make no types. */
static void what_is_no_type_takes_no_longer(void **state)
{
    (void)state;
    static const char *const names[] = {"bruck-zero-copy", "bruck-basic", "scattered", "parlogna"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct costed costed;
        begin(&costed, k == 0 ? 2 : 8, k == 0 ? 2 : 8);
        costed_algorithm(&costed, names[k], SHUNT_OP_ALLTOALL, 0, 100);
        const double before = costed_predict(&costed).time;
        costed.machine.type_message = costed.machine.type_block = 1;
        expect_near(costed_predict(&costed).time, before, EXACT);
        costed_end(&costed);
    }
}

/* Whoever is no leader waits for the leader's message. */
static void ranks_await_their_leaders(void **state)
{
    (void)state;
    struct costed costed;
    begin(&costed, 6, 2);
    costed.machine.copy_block = 1e-6;
    costed_algorithm(&costed, "node-pair", SHUNT_OP_ALLTOALL, 0, 10);
    const struct shunt_cost cost = costed_predict(&costed);
    expect_near(cost.time, 5e-6 + 9e-6 + (o + L + 90 * G + o) + 6e-6, EXACT);
    assert_int_equal(cost.messages, 2);
    assert_int_equal(cost.bytes, 180);
    costed_end(&costed);
}

static void blocks_of_one_size_may_be_told_one_by_one(void **state)
{
    (void)state;
    static const char *const names[] = {"scattered", "native", "peer-read"};
    int64_t counts[36];
    for (int k = 0; k < 36; k++)
        counts[k] = 77;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct costed costed;
        begin(&costed, 6, k == 2 ? 1 : 3);
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
        begin(&costed, ranks, nodes);
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
    begin(costed, 8, 2);
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
    begin(&costed, 8, 1);
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

static void expect_native(struct costed *costed, enum shunt_op op, int64_t block, const char *name)
{
    struct shunt_params params;
    const struct shunt_algorithm *row =
        shunt_cost_native(&params, &costed->machine, op, &costed->layout, block);
    assert_string_equal(row->name, name);
    if (row->params[SHUNT_PARAM_BATCH_SIZE].used)
        assert_int_equal(params.value[SHUNT_PARAM_BATCH_SIZE], 5);
}

static void native_goes_by_size_and_ranks(void **state)
{
    (void)state;
    struct costed costed;
    begin(&costed, 8, 2);
    costed.machine.native_throttle = 5;
    expect_native(&costed, SHUNT_OP_ALLTOALL, 256, "bruck-basic-dt");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 257, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 32768, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 32769, "pairwise");
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 1, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 32769, "scattered");
    costed.machine.native_ranks = 9;
    expect_native(&costed, SHUNT_OP_ALLTOALL, 1, "scattered");
    costed_end(&costed);
}

static void what_is_too_large_is_told(void **state)
{
    (void)state;
    struct costed costed;
    struct shunt_cost cost;
    begin(&costed, 6, 3);
    costed_algorithm(&costed, "linear", SHUNT_OP_ALLTOALL, 0, 8); /* a copy, 5 out, 5 in, each */
    costed.call.most = 65;
    assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_LARGE);
    costed.call.most = 66;
    assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_OK);
    /* Of one node, a third. */
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 8);
    costed.call.most = 22;
    assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_OK);
    /* Bytes that no number can say: the time is finite all the same. */
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, INT64_MAX);
    cost = costed_predict(&costed);
    assert_int_equal(cost.bytes, INT64_MAX);
    assert_true(isfinite(cost.time) && isfinite(cost.energy) && cost.time > 1e9);
    costed_end(&costed);
}

/* At once: making all that is too much would take minutes. */
static void what_is_far_too_large_is_told_beforehand(void **state)
{
    (void)state;
    struct shunt_cost cost;
    struct costed costed;
    begin(&costed, 1 << 17, 1 << 17);
    /* Few messages, of many blocks. */
    costed_algorithm(&costed, "bruck", SHUNT_OP_ALLTOALL, 2, 8);
    costed.call.exact = true;
    assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_LARGE);
    costed_algorithm(&costed, "linear", SHUNT_OP_ALLTOALL, 0, 8);
    assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_LARGE);
    costed_end(&costed);
}

static void bundles_beyond_all_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"node-pair", "node-bruck", "shared-segment"};
    struct shunt_cost cost;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct costed costed;
        begin(&costed, 8, k < 2 ? 4 : 1);
        costed_algorithm(&costed, names[k], SHUNT_OP_ALLTOALL, 0, INT64_MAX / 4);
        assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_LARGE);
        costed.call.call.block = INT64_C(1) << 40;
        assert_int_equal(shunt_cost_predict(&cost, &costed.call), SHUNT_COST_OK);
        costed_end(&costed);
    }
}

static void expect_wrong(const struct shunt_machine *machine, const char *key)
{
    const char *found = "";
    assert_non_null(shunt_machine_wrong(machine, &found));
    assert_string_equal(found, key);
}

#define REAL(key, member)                                                                          \
    {                                                                                              \
        key, offsetof(struct shunt_machine, member)                                                \
    }

static void no_machine_has_such_times(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        size_t at;
    } reals[] = {
        REAL("inside.latency_us", link[0].latency),
        REAL("inside.overhead_us", link[0].overhead),
        REAL("inside.overhead_byte_ns", link[0].overhead_byte),
        REAL("inside.gap_us", link[0].gap),
        REAL("inside.byte_ns", link[0].byte),
        REAL("inside.message_pj", link[0].message_energy),
        REAL("inside.byte_nj", link[0].byte_energy),
        REAL("between.latency_us", link[1].latency),
        REAL("between.overhead_us", link[1].overhead),
        REAL("between.overhead_byte_ns", link[1].overhead_byte),
        REAL("between.gap_us", link[1].gap),
        REAL("between.byte_ns", link[1].byte),
        REAL("between.message_pj", link[1].message_energy),
        REAL("between.byte_nj", link[1].byte_energy),
        REAL("copy.block_ns", copy_block),
        REAL("copy.byte_ns", copy_byte),
        REAL("read.block_ns", read_block),
        REAL("read.byte_ns", read_byte),
        REAL("type.message_ns", type_message),
        REAL("type.block_ns", type_block),
        REAL("type.byte_ns", type_byte),
        REAL("barrier.start_us", barrier_start),
        REAL("barrier.rank_us", barrier_rank),
        REAL("turn_us", turn),
        REAL("card.message_ns", card_message),
        REAL("card.byte_ns", card_byte),
        REAL("energy.static_w", static_power),
    };
    const double bad[] = {-1e-300, NAN, INFINITY, -INFINITY};
    struct shunt_machine machine;
    const char *key;
    shunt_machine_paper(&machine);
    assert_null(shunt_machine_wrong(&machine, &key));
    for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++)
        for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
            shunt_machine_paper(&machine);
            memcpy((char *)&machine + reals[k].at, &bad[b], sizeof bad[b]);
            expect_wrong(&machine, reals[k].key);
        }
}

#define EXPECT_COUNT(key, member, value)                                                           \
    do {                                                                                           \
        shunt_machine_paper(&machine);                                                             \
        machine.member = (value);                                                                  \
        expect_wrong(&machine, key);                                                               \
    } while (0)

static void no_machine_has_such_counts(void **state)
{
    (void)state;
    struct shunt_machine machine;
    EXPECT_COUNT("between.latency_us", link[1].latency, 0);
    EXPECT_COUNT("between.overhead_us", link[1].overhead, 0);
    EXPECT_COUNT("inside.eager", link[0].eager, -1);
    EXPECT_COUNT("between.eager", link[1].eager, -1);
    EXPECT_COUNT("processors", processors, -1);
    EXPECT_COUNT("sharing", sharing, -1);
    EXPECT_COUNT("card.count", cards, 0);
    EXPECT_COUNT("native.short", native_short, -1);
    EXPECT_COUNT("native.medium", native_medium, -1);
    EXPECT_COUNT("native.medium", native_medium, 255);
    EXPECT_COUNT("native.ranks", native_ranks, -1);
    EXPECT_COUNT("native.throttle", native_throttle, 0);
    EXPECT_COUNT("descriptor", descriptor, -1);
    EXPECT_COUNT("energy.per", power, (enum shunt_power)2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_message_holds_up_its_receiver),
        cmocka_unit_test(long_messages_ask_first),
        cmocka_unit_test(long_messages_wait_for_late_receivers),
        cmocka_unit_test(messages_of_a_rank_keep_a_distance),
        cmocka_unit_test(ranks_of_a_node_share_its_cards),
        cmocka_unit_test(cards_take_in_one_message_after_the_other),
        cmocka_unit_test(ranks_take_turns_on_processors),
        cmocka_unit_test(nodes_of_one_machine_share_its_processors),
        cmocka_unit_test(bytes_take_a_processor_at_both_ends),
        cmocka_unit_test(a_node_alone_meets_at_its_barrier),
        cmocka_unit_test(types_are_packed_at_both_ends),
        cmocka_unit_test(what_is_no_type_takes_no_longer),
        cmocka_unit_test(ranks_await_their_leaders),
        cmocka_unit_test(blocks_of_one_size_may_be_told_one_by_one),
        cmocka_unit_test(equal_blocks_are_copied_as_if_told_once),
        cmocka_unit_test(a_large_block_is_copied_as_a_whole),
        cmocka_unit_test(one_to_all_is_copied_by_one),
        cmocka_unit_test(one_node_stands_for_all),
        cmocka_unit_test(native_goes_by_size_and_ranks),
        cmocka_unit_test(what_is_too_large_is_told),
        cmocka_unit_test(what_is_far_too_large_is_told_beforehand),
        cmocka_unit_test(bundles_beyond_all_numbers_are_refused),
        cmocka_unit_test(no_machine_has_such_times),
        cmocka_unit_test(no_machine_has_such_counts),
    };
    return cmocka_run_group_tests_name("model: run", tests, NULL, NULL);
}
