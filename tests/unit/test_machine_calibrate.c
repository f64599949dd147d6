/* SPDX-License-Identifier: BSD-3-Clause */
/* test_machine_calibrate.c: exchanges of all ranks correct what two ranks alone found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "algorithms/registry.h"
#include "model/cost.h"
#include "nearness.h"
#include "tools/machine/calibrate.h"
#include "tools/measure/statistics.h"

/* A machine whose ranks share processors, and what exchanges take there. */
enum { RANKS = 16, KINDS = 6, BLOCKS = 4, OTHERS = 4 };
static const char *const fitted[KINDS] = {"spread-out", "bruck-basic",     "pairwise",
                                          "node-pair",  "parlinna-shared", "parlinna-coalesced"},
                         *const others[OTHERS] = {"linear", "parlinna-staggered", "two-phase-bruck",
                                                  "node-bruck"};
static const int64_t blocks[BLOCKS] = {64, 512, 4096, 32768};

static double seconds_of(const struct shunt_machine *machine, const struct shunt_layout *layout,
                         const char *name, int64_t block, struct machine_exchange *exchange)
{
    static const struct shunt_value given[SHUNT_VALUE_COUNT];
    struct shunt_cost cost;
    *exchange = (struct machine_exchange){.algorithm = shunt_registry_find(name), .block = block};
    exchange->params = shunt_params_evaluate(exchange->algorithm, 0, given, layout);
    const struct shunt_cost_call call = {.machine = machine,
                                         .call = {.op = SHUNT_OP_ALLTOALL,
                                                  .algorithm = exchange->algorithm,
                                                  .layout = layout,
                                                  .params = &exchange->params,
                                                  .block = block}};
    assert_int_equal(shunt_cost_predict(&cost, &call), SHUNT_COST_OK);
    return cost.time;
}

static struct shunt_machine loaded_machine(int sharing)
{
    struct shunt_machine machine;
    shunt_machine_paper(&machine);
    machine.offload = false;
    machine.processors = 4;
    machine.sharing = sharing;
    machine.turn = 3e-6;
    machine.copy_block = 50e-9;
    machine.copy_byte = 0.15e-9;
    machine.barrier_start = 2e-6;
    machine.barrier_rank = 1e-6;
    machine.link[SHUNT_LEVEL_INSIDE] = (struct shunt_link){
        .latency = 2e-6, .overhead = 1e-6, .overhead_byte = 0.1e-9, .byte = 0.05e-9, .eager = 8192};
    machine.link[SHUNT_LEVEL_BETWEEN] = (struct shunt_link){.latency = 20e-6,
                                                            .overhead = 5e-6,
                                                            .overhead_byte = 0.4e-9,
                                                            .byte = 0.3e-9,
                                                            .eager = 16384};
    return machine;
}

/* What two ranks would find who are alone. */
static struct shunt_machine as_two_ranks_find_it(const struct shunt_machine *loaded)
{
    struct shunt_machine machine = *loaded;
    machine.turn /= 3;
    machine.copy_block /= 20;
    machine.copy_byte /= 5;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        struct shunt_link *link = &machine.link[level];
        link->overhead /= 8;
        link->byte += link->overhead_byte;
        link->overhead_byte = 0;
    }
    return machine;
}

/* How far predictions are from what is true, for algorithms that nothing was fitted to: shares in
 * the order of size. */
static void judge_others(double *off, const struct shunt_machine *found,
                         const struct shunt_machine *loaded, const struct shunt_layout *layout)
{
    struct machine_exchange asked;
    struct measure_samples samples = {0};
    for (int i = 0; i < OTHERS * BLOCKS; i++) {
        const char *name = others[i / BLOCKS];
        const int64_t block = 2 * blocks[i % BLOCKS];
        const double is = seconds_of(loaded, layout, name, block, &asked),
                     said = seconds_of(found, layout, name, block, &asked);
        measure_samples_add(&samples, fabs(said / is - 1));
    }
    measure_samples_median(&samples); /* sorts */
    memcpy(off, samples.values, (size_t)(OTHERS * BLOCKS) * sizeof *off);
}

/* What `shunt machine` would measure there. */
static void exchange_all(struct machine_exchange exchanges[KINDS * BLOCKS],
                         const struct shunt_machine *machine, const struct shunt_layout *layout)
{
    for (int i = 0; i < KINDS * BLOCKS; i++)
        exchanges[i].seconds =
            seconds_of(machine, layout, fitted[i / BLOCKS], blocks[i % BLOCKS], &exchanges[i]);
}

static void exchanges_of_all_ranks_correct_what_two_found(void **state)
{
    (void)state;
    for (int sharing = 1; sharing <= 2; sharing++) {
        struct machine_exchange exchanges[KINDS * BLOCKS];
        struct machine_calibration calibration;
        struct shunt_layout layout = {0};
        const struct shunt_machine loaded = loaded_machine(sharing);
        struct shunt_machine found = as_two_ranks_find_it(&loaded);
        assert_int_equal(shunt_layout_blocks(&layout, RANKS, 2), 0);
        exchange_all(exchanges, &loaded, &layout);
        double before[OTHERS * BLOCKS], after[OTHERS * BLOCKS];
        judge_others(before, &found, &loaded, &layout);
        machine_calibrate(&calibration, &found, &layout, exchanges, KINDS * BLOCKS, 600);
        judge_others(after, &found, &loaded, &layout);
        assert_int_equal(calibration.exchanges, KINDS * BLOCKS);
        const int half = OTHERS * BLOCKS / 2, worst = OTHERS * BLOCKS - 1;
        if (!(calibration.residual < 0.05 && before[half] > 0.4 && after[half] < 0.1 &&
              after[worst] < 0.5))
            fail_msg("sharing %d: residual %g; others: median %g, then %g; worst %g, then %g",
                     sharing, calibration.residual, before[half], after[half], before[worst],
                     after[worst]);
        shunt_layout_clear(&layout);
    }
}

/* Nobody measures that of two ranks; where it takes nothing, it is found to take nothing. */
static void long_messages_tell_what_they_take_of_a_processor(void **state)
{
    (void)state;
    static const double rendezvous[] = {0, 15e-6};
    for (int r = 0; r < 2; r++) {
        struct machine_exchange exchanges[KINDS * BLOCKS];
        struct machine_calibration calibration;
        struct shunt_layout layout = {0};
        struct shunt_machine loaded = loaded_machine(1), found;
        loaded.processors = 0;
        loaded.link[SHUNT_LEVEL_BETWEEN].rendezvous = rendezvous[r];
        found = loaded;
        found.link[SHUNT_LEVEL_BETWEEN].rendezvous = 0;
        assert_int_equal(shunt_layout_blocks(&layout, RANKS, 2), 0);
        exchange_all(exchanges, &loaded, &layout);
        machine_calibrate(&calibration, &found, &layout, exchanges, KINDS * BLOCKS, 600);
        const double is = found.link[SHUNT_LEVEL_BETWEEN].rendezvous;
        if (!(fabs(is - rendezvous[r]) <= 0.1 * rendezvous[r]))
            fail_msg("rendezvous takes %g s, and %g are found", rendezvous[r], is);
        shunt_layout_clear(&layout);
    }
}

/* A number that no exchange depends on. */
static void what_exchanges_do_not_tell_stays(void **state)
{
    (void)state;
    struct machine_exchange exchanges[BLOCKS];
    struct machine_calibration calibration;
    struct shunt_layout layout = {0};
    struct shunt_machine machine = loaded_machine(1);
    const struct shunt_machine before = machine;
    machine.processors = 0;
    assert_int_equal(shunt_layout_blocks(&layout, RANKS, RANKS), 0);
    for (int i = 0; i < BLOCKS; i++) {
        struct machine_exchange asked;
        const double seconds = seconds_of(&machine, &layout, "spread-out", blocks[i], &asked);
        exchanges[i] = asked;
        exchanges[i].seconds = 2 * seconds;
    }
    machine_calibrate(&calibration, &machine, &layout, exchanges, BLOCKS, 600);
    assert_true(calibration.residual < 0.05);
    assert_memory_equal(&machine.link[SHUNT_LEVEL_INSIDE], &before.link[SHUNT_LEVEL_INSIDE],
                        sizeof machine.link[0]);
    assert_true(near(machine.turn, before.turn, 1e-12));
    assert_true(near(machine.barrier_rank, before.barrier_rank, 1e-12));
    assert_true(near(machine.copy_byte, before.copy_byte, 0.1));
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_of_all_ranks_correct_what_two_found),
        cmocka_unit_test(long_messages_tell_what_they_take_of_a_processor),
        cmocka_unit_test(what_exchanges_do_not_tell_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
