/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces that communicators left behind: however many there are, each is found once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "communicator/debts.h"

enum { MANY = 1000 };

static const struct shunt_segment *segment(uintptr_t number)
{
    return (const struct shunt_segment *)(16 * number);
}

static void test_many(void **state)
{
    uint32_t finder = 0;
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(shunt_debts_owe(segment(1 + i % 3), i / 2, i));
    for (uint32_t i = 0; i < MANY; i++) {
        assert_true(shunt_debts_take(segment(1 + i % 3), i / 2, &finder));
        assert_int_equal(finder, i);
        assert_false(shunt_debts_take(segment(1 + i % 3), i / 2, &finder));
    }
}

static void test_forget(void **state)
{
    uint32_t finder = 0;
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(shunt_debts_owe(segment(1 + i % 2), 7, i));
    shunt_debts_forget(segment(1));
    assert_false(shunt_debts_take(segment(1), 7, &finder));
    for (uint32_t i = 0; i < MANY / 2; i++) {
        assert_true(shunt_debts_take(segment(2), 7, &finder));
        assert_int_equal(finder % 2, 1);
    }
    assert_false(shunt_debts_take(segment(2), 7, &finder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_forget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
