/* SPDX-License-Identifier: BSD-3-Clause */
/* test_choose.c: the choice where no rule matches: its answers, and its objectives. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "choices.h"

static void without_a_description_all_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    const struct shunt_choose ask = ask_of(NULL, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    assert_true(all_native(&choices));
    assert_int_equal(choices.work, 0);
    shunt_layout_clear(&layout);
}

static void what_cannot_be_meant_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    struct shunt_machine machine = cluster();
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    struct shunt_choices choices = choose(&ask);
    assert_false(all_native(&choices));
    ask.margin = 0;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    ask.margin = 3;
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    ask.weight[SHUNT_OBJECTIVE_TIME] = 1;
    machine.link[SHUNT_LEVEL_BETWEEN].overhead = -1;
    choices = choose(&ask);
    assert_true(all_native(&choices));
    shunt_layout_clear(&layout);
}

static void one_rank_is_native(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    blocks(&layout, 1, 1);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_choose ask = ask_of(&machine, (enum shunt_op)op, &layout);
        const struct shunt_choices choices = choose(&ask);
        assert_true(all_native(&choices));
    }
    shunt_layout_clear(&layout);
}

static bool same(const struct shunt_choices *a, const struct shunt_choices *b)
{
    bool equal = a->count == b->count && a->work == b->work;
    for (size_t i = 0; i < a->count && equal; i++)
        equal = a->choice[i].from == b->choice[i].from &&
                a->choice[i].algorithm == b->choice[i].algorithm &&
                a->choice[i].gain == b->choice[i].gain &&
                memcmp(&a->choice[i].params, &b->choice[i].params, sizeof a->choice[i].params) == 0;
    return equal;
}

/* Ranks compute it each for itself, from copies of what was agreed. */
static void equal_requests_get_equal_answers(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster(), copy = machine;
    struct shunt_layout layout, other;
    unequal(&layout);
    assert_int_equal(shunt_layout_copy(&other, &layout), 0);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_choose a = ask_of(&machine, (enum shunt_op)op, &layout),
                                  b = ask_of(&copy, (enum shunt_op)op, &other);
        const struct shunt_choices first = choose(&a), second = choose(&b);
        assert_true(same(&first, &second));
    }
    shunt_layout_clear(&layout);
    shunt_layout_clear(&other);
}

static void memory_is_kept_within_its_cap(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    bool all = true;
    for (ask.memory = 0; ask.memory <= 1 << 20; ask.memory = 8 * ask.memory + 4096) {
        const struct shunt_choices choices = choose(&ask);
        all = all && all_native(&choices);
        for (size_t i = 0; i + 1 < choices.count; i++) {
            const struct shunt_choice *choice = &choices.choice[i];
            if (!is_native(choice) && choice->algorithm->memory)
                assert_true(choice->algorithm->memory(&layout, &choice->params,
                                                      choices.choice[i + 1].from - 1) <=
                            ask.memory);
        }
    }
    assert_false(all);
    shunt_layout_clear(&layout);
}

static void what_nodes_cannot_share_is_not_chosen(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    layout.segment_block = -1;
    layout.peer_read = false;
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    for (size_t i = 0; i < choices.count; i++)
        assert_false(shunt_kind_shares(choices.choice[i].algorithm->kind) &&
                     choices.choice[i].algorithm->kind != SHUNT_KIND_READ);
    shunt_layout_clear(&layout);
}

/* Of the paper's three costs: energy as time; memory alone never pays, beside time it counts. */
static void each_objective_counts(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_MEMORY] = 1;
    ask.margin = 1;
    struct shunt_choices choices = choose(&ask);
    for (size_t i = 0; i < choices.count; i++) /* all that needs no memory is as good as native */
        assert_true(is_native(&choices.choice[i]));
    /* A hundredth: blocks of a byte need many times their size. */
    ask.weight[SHUNT_OBJECTIVE_TIME] = 1;
    ask.weight[SHUNT_OBJECTIVE_MEMORY] = 0.01;
    const struct shunt_choices both = choose(&ask);
    const size_t first = is_native(&both.choice[0]);
    assert_true(first < both.count);
    const int64_t low = both.choice[first].from > 0 ? both.choice[first].from : 1;
    assert_true(both.choice[first].gain <
                gain_of(&ask, &both.choice[first], &machine, &machine, low));
    shunt_layout_clear(&layout);
}

static void energy_is_an_objective(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_ENERGY] = 1;
    ask.margin = 1;
    machine.static_power = 1000; /* so that time is nearly all */
    const struct shunt_choices drawn = choose(&ask);
    assert_false(all_native(&drawn));
    machine.static_power = 0;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        machine.link[level].message_energy = machine.link[level].byte_energy = 0;
    const struct shunt_choices none = choose(&ask); /* nothing is said of energy */
    assert_true(all_native(&none));
    shunt_layout_clear(&layout);
}

/* Messages inside of nodes take energy, reads take none: nothing is divided by that. */
static void a_gain_is_never_more_than_its_most(void **state)
{
    (void)state;
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 8, 1);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    ask.weight[SHUNT_OBJECTIVE_TIME] = 0;
    ask.weight[SHUNT_OBJECTIVE_ENERGY] = 1;
    machine.static_power = 0;
    machine.link[SHUNT_LEVEL_INSIDE].message_energy = 1e-9;
    const struct shunt_choices choices = choose(&ask);
    assert_false(all_native(&choices));
    for (size_t i = 0; i < choices.count; i++)
        if (!is_native(&choices.choice[i]))
            assert_true(choices.choice[i].gain == SHUNT_CHOOSE_GAIN_MOST);
    shunt_layout_clear(&layout);
}

/* Whether numbers follow the rounding mode: under valgrind they do not. */
static bool rounding_can_be_changed(void)
{
    const volatile double one = 1, little = 1e-30;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const volatile double sum = one + little;
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    return sum > one;
}

/* Ranks whose numbers round differently must not decide alone. */
static void unusual_arithmetic_chooses_nothing(void **unused)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    (void)unused;
    if (!rounding_can_be_changed()) {
        print_message("numbers do not follow the rounding mode here\n");
        skip();
    }
    struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    struct shunt_choices choices;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 4), 0);
    const struct shunt_choose ask = {.machine = &machine,
                                     .op = SHUNT_OP_ALLTOALL,
                                     .layout = &layout,
                                     .memory = -1,
                                     .margin = 1,
                                     .weight = {1, 0, 0}};
    assert_int_equal(shunt_choose(&choices, &ask), 0);
    assert_true(choices.count > 1);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const int result = shunt_choose(&choices, &ask);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_int_equal(result, -1);
        assert_int_equal(choices.count, 1);
    }
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unusual_arithmetic_chooses_nothing),
        cmocka_unit_test(without_a_description_all_is_native),
        cmocka_unit_test(what_cannot_be_meant_is_native),
        cmocka_unit_test(one_rank_is_native),
        cmocka_unit_test(equal_requests_get_equal_answers),
        cmocka_unit_test(memory_is_kept_within_its_cap),
        cmocka_unit_test(what_nodes_cannot_share_is_not_chosen),
        cmocka_unit_test(each_objective_counts),
        cmocka_unit_test(energy_is_an_objective),
        cmocka_unit_test(a_gain_is_never_more_than_its_most),
    };
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
