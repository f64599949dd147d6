/* SPDX-License-Identifier: BSD-3-Clause */
/* native.c: what MPI libraries do themselves, in the names of this registry: see struct
 * shunt_machine. */
#include "algorithms/registry.h"
#include "model/cost.h"

static const char *name_of(const struct shunt_machine *machine, enum shunt_op op,
                           const struct shunt_layout *layout, int64_t block)
{
    static const char *const alltoallv[] = {[SHUNT_NATIVE_SCATTERED] = "scattered",
                                            [SHUNT_NATIVE_PAIRWISE] = "pairwise",
                                            [SHUNT_NATIVE_LINEAR] = "linear"};
    if (op == SHUNT_OP_ALLTOALLV)
        return alltoallv[machine->native_alltoallv];
    if (block <= machine->native_short && layout->ranks >= machine->native_ranks)
        return "bruck-basic-dt";
    return block > machine->native_medium ? "pairwise" : "scattered";
}

const struct shunt_algorithm *shunt_cost_native(struct shunt_params *params,
                                                const struct shunt_machine *machine,
                                                enum shunt_op op, const struct shunt_layout *layout,
                                                int64_t block)
{
    const struct shunt_algorithm *row = shunt_registry_find(name_of(machine, op, layout, block));
    struct shunt_value given[SHUNT_VALUE_COUNT] = {
        [SHUNT_PARAM_BATCH_SIZE] = {SHUNT_FORMULA_NUMBER, machine->native_throttle}};
    const bool batches = row->params[SHUNT_PARAM_BATCH_SIZE].used;
    *params = shunt_params_evaluate(row, batches ? 1U << SHUNT_PARAM_BATCH_SIZE : 0, given, layout);
    return row;
}
