/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is expected of proposals: ordered by the model, from the machine that is described or from
 * those that may be like it; nothing where no work may be done; the same each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/cost.h"
#include "model/plausible.h"
#include "route/forecast.h"

static struct shunt_forecast forecast(const struct shunt_forecast_ask *ask)
{
    struct shunt_forecast found;
    memset(&found, 0xff, sizeof found);
    shunt_forecast(&found, ask);
    return found;
}

static const char *name_of(const struct shunt_forecast_one *one)
{
    return shunt_registry_row(one->rule.algorithm)->name;
}

static double predicted(const struct shunt_forecast_ask *ask, const struct shunt_machine *machine,
                        const char *name, const struct shunt_params *params)
{
    struct shunt_cost cost;
    const struct shunt_cost_call call = {.machine = machine,
                                         .call = {.op = ask->op,
                                                  .algorithm = shunt_registry_find(name),
                                                  .layout = ask->layout,
                                                  .params = params,
                                                  .block = ask->size}};
    assert_int_equal(shunt_cost_predict(&cost, &call), SHUNT_COST_OK);
    return cost.time;
}

static void all_machines_can_be_meant(void **unused)
{
    (void)unused;
    for (int i = 0; i < SHUNT_PLAUSIBLE_COUNT; i++) {
        struct shunt_machine machine;
        const char *key;
        shunt_plausible(&machine, i, 4);
        assert_null(shunt_machine_wrong(&machine, &key));
        assert_int_equal(machine.processors, 4);
    }
}

/* The range is that of the best proposal on each machine, and each proposal's that of its own. */
static void ranges_are_what_the_model_says(void **unused)
{
    (void)unused;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 32, 4), 0);
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_forecast_ask ask = {.op = (enum shunt_op)op,
                                               .layout = &layout,
                                               .block = {33, 64},
                                               .size = 64,
                                               .memory = INT64_MAX,
                                               .work = 1 << 22};
        const struct shunt_forecast f = forecast(&ask);
        double low = 0, high = 0;
        assert_true(f.count > 2);
        for (int m = 0; m < SHUNT_PLAUSIBLE_COUNT; m++) {
            struct shunt_machine machine;
            struct shunt_params none = {0};
            double best = 0;
            shunt_plausible(&machine, m, 0);
            const double native = predicted(&ask, &machine, "native", &none);
            for (int i = 0; i < f.count; i++) {
                const double times =
                    native / predicted(&ask, &machine, name_of(&f.one[i]), &f.one[i].params);
                best = times > best ? times : best;
                assert_true(f.one[i].low <= times && times <= f.one[i].high);
            }
            low = m == 0 || best < low ? best : low;
            high = best > high ? best : high;
        }
        assert_true(f.low == low && f.high == high && low > 1);
    }
    shunt_layout_clear(&layout);
}

static void a_described_machine_is_trusted_within_a_box(void **unused)
{
    (void)unused;
    struct shunt_layout layout;
    struct shunt_machine machine;
    assert_int_equal(shunt_layout_blocks(&layout, 16, 1), 0);
    shunt_plausible(&machine, 1, 2);
    const struct shunt_forecast_ask ask = {.op = SHUNT_OP_ALLTOALLV,
                                           .layout = &layout,
                                           .block = {257, 512},
                                           .size = 512,
                                           .memory = INT64_MAX,
                                           .machine = &machine,
                                           .work = 1 << 20};
    const struct shunt_forecast f = forecast(&ask);
    assert_true(f.count > 0 && f.low > 0);
    assert_true(f.one[0].low == f.one[0].high);
    assert_true(f.low == f.one[0].low / SHUNT_FORECAST_BOX);
    assert_true(f.high == f.one[0].high * SHUNT_FORECAST_BOX);
    shunt_layout_clear(&layout);
}

/* Where reads of a neighbour's memory are dear, the algorithm that reads comes last; where they
 * cost nothing and copies are dear, first. */
static void the_order_is_that_of_the_model(void **unused)
{
    (void)unused;
    struct shunt_layout layout;
    struct shunt_machine machine;
    assert_int_equal(shunt_layout_blocks(&layout, 8, 1), 0);
    struct shunt_forecast_ask ask = {.op = SHUNT_OP_ALLTOALL,
                                     .layout = &layout,
                                     .block = {4097, 8192},
                                     .size = 8192,
                                     .memory = INT64_MAX,
                                     .machine = &machine,
                                     .work = 1 << 20};
    shunt_plausible(&machine, 0, 0);
    machine.read_block = 1e-3;
    struct shunt_forecast f = forecast(&ask);
    assert_string_equal(name_of(&f.one[f.count - 1]), "peer-read");
    machine.read_block = machine.read_byte = 0;
    machine.copy_byte = 1e-8;
    f = forecast(&ask);
    assert_string_equal(name_of(&f.one[0]), "peer-read");
    for (int i = 1; i < f.count; i++)
        assert_true(f.one[i].low <= f.one[i - 1].low);
    shunt_layout_clear(&layout);
}

static void without_work_proposals_keep_their_order(void **unused)
{
    (void)unused;
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 64, 4), 0);
    struct shunt_forecast_ask ask = {.op = SHUNT_OP_ALLTOALL,
                                     .layout = &layout,
                                     .block = {513, 1024},
                                     .size = 1024,
                                     .memory = INT64_MAX};
    for (uint64_t work = 0; work < 200; work += 100) {
        ask.work = work; /* less than any of them takes */
        const struct shunt_forecast f = forecast(&ask);
        assert_true(f.count > 2);
        assert_true(f.low == 0 && f.high == 0);
        for (int i = 0; i < f.count; i++) {
            assert_int_equal(f.one[i].number, i);
            assert_true(f.one[i].low == 0 && f.one[i].high == 0);
        }
    }
    shunt_layout_clear(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_machines_can_be_meant),
        cmocka_unit_test(ranges_are_what_the_model_says),
        cmocka_unit_test(a_described_machine_is_trusted_within_a_box),
        cmocka_unit_test(the_order_is_that_of_the_model),
        cmocka_unit_test(without_work_proposals_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
