/* SPDX-License-Identifier: BSD-3-Clause */
/* When calls go without an agreement, and that ranks which measure different times have the same
 * state: the state machine alone, fed with what a number of ranks would agree on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "communicator/adapt.h"

enum { RANKS = 8, ALL = RANKS * RANKS, PLACES = 4 };

/* Four of the ranks are enough: the machine knows of ranks only what they agree on. */
struct world {
    struct shunt_adapt rank[PLACES];
    uint32_t agreements, natives;
    uint32_t seed;
};

static void begin_by(struct world *w, bool on, bool empty_alone)
{
    memset(w, 0, sizeof *w);
    for (int r = 0; r < PLACES; r++)
        shunt_adapt_begin(&w->rank[r], RANKS, on, empty_alone);
}

static void begin(struct world *w, bool on)
{
    begin_by(w, on, false);
}

/* Another time on each rank, in nanoseconds, the longest on the last: so many microseconds. */
static int64_t time_of(int rank, double most)
{
    return (int64_t)(most * 1e3 * (rank + 1) / PLACES);
}

static void all_alike(const struct world *w)
{
    for (int r = 1; r < PLACES; r++) {
        struct shunt_adapt one = w->rank[r];
        one.mine = w->rank[0].mine;
        assert_int_equal(one.on, w->rank[0].on);
        assert_int_equal(one.busy, w->rank[0].busy);
        assert_int_equal(one.timed, w->rank[0].timed);
        assert_int_equal(one.left, w->rank[0].left);
        assert_int_equal(one.length, w->rank[0].length);
        assert_int_equal(one.rest, w->rank[0].rest);
        assert_int_equal(one.routed, w->rank[0].routed);
        assert_int_equal(one.native, w->rank[0].native);
        assert_int_equal(one.says, w->rank[0].says);
    }
}

/* One call with so many blocks of 8 bytes, which takes so many microseconds, routed and native.
 * Returns whether it was native without an agreement. */
static bool call(struct world *w, uint64_t blocks, double routed, double native)
{
    all_alike(w);
    if (w->rank[0].left > 0) {
        const bool timed = w->rank[0].left <= SHUNT_ADAPT_TIMED;
        for (int r = 0; r < PLACES; r++) {
            shunt_adapt_passed(&w->rank[r], 1);
            if (timed)
                shunt_adapt_passed_in(&w->rank[r], time_of(r, native));
        }
        w->natives++;
        return true;
    }
    struct shunt_agreement all = {0};
    const bool timed = w->rank[0].timed;
    for (int r = 0; r < PLACES; r++) {
        const struct shunt_agreement mine = {.time = w->rank[r].busy ? shunt_adapt_say(&w->rank[r])
                                                                     : 0};
        shunt_agreement_add(&all, &mine);
    }
    all.blocks = blocks;
    all.total = 8 * blocks;
    for (int r = 0; r < PLACES; r++) {
        shunt_adapt_hear(&w->rank[r], &all);
        if (timed)
            shunt_adapt_took(&w->rank[r], time_of(r, routed));
    }
    w->agreements++;
    return false;
}

static void calls(struct world *w, int count, uint64_t blocks, double routed, double native)
{
    for (int i = 0; i < count; i++)
        call(w, blocks, routed, native);
}

static void empty_calls_stop_to_agree(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    calls(&w, SHUNT_ADAPT_NEEDED, 0, 20, 0.4);
    assert_int_equal(w.agreements, SHUNT_ADAPT_NEEDED);
    assert_true(call(&w, 0, 20, 0.4));
    calls(&w, 100000 - SHUNT_ADAPT_NEEDED - 1, 0, 20, 0.4);
    assert_int_equal(w.natives + w.agreements, 100000);
    /* A look between two stretches, of 16, 64, 256, 1,024 and then 4,096 calls. */
    assert_true(w.agreements < SHUNT_ADAPT_NEEDED + 4 + 100000 / SHUNT_ADAPT_MOST + 1);
}

static void sparse_calls_stop_where_native_is_faster(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    calls(&w, 20000, RANKS, 20, 3);
    assert_true(w.agreements < 40);
    /* Where routed calls are faster, a few are native by trial, and then ever fewer. */
    begin(&w, true);
    calls(&w, 20000, RANKS, 3, 20);
    assert_int_equal(w.natives % SHUNT_ADAPT_TRIAL, 0);
    assert_true(w.natives > 0 && w.natives <= 4 * SHUNT_ADAPT_TRIAL);
}

static void the_threshold_is_exact(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    calls(&w, 1000, ALL / 4, 20, 3);
    assert_true(w.natives > 900);
    begin(&w, true);
    calls(&w, 1000, ALL / 4 + 1, 20, 3);
    assert_int_equal(w.natives, 0);
    assert_false(w.rank[0].busy);
}

static void dense_calls_end_a_stretch_at_the_next_look(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    calls(&w, 5000, 0, 20, 0.4);
    while (w.rank[0].left > 0)
        call(&w, ALL, 5, 50);
    w.natives = 0;
    calls(&w, 10000, ALL, 5, 50);
    assert_int_equal(w.natives, 0);
    assert_false(w.rank[0].busy);
    /* And sparse ones begin another, after a rest. */
    calls(&w, SHUNT_ADAPT_REST_MOST, 0, 20, 0.4);
    assert_true(w.natives > SHUNT_ADAPT_REST_MOST * 9 / 10);
}

static void alternating_calls_go_on_agreeing(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    for (int i = 0; i < 10000; i++)
        calls(&w, 1, i % 2 == 0 ? 0 : ALL, 20, i % 2 == 0 ? 0.4 : 50);
    assert_int_equal(w.natives, 0);
    /* Periods in which a stretch begins sparse and ends dense: ever fewer tries. */
    begin(&w, true);
    for (int i = 0; i < 20000; i++)
        calls(&w, 1, i / 5 % 2 == 0 ? 0 : ALL, 20, i / 5 % 2 == 0 ? 0.4 : 50);
    assert_true(w.natives < 1000);
}

/* Dense calls are the guard's to judge. */
static void dense_calls_go_on_agreeing(void **state)
{
    (void)state;
    struct world w;
    begin(&w, true);
    calls(&w, 20000, ALL, 20, 10);
    assert_int_equal(w.natives, 0);
    assert_false(w.rank[0].busy);
}

/* Where others judge calls that send anything, as lessons do. */
static void of_empty_calls_alone_nothing_else_is_heard(void **state)
{
    (void)state;
    struct world w;
    begin_by(&w, true, true);
    calls(&w, 20000, ALL, 20, 10);
    calls(&w, 20000, 1, 20, 3);
    assert_int_equal(w.natives, 0);
    assert_false(w.rank[0].busy);
    calls(&w, 1000, 0, 20, 0.4);
    assert_true(w.natives > 900);
    while (w.rank[0].left > 0)
        call(&w, ALL, 20, 10);
    w.natives = 0;
    calls(&w, 10000, ALL, 20, 10);
    assert_int_equal(w.natives, 0);
    for (int i = 0; i < 10000; i++)
        calls(&w, 1, i % 2 == 0 ? 0 : ALL, 20, i % 2 == 0 ? 0.4 : 10);
    assert_int_equal(w.natives, 0);
}

static void switched_off_it_does_nothing(void **state)
{
    (void)state;
    struct world w;
    begin(&w, false);
    calls(&w, 1000, 0, 20, 0.4);
    assert_int_equal(w.natives, 0);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* Whatever comes, in whatever order: ranks have the same state, and stretches have their bounds. */
static void any_mixture_leaves_ranks_alike(void **state)
{
    (void)state;
    struct world w;
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t seed = round, run = 0;
        uint64_t blocks = 0;
        begin_by(&w, true, round % 3 == 0);
        for (int i = 0; i < 3000; i++) {
            if (run-- == 0) {
                run = next_random(&seed) % (1 + next_random(&seed) % 300);
                blocks = next_random(&seed) % 3 == 0 ? 0 : next_random(&seed) % (ALL + 1);
            }
            call(&w, blocks, 1 + next_random(&seed) % 40, 1 + next_random(&seed) % 40);
            assert_true(w.rank[0].left <= SHUNT_ADAPT_MOST);
        }
        assert_int_equal(w.natives + w.agreements, 3000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_calls_stop_to_agree),
        cmocka_unit_test(sparse_calls_stop_where_native_is_faster),
        cmocka_unit_test(the_threshold_is_exact),
        cmocka_unit_test(dense_calls_end_a_stretch_at_the_next_look),
        cmocka_unit_test(alternating_calls_go_on_agreeing),
        cmocka_unit_test(dense_calls_go_on_agreeing),
        cmocka_unit_test(of_empty_calls_alone_nothing_else_is_heard),
        cmocka_unit_test(switched_off_it_does_nothing),
        cmocka_unit_test(any_mixture_leaves_ranks_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
