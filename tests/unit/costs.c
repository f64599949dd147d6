/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.c: calls whose cost is asked for. */
#include "costs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void costed_begin(struct costed *costed, int ranks, int nodes)
{
    *costed = (struct costed){0};
    shunt_machine_paper(&costed->machine);
    assert_int_equal(shunt_layout_blocks(&costed->layout, ranks, nodes), 0);
}

void costed_algorithm(struct costed *costed, const char *name, enum shunt_op op, int64_t radix,
                      int64_t block)
{
    const struct shunt_algorithm *row = shunt_registry_find(name);
    const struct shunt_value given[SHUNT_VALUE_COUNT] = {
        [SHUNT_PARAM_RADIX] = {SHUNT_FORMULA_NUMBER, radix}};
    assert_non_null(row);
    costed->params =
        shunt_params_evaluate(row, radix ? 1U << SHUNT_PARAM_RADIX : 0, given, &costed->layout);
    costed->call = (struct shunt_cost_call){.machine = &costed->machine,
                                            .call = {.op = op,
                                                     .algorithm = row,
                                                     .layout = &costed->layout,
                                                     .params = &costed->params,
                                                     .block = block}};
}

void costed_end(struct costed *costed)
{
    shunt_layout_clear(&costed->layout);
}

struct shunt_cost costed_predict(const struct costed *costed)
{
    struct shunt_cost cost;
    assert_int_equal(shunt_cost_predict(&cost, &costed->call), SHUNT_COST_OK);
    return cost;
}

void expect_near(double found, double wanted, double part)
{
    const double away = found > wanted ? found - wanted : wanted - found;
    if (!(away <= part * wanted))
        fail_msg("%.12g is not %.12g", found, wanted);
}
