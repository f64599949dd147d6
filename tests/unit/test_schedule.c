/* SPDX-License-Identifier: BSD-3-Clause */
/* Every schedule, by pure simulation: each block arrives once, nothing deadlocks, the formulas of the papers hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "simulate.h"

static void run_one(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout, int64_t radix, int64_t batch)
{
    const struct shunt_value given[SHUNT_PARAM_COUNT] = {{SHUNT_FORMULA_NUMBER, radix}, {SHUNT_FORMULA_NUMBER, batch}};
    const struct shunt_params params = shunt_registry_params(algorithm, 3, given, layout);
    if (algorithm->infeasible && algorithm->infeasible(layout, &params))
        return;
    const char *error = simulate(algorithm, layout, &params);
    if (error)
        fail_msg("%s radix=%lld batch_size=%lld P=%d N=%d Q=%d..%d: %s", algorithm->name, (long long)radix, (long long)batch, layout->ranks,
                 layout->nodes, layout->ppn_min, layout->ppn_max, error);
}

/* Every row with every radix and several batch sizes. */
static void run_all(const struct shunt_layout *layout)
{
    size_t count;
    const struct shunt_algorithm *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].build)
            continue;
        const int hierarchical = rows[i].params[SHUNT_PARAM_RADIX].max == SHUNT_FORMULA_Q;
        const int64_t most_radix = !rows[i].params[SHUNT_PARAM_RADIX].used ? 2 : hierarchical ? layout->ppn_max : layout->ranks;
        const int64_t most_batch = !rows[i].params[SHUNT_PARAM_BATCH_SIZE].used ? 1 : layout->ranks;
        for (int64_t radix = 2; radix == 2 || radix <= most_radix; radix++)
            for (int64_t batch = 1; batch <= most_batch; batch = batch * 2 + 1)
                run_one(&rows[i], layout, radix, batch);
    }
}

static void flat_layouts_deliver_every_block(void **state)
{
    (void)state;
    for (int P = 1; P <= 40; P++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        run_all(&layout);
        shunt_layout_clear(&layout);
    }
}

static void equal_nodes_deliver_every_block(void **state)
{
    (void)state;
    for (int N = 1; N <= 5; N++) {
        for (int Q = 1; Q <= 8; Q++) {
            int keys[40];
            struct shunt_layout blocks, cyclic;
            assert_int_equal(shunt_layout_blocks(&blocks, N * Q, N), 0);
            for (int p = 0; p < N * Q; p++)
                keys[p] = p % N;
            assert_int_equal(shunt_layout_from_keys(&cyclic, N * Q, keys), 0);
            run_all(&blocks);
            run_all(&cyclic);
            shunt_layout_clear(&blocks);
            shunt_layout_clear(&cyclic);
        }
    }
}

static void unequal_and_scrambled_nodes_deliver_every_block(void **state)
{
    (void)state;
    static const int sizes[][5] = {{3, 5, 8, 1}, {1, 7}, {8, 1, 1}, {2, 3}, {5, 5, 4}, {1, 1, 1, 6}, {4, 2, 7, 3, 1}};
    srand(7);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int scramble = 0; scramble < 3; scramble++) {
            int keys[40], P = 0;
            for (int n = 0; n < 5; n++)
                for (int k = 0; k < sizes[i][n]; k++)
                    keys[P++] = 100 - n;
            for (int k = 0; scramble && k < P; k++) {
                const int other = rand() % P, key = keys[k];
                keys[k] = keys[other];
                keys[other] = key;
            }
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_from_keys(&layout, P, keys), 0);
            run_all(&layout);
            shunt_layout_clear(&layout);
        }
    }
}

static int64_t digits(int64_t n, int64_t radix)
{
    int64_t w = 0;
    for (; n > 0; n /= radix)
        w++;
    return w;
}

static int64_t power_of(int64_t radix, int64_t exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= radix;
    return power;
}

/* Fan and Kumar: K = (w-1)(r-1) + ceil(P / r^(w-1)) - 1. Fan 2025, section 3.3: P - K - 1 slots, used one to one. */
static void radix_formulas_hold(void **state)
{
    (void)state;
    for (int64_t P = 2; P <= 200; P++) {
        for (int64_t r = 2; r <= P; r++) {
            const int64_t w = digits(P - 1, r), top = power_of(r, w - 1);
            const int64_t K = (w - 1) * (r - 1) + (P + top - 1) / top - 1;
            assert_int_equal(shunt_radix_rounds(P, r), K);
            char *used = calloc((size_t)P, 1);
            int64_t count = 0;
            for (int64_t o = 1; o < P; o++) {
                const int64_t high = power_of(r, digits(o, r) - 1);
                if (o % high == 0)
                    continue;
                const int64_t slot = shunt_radix_slot(o, r);
                assert_in_range(slot, 0, P - K - 2);
                assert_int_equal(used[slot], 0);
                used[slot] = 1;
                count++;
            }
            assert_int_equal(count, P - K - 1);
            free(used);
        }
    }
}

static void parlinna_between_equal_nodes_sends_one_message_per_node(void **state)
{
    (void)state;
    const struct shunt_algorithm *coalesced = shunt_registry_find("parlinna-coalesced");
    const struct shunt_algorithm *staggered = shunt_registry_find("parlinna-staggered");
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 24, 4), 0);
    const struct shunt_params params = {{2, 1}};
    struct shunt_schedule schedule;
    assert_int_equal(coalesced->build(&schedule, &layout, 7, &params), 0);
    assert_int_equal(schedule.step_count, shunt_radix_rounds(6, 2) + 3);
    assert_int_equal(schedule.slots, 4 * 5);
    shunt_schedule_clear(&schedule);
    assert_int_equal(staggered->build(&schedule, &layout, 7, &params), 0);
    assert_int_equal(schedule.step_count, shunt_radix_rounds(6, 2) + 18);
    shunt_schedule_clear(&schedule);
    shunt_layout_clear(&layout);
}

static void layouts_number_nodes_by_lowest_rank(void **state)
{
    (void)state;
    const int keys[] = {9, 4, 9, 1, 4, 4};
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_from_keys(&layout, 6, keys), 0);
    const int nodes[] = {0, 1, 0, 2, 1, 1}, locals[] = {0, 0, 1, 0, 1, 2};
    assert_memory_equal(layout.node_of, nodes, sizeof nodes);
    assert_memory_equal(layout.local_of, locals, sizeof locals);
    assert_int_equal(layout.ppn_min, 1);
    assert_int_equal(layout.ppn_max, 3);
    assert_int_equal(shunt_layout_rank(&layout, 1, 2), 5);
    const int pieces[] = {2, 1};
    assert_int_equal(shunt_layout_subdivide(&layout, pieces, 2), 0);
    assert_int_equal(layout.nodes, 4); /* {0,2}, {1}, {4,5}, {3}: a piece never spans two real nodes */
    assert_int_equal(layout.node_of[4], layout.node_of[5]);
    assert_int_not_equal(layout.node_of[1], layout.node_of[4]);
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_layouts_deliver_every_block),
        cmocka_unit_test(equal_nodes_deliver_every_block),
        cmocka_unit_test(unequal_and_scrambled_nodes_deliver_every_block),
        cmocka_unit_test(radix_formulas_hold),
        cmocka_unit_test(parlinna_between_equal_nodes_sends_one_message_per_node),
        cmocka_unit_test(layouts_number_nodes_by_lowest_rank),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
