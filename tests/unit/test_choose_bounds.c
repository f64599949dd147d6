/* SPDX-License-Identifier: BSD-3-Clause */
/* test_choose_bounds.c: what the choice takes for granted of the model, held against the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "choices.h"
#include "model/bound.h"
#include "model/candidates.h"

/* What choose.c rests on: times are of degree 1, never less with a number higher, and never less
 * with larger blocks. Each number of the machine is higher at one of the four sizes, another one
 * with the next setting; with SHUNT_TEST_FULL set at all of them. */
static void check_argument(const struct shunt_choose *ask, const struct shunt_candidate *candidate,
                           size_t setting)
{
    const int step = getenv("SHUNT_TEST_FULL") ? 1 : 4;
    int first = (int)(setting % 4);
    const struct shunt_algorithm *algorithm = candidate->algorithm;
    const struct shunt_params *params = &candidate->params;
    const struct shunt_machine higher = scaled(ask->machine, SHUNT_CHOOSE_BOX);
    for (int64_t size = 1; size <= 4096; size *= 16) {
        const double time = cost_of(ask, ask->machine, algorithm, params, size).time,
                     all = cost_of(ask, &higher, algorithm, params, size).time;
        assert_true(all >= time * SHUNT_CHOOSE_BOX * (1 - 1e-9));
        assert_true(all <= time * SHUNT_CHOOSE_BOX * (1 + 1e-9));
        for (int i = first++ % step; i < FIELDS; i += step) {
            struct shunt_machine one = *ask->machine;
            *field(&one, i) *= SHUNT_CHOOSE_BOX;
            const double more = cost_of(ask, &one, algorithm, params, size).time;
            assert_true(more >= time * (1 - 1e-9));
            assert_true(more <= all * (1 + 1e-9));
        }
        assert_true(cost_of(ask, ask->machine, algorithm, params, size + size / 2).time >=
                    time * (1 - 1e-9));
    }
}

static void check_bound(const struct shunt_choose *ask, const struct shunt_candidate *candidate)
{
    const struct shunt_event_call call = {.op = ask->op,
                                          .algorithm = candidate->algorithm,
                                          .layout = ask->layout,
                                          .params = &candidate->params,
                                          .block = 1,
                                          .memory = ask->memory,
                                          .agrees = ask->op == SHUNT_OP_ALLTOALLV};
    struct shunt_bound bound[2];
    assert_int_equal(shunt_bound_make(&bound[0], &call), 0);
    const int bounds = 1 + shunt_bound_formula(&bound[1], &call);
    for (int64_t size = 1; size <= SHUNT_CHOOSE_LARGEST; size *= 4) {
        const double time =
            cost_of(ask, ask->machine, candidate->algorithm, &candidate->params, size).time;
        for (int i = 0; i < bounds; i++)
            if (shunt_bound_time(&bound[i], ask->machine, size) > (1 + 1e-9) * time)
                fail_msg("%s on %d ranks, blocks of %d bytes: less is predicted than the least%s",
                         candidate->algorithm->name, ask->layout->ranks, (int)size,
                         i > 0 ? " by its formula" : "");
    }
}

static double drawn(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Any machine: numbers of all magnitudes, few processors or many, with and without cards. */
static struct shunt_machine any_machine(uint32_t *seed, int ranks)
{
    struct shunt_machine machine = cluster();
    for (int i = 0; i < FIELDS; i++) {
        double factor = 0.01;
        for (int digits = (int)(4 * drawn(seed)); digits > 0; digits--)
            factor *= 10;
        *field(&machine, i) *= factor * (1 + drawn(seed));
    }
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        machine.link[level].eager = (int64_t)(32768 * drawn(seed));
        machine.link[level].rendezvous = drawn(seed) < 0.5 ? 0 : 1e-5 * drawn(seed);
    }
    machine.match = drawn(seed) < 0.5 ? 0 : 1e-7 * drawn(seed);
    machine.network_latency = drawn(seed) < 0.5 ? 0 : 1e-4 * drawn(seed);
    machine.network_byte = drawn(seed) < 0.5 ? 0 : 1e-9 * drawn(seed);
    machine.network_nodes = (int32_t)(6 * drawn(seed));
    machine.native_alltoallv = (enum shunt_native_alltoallv)(3 * drawn(seed));
    machine.processors = (int32_t)((ranks + 1) * drawn(seed));
    machine.turn = drawn(seed) < 0.5 ? 0 : 1e-6 * drawn(seed);
    machine.card_message = drawn(seed) < 0.7 ? 0 : 1e-6 * drawn(seed);
    machine.card_byte = drawn(seed) < 0.7 ? 0 : 1e-9 * drawn(seed);
    machine.sharing = (int32_t)(4 * drawn(seed));
    machine.offload = drawn(seed) < 0.2;
    machine.native_short = (int64_t)(1024 * drawn(seed));
    machine.native_medium = machine.native_short + (int64_t)(16384 * drawn(seed));
    machine.native_ranks = 1 + (int32_t)(16 * drawn(seed));
    machine.native_throttle = 1 + (int32_t)(40 * drawn(seed));
    return machine;
}

static void check_native_bound(const struct shunt_choose *ask, int64_t block)
{
    struct shunt_params params, none = {0};
    struct shunt_bound bound[2];
    const struct shunt_algorithm *row =
        shunt_cost_native(&params, ask->machine, ask->op, ask->layout, block);
    const struct shunt_event_call call = {
        .op = ask->op, .algorithm = row, .layout = ask->layout, .params = &params, .block = block};
    const double time = cost_of(ask, ask->machine, shunt_registry_row(0), &none, block).time;
    assert_int_equal(shunt_bound_make(&bound[0], &call), 0);
    const int bounds =
        row->kind == SHUNT_KIND_DIRECT ? 1 + shunt_bound_formula(&bound[1], &call) : 1;
    for (int i = 0; i < bounds; i++)
        if (shunt_bound_native(&bound[i], ask->machine, ask->layout, block) > (1 + 1e-9) * time)
            fail_msg("native (%s) on %d ranks, %d nodes, %d processors, blocks of %d bytes: less "
                     "is predicted than the least%s",
                     row->name, ask->layout->ranks, ask->layout->nodes, ask->machine->processors,
                     (int)block, i > 0 ? " by its formula" : "");
}

/* The choice takes native for no slower than it is predicted, also where it is not predicted. */
static void native_never_takes_less_than_its_bound(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{16, 1}, {24, 4}, {30, 7}, {9, 9}, {33, 2}};
    uint32_t seed = 11;
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int i = 0; i < 300; i++) {
            const struct shunt_machine machine = any_machine(&seed, layout.ppn_max);
            const char *key;
            if (shunt_machine_wrong(&machine, &key))
                continue;
            const struct shunt_choose ask = ask_of(&machine, (enum shunt_op)(i % 2), &layout);
            for (int64_t block = 1; block <= SHUNT_CHOOSE_LARGEST;
                 block = 1 + (int64_t)(5.0 * (double)block * (1 + drawn(&seed))))
                check_native_bound(&ask, block);
        }
        shunt_layout_clear(&layout);
    }
}

/* Of more than 256 ranks a few are compared (symmetry.h): it comes to the same as to run all. */
static void nodes_that_are_taken_for_alike_are(void **state)
{
    (void)state;
    not_under_valgrind();
    struct shunt_layout layout;
    const struct shunt_machine machine = cluster();
    blocks(&layout, 264, 12);
    const struct shunt_choose ask = ask_of(&machine, SHUNT_OP_ALLTOALL, &layout);
    struct shunt_candidates list;
    size_t alike = 0;
    assert_int_equal(shunt_candidates_make(&list, ask.op, &layout, 64, ask.memory), 0);
    for (size_t k = 0; k < list.count; k += 5) {
        const struct shunt_candidate *candidate = &list.candidate[k];
        struct shunt_cost_call whole = {.machine = &machine,
                                        .call = {.op = ask.op,
                                                 .algorithm = candidate->algorithm,
                                                 .layout = &layout,
                                                 .params = &candidate->params,
                                                 .block = 64,
                                                 .memory = ask.memory}};
        struct shunt_cost cost, all;
        if (!candidate->algorithm->build)
            continue;
        assert_int_equal(shunt_cost_predict(&cost, &whole), SHUNT_COST_OK);
        whole.exact = true;
        assert_int_equal(shunt_cost_predict(&all, &whole), SHUNT_COST_OK);
        alike += cost.method == SHUNT_COST_SYMMETRIC;
        assert_true(cost.time <= all.time * (1 + 1e-9) && cost.time >= all.time * (1 - 1e-9));
    }
    assert_true(alike > 4);
    shunt_candidates_clear(&list);
    shunt_layout_clear(&layout);
}

static void the_model_is_as_the_choice_takes_it(void **state)
{
    (void)state;
    not_under_valgrind();
    static const int shapes[][2] = {{12, 12}, {24, 4}, {9, 1}};
    struct shunt_machine machines[2] = {cluster()};
    shunt_machine_paper(&machines[1]);
    for (size_t s = 0; s <= sizeof shapes / sizeof shapes[0]; s++) {
        struct shunt_layout layout;
        if (s < sizeof shapes / sizeof shapes[0])
            blocks(&layout, shapes[s][0], shapes[s][1]);
        else
            unequal(&layout);
        for (int op = 0; op < SHUNT_OP_COUNT; op++) {
            /* The paper's machine, which leaves messages to its cards, on one layout. */
            const struct shunt_choose ask = ask_of(&machines[s == 0], (enum shunt_op)op, &layout);
            struct shunt_candidates list;
            assert_int_equal(
                shunt_candidates_make(&list, (enum shunt_op)op, &layout, 1, ask.memory), 0);
            for (size_t k = 0; k < list.count; k++) {
                if (!list.candidate[k].algorithm->build)
                    continue;
                check_argument(&ask, &list.candidate[k], k);
                check_bound(&ask, &list.candidate[k]);
            }
            shunt_candidates_clear(&list);
        }
        shunt_layout_clear(&layout);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_as_the_choice_takes_it),
        cmocka_unit_test(native_never_takes_less_than_its_bound),
        cmocka_unit_test(nodes_that_are_taken_for_alike_are),
    };
    return cmocka_run_group_tests_name("choose: bounds", tests, NULL, NULL);
}
