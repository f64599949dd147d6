/* SPDX-License-Identifier: BSD-3-Clause */
/* test_choose_margin.c: what is chosen keeps its margin, however wrong the description and however
 * little work the choice may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "choices.h"

/* Each parameter somewhere in the box, by itself. */
static struct shunt_machine astray(const struct shunt_machine *machine, uint32_t *seed)
{
    struct shunt_machine result = *machine;
    for (int i = 0; i < FIELDS; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        const double at = (double)(*seed >> 8) / (1 << 24), box = SHUNT_CHOOSE_BOX;
        *field(&result, i) *= 1 / box + at * (box - 1 / box);
    }
    return result;
}

/* At both ends of every range, native's time at the good end of the box against the candidate's at
 * the bad one; and in between, where it must at least be no loss. */
static void check_margin(const struct shunt_choose *ask, const struct shunt_choices *choices)
{
    const struct shunt_machine good = scaled(ask->machine, 1 / SHUNT_CHOOSE_BOX),
                               bad = scaled(ask->machine, SHUNT_CHOOSE_BOX);
    const double nearly = 1 - 1e-9;
    for (size_t i = 0; i < choices->count; i++) {
        const struct shunt_choice *choice = &choices->choice[i];
        if (is_native(choice)) {
            assert_true(choice->gain == 0);
            continue;
        }
        assert_true(i + 1 < choices->count); /* above the largest size all is native */
        int64_t low = choice->from > 0 ? choice->from : 1, high = choices->choice[i + 1].from - 1;
        for (int64_t block = low; block <= high; block += 1 + (high - low) / 7) {
            const double least = gain_of(ask, choice, &good, &bad, block),
                         predicted = gain_of(ask, choice, ask->machine, ask->machine, block);
            assert_true(least >= nearly);
            assert_true(predicted >= nearly * SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX);
        }
        assert_true(choice->gain >= nearly * ask->margin * SHUNT_CHOOSE_BOX * SHUNT_CHOOSE_BOX);
    }
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const struct shunt_choice *choice = choice_at(choices, size);
        if (!is_native(choice))
            assert_true(gain_of(ask, choice, &good, &bad, size) >= nearly * ask->margin);
    }
}

static void the_margin_holds_in_the_worst_case(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{16, 16}, {64, 4}, {48, 1}, {30, 7}};
    struct shunt_machine machines[2] = {cluster()};
    size_t chosen = 0;
    shunt_machine_paper(&machines[1]);
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int i = 0; i < 4; i++) {
            struct shunt_choose ask = ask_of(&machines[i / 2], (enum shunt_op)(i % 2), &layout);
            for (int margin = 1; margin < 4; margin += 2) {
                ask.margin = margin;
                const struct shunt_choices choices = choose(&ask);
                check_margin(&ask, &choices);
                chosen += !all_native(&choices);
            }
        }
        shunt_layout_clear(&layout);
    }
    assert_true(chosen > 0);
}

/* Descriptions that are wrong in each number by itself, differently for the two sides. */
static void it_holds_anywhere_in_the_box(void **state)
{
    (void)state;
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    uint32_t seed = 7;
    blocks(&layout, 64, 4);
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    const struct shunt_choices choices = choose(&ask);
    size_t looked = 0;
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const struct shunt_choice *choice = choice_at(&choices, size);
        for (int i = 0; i < 20 && !is_native(choice); i++) {
            const struct shunt_machine one = astray(&machine, &seed),
                                       other = astray(&machine, &seed);
            assert_true(gain_of(&ask, choice, &one, &other, size) >= (1 - 1e-9) * ask.margin);
            looked++;
        }
    }
    assert_true(looked > 0);
    shunt_layout_clear(&layout);
}

/* With a higher margin never a size more. */
static void a_higher_margin_chooses_less(void **state)
{
    (void)state;
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 64, 4);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
    struct shunt_choices before;
    ask.margin = 1;
    before = choose(&ask);
    assert_false(all_native(&before));
    ask.margin = 1;
    for (int i = 0; i < 17; i++) {
        ask.margin *= 1.7;
        const struct shunt_choices choices = choose(&ask);
        for (int64_t size = 1; size <= INT64_C(2) * SHUNT_CHOOSE_LARGEST; size += 1 + size / 5)
            if (is_native(choice_at(&before, size)))
                assert_true(is_native(choice_at(&choices, size)));
        before = choices;
    }
    assert_true(all_native(&before));
    shunt_layout_clear(&layout);
}

/* Whatever the size of the job: bounded, and the same bound for any machine. */
static void work_is_bounded(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{128, 1}, {1024, 1}, {4096, 64}, {16384, 256}, {16384, 16384}};
    const struct shunt_machine machine = cluster();
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        blocks(&layout, shapes[s][0], shapes[s][1]);
        const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALLV, &layout);
        const struct shunt_choices choices = choose(&ask);
        assert_true(choices.work >= 1 && choices.work <= shunt_choose_limit(shapes[s][0]));
        shunt_layout_clear(&layout);
    }
}

/* Work that is used up leaves what was found, and nothing that was not. */
static void what_is_left_out_for_want_of_work_is_native(void **state)
{
    (void)state;
    not_under_valgrind();
    const struct shunt_machine machine = cluster();
    struct shunt_layout layout;
    blocks(&layout, 128, 2);
    struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    for (int margin = 1; margin < 4; margin += 2) {
        ask.margin = margin;
        const struct shunt_choices choices = choose(&ask);
        assert_true(choices.limited);
        assert_false(all_native(&choices));
        check_margin(&ask, &choices);
        for (size_t i = 0; i + 1 < choices.count; i++)
            if (!is_native(&choices.choice[i]))
                assert_true(choices.choice[i + 1].from > choices.choice[i].from + 1);
    }
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_margin_holds_in_the_worst_case),
        cmocka_unit_test(it_holds_anywhere_in_the_box),
        cmocka_unit_test(a_higher_margin_chooses_less),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(what_is_left_out_for_want_of_work_is_native),
    };
    return cmocka_run_group_tests_name("choose: margin", tests, NULL, NULL);
}
