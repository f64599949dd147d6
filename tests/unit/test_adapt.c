/* SPDX-License-Identifier: BSD-3-Clause */
/* When calls go without an agreement: the state machine alone, fed with what ranks would agree on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "comm/adapt.h"

enum { RANKS = 8, ALL = RANKS * RANKS };

struct world {
    struct shunt_adapt adapt;
    uint32_t agreements, natives;
};

static struct world begin(bool on, uint64_t most)
{
    struct world w = {.natives = 0};
    shunt_adapt_begin(&w.adapt, on, most);
    return w;
}

/* One call with so many blocks. Returns whether it was native without an agreement. */
static bool call(struct world *w, uint64_t blocks)
{
    if (w->adapt.left > 0) {
        w->adapt.left--;
        w->natives++;
        return true;
    }
    shunt_adapt_hear(&w->adapt, blocks);
    w->agreements++;
    return false;
}

static void calls(struct world *w, int count, uint64_t blocks)
{
    for (int i = 0; i < count; i++)
        call(w, blocks);
}

/* Nothing is left to be done for calls with many blocks. */
static bool is_quiet(const struct world *w)
{
    return w->adapt.row == 0 && w->adapt.rest == 0 && w->adapt.left == 0;
}

static void empty_calls_stop_to_agree(void **state)
{
    (void)state;
    struct world w = begin(true, RANKS);
    calls(&w, SHUNT_ADAPT_NEEDED, 0);
    assert_int_equal(w.agreements, SHUNT_ADAPT_NEEDED);
    assert_true(call(&w, 0));
    calls(&w, 100000 - SHUNT_ADAPT_NEEDED - 1, 0);
    assert_int_equal(w.natives + w.agreements, 100000);
    /* A look between two stretches, of 16, 64, 256, 1,024 and then 4,096 calls. */
    assert_true(w.agreements < SHUNT_ADAPT_NEEDED + 4 + 100000 / SHUNT_ADAPT_MOST + 1);
}

static void the_threshold_is_exact(void **state)
{
    (void)state;
    struct world w = begin(true, RANKS);
    calls(&w, 1000, RANKS);
    assert_true(w.natives > 900);
    w = begin(true, RANKS);
    calls(&w, 1000, RANKS + 1);
    assert_int_equal(w.natives, 0);
    assert_true(is_quiet(&w));
}

static void dense_calls_end_a_stretch_at_the_next_look(void **state)
{
    (void)state;
    struct world w = begin(true, RANKS);
    calls(&w, 5000, 0);
    while (w.adapt.left > 0)
        call(&w, ALL);
    w.natives = 0;
    calls(&w, 10000, ALL);
    assert_int_equal(w.natives, 0);
    assert_true(is_quiet(&w));
    /* And sparse ones begin another, after a rest. */
    calls(&w, SHUNT_ADAPT_REST_MOST, 0);
    assert_true(w.natives > SHUNT_ADAPT_REST_MOST * 9 / 10);
}

static void alternating_calls_go_on_agreeing(void **state)
{
    (void)state;
    struct world w = begin(true, RANKS);
    for (int i = 0; i < 10000; i++)
        call(&w, i % 2 == 0 ? 0 : ALL);
    assert_int_equal(w.natives, 0);
    /* Periods in which a stretch begins sparse and ends dense: ever fewer tries. */
    w = begin(true, RANKS);
    for (int i = 0; i < 20000; i++)
        call(&w, i / 5 % 2 == 0 ? 0 : ALL);
    assert_true(w.natives < 1000);
}

/* Dense calls are the guard's to judge. */
static void dense_calls_go_on_agreeing(void **state)
{
    (void)state;
    struct world w = begin(true, RANKS);
    calls(&w, 20000, ALL);
    assert_int_equal(w.natives, 0);
    assert_true(is_quiet(&w));
}

/* Where lessons judge calls that send anything. */
static void of_empty_calls_alone_nothing_else_is_heard(void **state)
{
    (void)state;
    struct world w = begin(true, 0);
    calls(&w, 20000, ALL);
    calls(&w, 20000, 1);
    assert_int_equal(w.natives, 0);
    assert_true(is_quiet(&w));
    calls(&w, 1000, 0);
    assert_true(w.natives > 900);
}

static void switched_off_it_does_nothing(void **state)
{
    (void)state;
    struct world w = begin(false, RANKS);
    calls(&w, 1000, 0);
    assert_int_equal(w.natives, 0);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* Whatever comes, in whatever order: stretches have their bounds. */
static void any_mixture_keeps_the_bounds(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        struct world w = begin(true, round % 3 == 0 ? 0 : RANKS);
        uint32_t seed = round, run = 0;
        uint64_t blocks = 0;
        for (int i = 0; i < 3000; i++) {
            if (run-- == 0) {
                run = next_random(&seed) % (1 + next_random(&seed) % 300);
                blocks = next_random(&seed) % 3 == 0 ? 0 : next_random(&seed) % (ALL + 1);
            }
            call(&w, blocks);
            assert_true(w.adapt.left <= SHUNT_ADAPT_MOST);
        }
        assert_int_equal(w.natives + w.agreements, 3000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_calls_stop_to_agree),
        cmocka_unit_test(the_threshold_is_exact),
        cmocka_unit_test(dense_calls_end_a_stretch_at_the_next_look),
        cmocka_unit_test(alternating_calls_go_on_agreeing),
        cmocka_unit_test(dense_calls_go_on_agreeing),
        cmocka_unit_test(of_empty_calls_alone_nothing_else_is_heard),
        cmocka_unit_test(switched_off_it_does_nothing),
        cmocka_unit_test(any_mixture_keeps_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
