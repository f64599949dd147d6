/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of what ranks share inside nodes and send between them, against layouts built block by
 * block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "schedule/bundle.h"

/* Bytes of a chunk of `ppn` blocks, as an executor lays it out. */
static int64_t chunk(int ppn, int64_t block)
{
    const int64_t ends = 4 * ((int64_t)ppn + 1), blocks = ppn * block;
    return (ends + 7) / 8 * 8 + (blocks + 7) / 8 * 8;
}

static int64_t area(const struct shunt_layout *layout, int64_t block)
{
    int64_t bytes = 8 * ((int64_t)layout->nodes + 1);
    for (int n = 0; n < layout->nodes; n++)
        bytes += chunk(shunt_layout_ppn(layout, n), block);
    return bytes;
}

static void check(const struct shunt_layout *layout, int64_t capacity)
{
    assert_true(shunt_area_bytes(layout, capacity) >= area(layout, capacity));
    assert_int_equal(shunt_area_bytes(layout, capacity) % 64, 0);
    for (int n = 0; n < layout->nodes; n++) {
        const int to = shunt_layout_ppn(layout, n);
        const int64_t bundle =
            64 + (4 * (int64_t)layout->ppn_max + 7) / 8 * 8 + layout->ppn_max * chunk(to, capacity);
        assert_true(shunt_bundle_most(layout->ppn_max, to, capacity) >= bundle);
    }
}

static void every_block_has_its_room(void **state)
{
    (void)state;
    for (int P = 1; P <= 40; P++) {
        for (int N = 1; N <= P; N++) {
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_blocks(&layout, P, N), 0);
            for (int64_t capacity = 1; capacity < 5000; capacity = capacity * 3 + 1)
                check(&layout, capacity);
            shunt_layout_clear(&layout);
        }
    }
}

/* What is copied in part by part: the node itself first, then, as parlinna_shared.c sends, those
 * before it; each of them once, and in time for its round. */
static void copied_in_once(const struct shunt_layout *layout, int node, int64_t batch,
                           int64_t parts)
{
    const int N = layout->nodes;
    const uint32_t rounds = (uint32_t)((N - 1 + batch - 1) / batch),
                   ahead = shunt_collect_ahead(rounds, parts);
    int next = 0, ranks = 0;
    assert_true(ahead >= 1 && ahead * parts >= rounds);
    for (uint32_t i = 0; i == 0 || ahead + i <= rounds; i++) {
        const struct shunt_node_range nodes = shunt_collect_nth(layout, node, batch, ahead, i);
        for (int k = nodes.count - 1; k >= 0; k--, next++) /* the nearest is the last */
            assert_int_equal((nodes.first + k) % N, (node - next + N) % N);
        ranks += shunt_node_range_ranks(layout, nodes);
        const int64_t due = (ahead + i) * batch; /* distances of rounds 0..ahead+i-1 */
        assert_int_equal(next, due < N - 1 ? due + 1 : N);
    }
    assert_int_equal(next, N);
    assert_int_equal(ranks, layout->ranks);
    assert_int_equal(shunt_collect_nodes(layout, node, batch, rounds, rounds + 3).count,
                     rounds == 0 ? 1 : 0);
}

static void parts_have_every_node_once(void **state)
{
    (void)state;
    for (int N = 1; N <= 12; N++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, 3 * N - 1, N), 0);
        for (int node = 0; node < N; node++)
            for (int64_t batch = 1; batch <= N; batch++)
                for (int64_t parts = 1; parts <= N; parts++)
                    copied_in_once(&layout, node, batch, parts);
        shunt_layout_clear(&layout);
    }
}

/* Bundles that arrive at a node: one per digit of each offset that is not 0. */
static void passing_bundles_are_counted(void **state)
{
    (void)state;
    for (int N = 1; N <= 64; N++) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, N, N), 0);
        for (int64_t radix = 2; radix <= N; radix++) {
            int64_t hops = 0;
            for (int64_t o = 1; o < N; o++)
                for (int64_t rest = o; rest > 0; rest /= radix)
                    hops += rest % radix != 0;
            const struct shunt_node_messages messages = shunt_node_messages_of(&layout, 1, radix);
            assert_int_equal(messages.arriving, radix >= N ? N - 1 : hops);
            assert_true(messages.leaving >= 1 && messages.leaving < N);
        }
        shunt_layout_clear(&layout);
    }
}

static void memory_never_decreases_and_overflows_to_the_largest(void **state)
{
    (void)state;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 64, 8), 0);
    const struct shunt_algorithm *algorithm = shunt_registry_find("node-pair");
    const struct shunt_params params = shunt_params_evaluate(algorithm, 0, NULL, &layout);
    int64_t before = 0;
    for (int64_t block = 0; block < INT64_MAX / 4; block = block * 2 + 1) {
        const int64_t bytes = algorithm->memory(&layout, &params, block);
        assert_true(bytes >= before);
        before = bytes;
    }
    assert_true(before == INT64_MAX);
    layout.segment_block = 100;
    assert_true(algorithm->memory(&layout, &params, 100) < INT64_MAX);
    assert_true(algorithm->memory(&layout, &params, 101) == INT64_MAX);
    assert_null(algorithm->infeasible(&layout, &params));
    layout.segment_block = -1;
    assert_non_null(algorithm->infeasible(&layout, &params));
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_has_its_room),
        cmocka_unit_test(parts_have_every_node_once),
        cmocka_unit_test(passing_bundles_are_counted),
        cmocka_unit_test(memory_never_decreases_and_overflows_to_the_largest),
    };
    return cmocka_run_group_tests_name("bundle", tests, NULL, NULL);
}
