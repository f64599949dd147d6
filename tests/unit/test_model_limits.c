/* SPDX-License-Identifier: BSD-3-Clause */
/* test_model_limits.c: what is too large to be predicted, and what a machine cannot be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "messages.h"

static void what_is_too_large_is_told(void **state)
{
    (void)state;
    struct costed costed;
    struct shunt_cost cost;
    begin_messages(&costed, 6, 3);
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
    begin_messages(&costed, 1 << 17, 1 << 17);
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
        begin_messages(&costed, 8, k < 2 ? 4 : 1);
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
        REAL("inside.rendezvous_us", link[0].rendezvous),
        REAL("between.rendezvous_us", link[1].rendezvous),
        REAL("match_ns", match),
        REAL("network.latency_us", network_latency),
        REAL("network.byte_ns", network_byte),
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
    EXPECT_COUNT("network.nodes", network_nodes, -1);
    EXPECT_COUNT("native.alltoallv", native_alltoallv, (enum shunt_native_alltoallv)3);
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
        cmocka_unit_test(what_is_too_large_is_told),
        cmocka_unit_test(what_is_far_too_large_is_told_beforehand),
        cmocka_unit_test(bundles_beyond_all_numbers_are_refused),
        cmocka_unit_test(no_machine_has_such_times),
        cmocka_unit_test(no_machine_has_such_counts),
    };
    return cmocka_run_group_tests_name("model: limits", tests, NULL, NULL);
}
