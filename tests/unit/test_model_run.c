/* SPDX-License-Identifier: BSD-3-Clause */
/* test_model_run.c: how ranks run against each other: who waits for whom, and what they share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "messages.h"

static void a_late_message_holds_up_its_receiver(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    /* Step 1: 2 to 0, much; step 2: 0 to 2, a byte, when 0 has got that. */
    int64_t counts[9] = {0};
    struct costed costed;
    counts[2 * 3 + 0] = LONG;
    counts[0 * 3 + 2] = 1;
    begin_messages(&costed, 3, 3);
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
    begin_messages(&costed, 2, 2);
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
    begin_messages(&costed, 3, 3);
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
    begin_messages(&costed, 9, 9);
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
    begin_messages(&costed, 8, 2);
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
    begin_messages(&costed, 4, 4);
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
    begin_messages(&costed, 2, 1);
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
    begin_messages(&costed, 4, 4);
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
    begin_messages(&costed, 9, 9);
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

/* Eight receives are posted: each message passes half of those that are left. */
static void messages_search_what_is_posted(void **state)
{
    (void)state;
    const double match = 1e-7;
    struct costed costed;
    begin_messages(&costed, 9, 9);
    costed.machine.offload = false;
    costed.machine.link[SHUNT_LEVEL_BETWEEN].byte = 0;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 1);
    const double before = costed_predict(&costed).time;
    costed.machine.match = match;
    expect_near(costed_predict(&costed).time, before + match * (8 * 9) / 4, EXACT);
    /* One message after the other finds one receive. */
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1);
    expect_near(costed_predict(&costed).time, 8 * (o + L + o + match / 2), EXACT);
    costed_end(&costed);
}

/* Only messages longer than `eager`, at both ends. */
static void long_messages_take_a_processor_longer(void **state)
{
    (void)state;
    const double rendezvous = 3e-6;
    struct costed costed;
    begin_messages(&costed, 2, 2);
    costed.machine.link[SHUNT_LEVEL_BETWEEN].eager = 1000;
    costed.machine.link[SHUNT_LEVEL_BETWEEN].rendezvous = rendezvous;
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1000);
    expect_near(costed_predict(&costed).time, o + L + 1000 * G + o, EXACT);
    costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1001);
    expect_near(costed_predict(&costed).time, o + 2 * L + 1001 * G + L + o + 2 * rendezvous, EXACT);
    costed_end(&costed);
}

/* A node sends four messages to each of the others; with cards of its own it would be faster. */
static double on_network(int nodes, int32_t most, bool exact)
{
    struct costed costed;
    begin_messages(&costed, 2 * nodes, nodes);
    costed.machine.link[SHUNT_LEVEL_BETWEEN].byte = 0;
    costed.machine.cards = 2;
    costed.machine.card_byte = 2e-9;
    costed.machine.network_byte = 5e-9;
    costed.machine.network_nodes = most;
    costed_algorithm(&costed, "spread-out", SHUNT_OP_ALLTOALL, 0, 1000000);
    costed.call.exact = exact;
    const double time = costed_predict(&costed).time;
    costed_end(&costed);
    return time;
}

static void a_loaded_network_leaves_nodes_less(void **state)
{
    (void)state;
    /* Bytes alone, to a part in a hundred: o and L are microseconds. */
    for (int nodes = 2; nodes < 9; nodes++)
        for (int exact = 0; exact < 2; exact++) {
            const double bytes = 4.0 * (nodes - 1) * 1000000;
            expect_near(on_network(nodes, nodes, exact), bytes * 1e-9, 0.01);
            expect_near(on_network(nodes, nodes - 1, exact), bytes * 5e-9, 0.01);
            expect_near(on_network(nodes, 0, exact), bytes * 5e-9, 0.01);
        }
}

/* Inside of a node nothing is longer on its way. */
static void a_loaded_network_has_queues(void **state)
{
    (void)state;
    const double more = 4e-5;
    struct costed costed;
    for (int nodes = 1; nodes < 5; nodes++) {
        begin_messages(&costed, 8, nodes > 3 ? 4 : nodes);
        costed_algorithm(&costed, "pairwise", SHUNT_OP_ALLTOALL, 0, 1);
        const double before = costed_predict(&costed).time;
        costed.machine.network_latency = more;
        costed.machine.network_nodes = 2;
        const double after = costed_predict(&costed).time;
        if (nodes < 3)
            expect_near(after, before, EXACT);
        else
            assert_true(after >= before + 6 * more);
        costed_end(&costed);
    }
}

/* One copy in, a barrier, one copy out, and the own block. */
static void a_node_alone_meets_at_its_barrier(void **state)
{
    (void)state;
    struct costed costed;
    begin_messages(&costed, 5, 1);
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
        begin_messages(&costed, 4, 4);
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
        begin_messages(&costed, k == 0 ? 2 : 8, k == 0 ? 2 : 8);
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
    begin_messages(&costed, 6, 2);
    costed.machine.copy_block = 1e-6;
    costed_algorithm(&costed, "node-pair", SHUNT_OP_ALLTOALL, 0, 10);
    const struct shunt_cost cost = costed_predict(&costed);
    expect_near(cost.time, 5e-6 + 9e-6 + (o + L + 90 * G + o) + 6e-6, EXACT);
    assert_int_equal(cost.messages, 2);
    assert_int_equal(cost.bytes, 180);
    costed_end(&costed);
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
    begin_messages(&costed, 8, 2);
    costed.machine.native_throttle = 5;
    expect_native(&costed, SHUNT_OP_ALLTOALL, 256, "bruck-basic-dt");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 257, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 32768, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 32769, "pairwise");
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 1, "scattered");
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 32769, "scattered");
    costed.machine.native_alltoallv = SHUNT_NATIVE_PAIRWISE;
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 1, "pairwise");
    expect_native(&costed, SHUNT_OP_ALLTOALL, 257, "scattered");
    costed.machine.native_alltoallv = SHUNT_NATIVE_LINEAR;
    expect_native(&costed, SHUNT_OP_ALLTOALLV, 32769, "linear");
    costed.machine.native_ranks = 9;
    expect_native(&costed, SHUNT_OP_ALLTOALL, 1, "scattered");
    costed_end(&costed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_message_holds_up_its_receiver),
        cmocka_unit_test(long_messages_ask_first),
        cmocka_unit_test(long_messages_wait_for_late_receivers),
        cmocka_unit_test(messages_of_a_rank_keep_a_distance),
        cmocka_unit_test(ranks_of_a_node_share_its_cards),
        cmocka_unit_test(messages_search_what_is_posted),
        cmocka_unit_test(long_messages_take_a_processor_longer),
        cmocka_unit_test(a_loaded_network_leaves_nodes_less),
        cmocka_unit_test(a_loaded_network_has_queues),
        cmocka_unit_test(cards_take_in_one_message_after_the_other),
        cmocka_unit_test(ranks_take_turns_on_processors),
        cmocka_unit_test(nodes_of_one_machine_share_its_processors),
        cmocka_unit_test(bytes_take_a_processor_at_both_ends),
        cmocka_unit_test(a_node_alone_meets_at_its_barrier),
        cmocka_unit_test(types_are_packed_at_both_ends),
        cmocka_unit_test(what_is_no_type_takes_no_longer),
        cmocka_unit_test(ranks_await_their_leaders),
        cmocka_unit_test(native_goes_by_size_and_ranks),
    };
    return cmocka_run_group_tests_name("model: run", tests, NULL, NULL);
}
