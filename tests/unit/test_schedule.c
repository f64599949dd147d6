/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_schedule.c: every schedule of the registry, by pure simulation: each block arrives once,
 * nothing deadlocks, and memory is bounded. tests/sample builds it again with one row more, so what
 * runs over all rows belongs here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "radices.h"
#include "simulate.h"

/* The most ranks of a sweep; SHUNT_TEST_RANKS lowers it. */
static int most_ranks(int wanted)
{
    const char *text = getenv("SHUNT_TEST_RANKS");
    const int most = text ? (int)strtol(text, NULL, 10) : wanted;
    return most < wanted ? most : wanted;
}

static void run_one(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout,
                    struct shunt_radices radices, int64_t batch, enum shunt_metadata metadata)
{
    const struct shunt_params params = params_of(algorithm, layout, radices, batch, metadata);
    if (algorithm->infeasible && algorithm->infeasible(layout, &params))
        return;
    const char *error = simulate(algorithm, layout, &params);
    char text[128];
    shunt_param_print(&params, SHUNT_PARAM_RADIX, text, sizeof text);
    if (error)
        fail_msg("%s radix=%s batch_size=%lld metadata=%s P=%d N=%d Q=%d..%d: %s", algorithm->name,
                 text, (long long)batch, shunt_param_word(SHUNT_PARAM_METADATA, metadata),
                 layout->ranks, layout->nodes, layout->ppn_min, layout->ppn_max, error);
}

static int in_two_levels(const struct shunt_algorithm *algorithm)
{
    return algorithm->params[SHUNT_PARAM_RADIX].max == SHUNT_FORMULA_Q ||
           algorithm->kind == SHUNT_KIND_SEGMENT || algorithm->kind == SHUNT_KIND_COLLECT;
}

enum rows_wanted { ROWS_ALL, ROWS_IN_TWO_LEVELS };

/* SHUNT_TEST_ALGORITHM=name: sweeps over this row only. */
static bool is_wanted(const struct shunt_algorithm *algorithm)
{
    const char *name = getenv("SHUNT_TEST_ALGORITHM");
    return !name || strcmp(name, algorithm->name) == 0;
}

static void the_wanted_row_is_in_the_registry(void **state)
{
    (void)state;
    const char *name = getenv("SHUNT_TEST_ALGORITHM");
    if (name && !shunt_registry_find(name))
        fail_msg("no algorithm is named %s", name);
}

/* Every row with every radix, several batch sizes and both ways of metadata. */
static void run_all(const struct shunt_layout *layout, enum rows_wanted wanted)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (!rows[i]->build || !is_wanted(rows[i]) ||
            (wanted == ROWS_IN_TWO_LEVELS && !in_two_levels(rows[i])))
            continue;
        const struct shunt_param_spec *radix_spec = &rows[i]->params[SHUNT_PARAM_RADIX];
        const int64_t most_radix =
            radix_spec->used ? shunt_value_eval((struct shunt_value){radix_spec->max, 0}, layout)
                             : 2;
        /* Of many ranks together, batched_substeps_deliver_every_block tells more. */
        const int64_t most_batch =
            rows[i]->params[SHUNT_PARAM_BATCH_SIZE].used && layout->ranks <= 40 ? layout->ranks : 1;
        for (int64_t radix = 2; radix == 2 || radix <= most_radix; radix++)
            for (int64_t batch = 1; batch <= most_batch; batch = batch * 2 + 1)
                for (int m = 0; m <= (rows[i]->params[SHUNT_PARAM_METADATA].used ? 1 : 0); m++)
                    run_one(rows[i], layout, one(radix), batch, (enum shunt_metadata)m);
    }
}

static void flat_layouts_deliver_every_block(void **state)
{
    (void)state;
    for (int P = 1; P <= most_ranks(64); P = next_size(P)) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        run_all(&layout, ROWS_ALL);
        shunt_layout_clear(&layout);
    }
}

/* Substeps of a digit in flight together: as many as batch_size says, in all numbers of rounds
 * between one per substep and one per digit.
 */
static void batched_substeps_deliver_every_block(void **state)
{
    (void)state;
    const struct shunt_algorithm *parlogna = shunt_registry_find("parlogna");
    for (int P = 1; P <= most_ranks(64); P = next_size(P)) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
        for (int64_t radix = 2; radix == 2 || radix <= P; radix++) {
            const int64_t batches[] = {1, 2, 3, 5, radix / 2, radix - 2, radix - 1, P};
            for (size_t b = 0; b < sizeof batches / sizeof batches[0]; b++)
                if (batches[b] >= 1)
                    run_one(parlogna, &layout, one(radix), batches[b],
                            b % 2 == 0 ? SHUNT_METADATA_FUSED : SHUNT_METADATA_SEPARATE);
        }
        shunt_layout_clear(&layout);
    }
}

static uint32_t rounds_of(const char *name, const struct shunt_layout *layout, int64_t radix,
                          int64_t batch, enum shunt_metadata metadata)
{
    const struct shunt_params params = {{[SHUNT_PARAM_RADIX] = radix,
                                         [SHUNT_PARAM_BATCH_SIZE] = batch,
                                         [SHUNT_PARAM_METADATA] = metadata}};
    struct shunt_schedule schedule;
    assert_int_equal(shunt_registry_find(name)->build(&schedule, layout, 3, &params), 0);
    const uint32_t rounds = schedule.round_count;
    shunt_schedule_clear(&schedule);
    return rounds;
}

static void batches_and_digits_make_rounds(void **state)
{
    (void)state;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 1), 0);
    assert_int_equal(rounds_of("parlogna", &layout, 2, 15, SHUNT_METADATA_FUSED), 4);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 1, SHUNT_METADATA_SEPARATE), 6);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 2, SHUNT_METADATA_FUSED), 4);
    assert_int_equal(rounds_of("parlogna", &layout, 4, 15, SHUNT_METADATA_SEPARATE), 2);
    assert_int_equal(rounds_of("parlogna", &layout, 16, 15, SHUNT_METADATA_FUSED), 1);
    assert_int_equal(rounds_of("bruck", &layout, 4, 0, SHUNT_METADATA_FUSED), 6);
    shunt_layout_clear(&layout);
    assert_int_equal(shunt_layout_blocks(&layout, 48, 3), 0);
    assert_int_equal(rounds_of("parlinna-coalesced", &layout, 4, 2, SHUNT_METADATA_SEPARATE),
                     6 + 1);
    assert_int_equal(rounds_of("parlinna-coalesced", &layout, 4, 2, SHUNT_METADATA_FUSED), 2 + 1);
    shunt_layout_clear(&layout);
}

static void mixed_radices_deliver_every_block(void **state)
{
    (void)state;
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (int P = 1; P <= most_ranks(64); P = next_size(P)) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, P % 3 + 1), 0);
        for (size_t i = 0; i < count; i++)
            for (int number = P % 5; rows[i]->build && is_wanted(rows[i]) &&
                                     rows[i]->params[SHUNT_PARAM_RADIX].list && number < LISTS;
                 number += 5)
                run_one(rows[i], &layout, list(number), 2,
                        number % 2 ? SHUNT_METADATA_SEPARATE : SHUNT_METADATA_FUSED);
        shunt_layout_clear(&layout);
    }
}

/* Schedules of nodes, with a rank on each. */
static void nodes_exchange_every_bundle(void **state)
{
    (void)state;
    for (int N = 1; N <= most_ranks(40); N += thin()) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, N, N), 0);
        run_all(&layout, ROWS_IN_TWO_LEVELS);
        shunt_layout_clear(&layout);
    }
}

static void nodes_of_all_sizes_deliver_every_block(void **state)
{
    (void)state;
    for (int N = 1; N <= 6; N++) {
        for (int Q = 1; Q <= 8; Q += thin()) {
            int keys[48], ranks = 0;
            struct shunt_layout blocks, cyclic, unequal;
            assert_int_equal(shunt_layout_blocks(&blocks, N * Q, N), 0);
            for (int p = 0; p < N * Q; p++)
                keys[p] = p % N;
            assert_int_equal(shunt_layout_from_keys(&cyclic, N * Q, keys), 0);
            for (int n = 0; n < N; n++) /* Q ranks on the first node, fewer on others */
                for (int i = n * 5 % Q; i < Q; i++)
                    keys[ranks++] = n;
            assert_int_equal(shunt_layout_from_keys(&unequal, ranks, keys), 0);
            run_all(&blocks, ROWS_IN_TWO_LEVELS);
            run_all(&cyclic, ROWS_IN_TWO_LEVELS);
            run_all(&unequal, ROWS_IN_TWO_LEVELS);
            shunt_layout_clear(&blocks);
            shunt_layout_clear(&cyclic);
            shunt_layout_clear(&unequal);
        }
    }
}

/* Nodes of 1 to 8 ranks; of each size and number of nodes some mixture, in order and scrambled. */
static void scrambled_nodes_deliver_every_block(void **state)
{
    (void)state;
    static const int sizes[][6] = {{3, 5, 8, 1},       {1, 7},
                                   {8, 1, 1},          {2, 3},
                                   {5, 5, 4},          {1, 1, 1, 6},
                                   {4, 2, 7, 3, 1},    {8, 7, 6, 5, 4, 3},
                                   {1, 8, 1, 8, 1, 8}, {2, 2, 2, 2, 2, 3},
                                   {6, 1, 4, 4, 5}};
    srand(7);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += (size_t)thin()) {
        for (int scramble = 0; scramble < 3; scramble++) {
            int keys[48], P = 0;
            for (int n = 0; n < 6; n++)
                for (int k = 0; k < sizes[i][n]; k++)
                    keys[P++] = 100 - n;
            for (int k = 0; scramble && k < P; k++) {
                const int other = rand() % P, key = keys[k];
                keys[k] = keys[other];
                keys[other] = key;
            }
            struct shunt_layout layout;
            assert_int_equal(shunt_layout_from_keys(&layout, P, keys), 0);
            run_all(&layout, ROWS_IN_TWO_LEVELS);
            shunt_layout_clear(&layout);
        }
    }
}

/*
 * What the executor by datatypes relies on: one step in a round, no send block of the user in it,
 * and a place that is sent from and received into in the same positions. In bruck-zero-copy no
 * place is both.
 */
static void datatype_schedules_are_as_their_executor_wants_them(void **state)
{
    (void)state;
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++) {
        for (int P = 2; P <= 40 && rows[i]->kind == SHUNT_KIND_DATATYPE; P += thin()) {
            const int zero_copy = rows[i] == shunt_registry_find("bruck-zero-copy");
            struct shunt_layout layout;
            struct shunt_schedule s;
            assert_int_equal(shunt_layout_blocks(&layout, P, 1), 0);
            assert_int_equal(rows[i]->build(&s, &layout, P - 1, &(struct shunt_params){{0}}), 0);
            for (uint32_t k = 0; k < s.round_count; k++)
                assert_int_equal(s.round_first[k], k);
            for (uint32_t k = 0; k < s.step_count; k++) {
                for (uint32_t a = 0; a < s.steps[k].send_count; a++) {
                    const shunt_ref sends = s.refs[s.steps[k].send_first + a];
                    assert_true(shunt_ref_is_slot(sends) || shunt_ref_is_store(sends));
                    for (uint32_t b = 0; b < s.steps[k].recv_count; b++)
                        assert_false(sends == s.refs[s.steps[k].recv_first + b] &&
                                     (a != b || zero_copy));
                }
            }
            shunt_schedule_clear(&s);
            shunt_layout_clear(&layout);
        }
    }
}

static int64_t memory_of(const char *name, int64_t radix, enum shunt_metadata metadata,
                         const struct shunt_layout *layout, int64_t block)
{
    const struct shunt_algorithm *algorithm = shunt_registry_find(name);
    const struct shunt_params params = params_of(algorithm, layout, one(radix), 1, metadata);
    return algorithm->memory(layout, &params, block);
}

/*
 * Radix 2 with 16,384 ranks, 8 KiB: P - K - 1 slots and two messages of P/2 blocks are just below
 * 256 MiB, the default cap. Messages that are kept would be 960 MiB.
 */
static void memory_is_what_a_call_can_touch(void **state)
{
    (void)state;
    const int64_t cap = INT64_C(256) << 20, P = 16384, block = 8192, blocks = 2 * P - 14 - 1;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, (int)P, 1), 0);
    assert_int_equal(memory_of("bruck", 2, SHUNT_METADATA_FUSED, &layout, block), blocks * block);
    assert_int_equal(memory_of("padded-bruck", 2, SHUNT_METADATA_FUSED, &layout, block),
                     blocks * block);
    assert_int_equal(memory_of("parlogna", 2, SHUNT_METADATA_FUSED, &layout, block),
                     blocks * block + P * 4);
    assert_int_equal(memory_of("parlogna", 2, SHUNT_METADATA_SEPARATE, &layout, block),
                     blocks * block + P * 4);
    assert_true(blocks * block + P * 4 <= cap);
    const struct shunt_algorithm *bruck = shunt_registry_find("bruck"),
                                 *parlogna = shunt_registry_find("parlogna");
    const struct shunt_params params =
        params_of(parlogna, &layout, one(2), 1, SHUNT_METADATA_FUSED);
    const struct shunt_params separate =
        params_of(parlogna, &layout, one(2), 1, SHUNT_METADATA_SEPARATE);
    /* Kept: 13 digits of P/2 blocks, and two messages. */
    const int64_t kept = 15 * P / 2;
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &params, cap),
                     cap / kept - SHUNT_LENGTH_FUSED);
    assert_int_equal(
        shunt_algorithm_kept(bruck, &layout, &params, kept * (8192 + SHUNT_LENGTH_FUSED)), 8192);
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &params, 5), -1);
    assert_int_equal(shunt_algorithm_kept(parlogna, &layout, &separate, cap), -1);
    assert_int_equal(
        shunt_algorithm_kept(shunt_registry_find("two-phase-bruck"), &layout, &separate, cap), -1);
    shunt_layout_clear(&layout);
}

/* Bisection over block sizes and plans that serve smaller blocks rely on it. */
static void memory_never_decreases(void **state)
{
    (void)state;
    static const int64_t blocks[] = {0,
                                     1,
                                     7,
                                     8,
                                     100,
                                     4096,
                                     1 << 20,
                                     UINT32_MAX,
                                     INT64_C(1) + UINT32_MAX,
                                     INT64_C(1) << 40,
                                     INT64_MAX};
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (int P = 1; P <= 48; P += 1 + P / 8) {
        struct shunt_layout layout;
        assert_int_equal(shunt_layout_blocks(&layout, P, P % 4 + 1 < P ? P % 4 + 1 : 1), 0);
        layout.segment_block = INT64_MAX;
        for (size_t i = 0; i < count; i++) {
            for (int radix = 2; rows[i]->memory && radix < 8; radix++) {
                const struct shunt_params params = params_of(rows[i], &layout, one(radix), radix,
                                                             (enum shunt_metadata)(radix % 2));
                for (size_t b = 1; b < sizeof blocks / sizeof blocks[0]; b++)
                    assert_true(rows[i]->memory(&layout, &params, blocks[b - 1]) <=
                                rows[i]->memory(&layout, &params, blocks[b]));
            }
        }
        shunt_layout_clear(&layout);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wanted_row_is_in_the_registry),
        cmocka_unit_test(flat_layouts_deliver_every_block),
        cmocka_unit_test(batched_substeps_deliver_every_block),
        cmocka_unit_test(batches_and_digits_make_rounds),
        cmocka_unit_test(mixed_radices_deliver_every_block),
        cmocka_unit_test(nodes_exchange_every_bundle),
        cmocka_unit_test(nodes_of_all_sizes_deliver_every_block),
        cmocka_unit_test(scrambled_nodes_deliver_every_block),
        cmocka_unit_test(datatype_schedules_are_as_their_executor_wants_them),
        cmocka_unit_test(memory_is_what_a_call_can_touch),
        cmocka_unit_test(memory_never_decreases),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
