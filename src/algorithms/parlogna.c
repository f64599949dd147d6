/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parlogna.c: ParLogNa: radix r for blocks of any size.
 *
 * Idea: the radix-r exchange of schedule/radix.h; lengths go in front of the data or, as
 * published, in messages of their own. Values of one digit concern different blocks, so batch_size
 * of their messages are in flight together (published: 1). Cost: K messages as in bruck.c (twice
 * that with lengths apart); waits: K with batch 1, one per digit with batch r - 1. Memory: P - K -
 * 1 slots or the messages that are kept instead, and one round's messages. Use: small blocks with
 * radix 2; middle sizes sqrt(P); with radix P it is a direct exchange. Source: Fan 2025, section 3.
 */
#include "algorithms/rows.h"

static int build_parlogna(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                          const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_radix(s, layout->ranks, rank, &radices,
                                params->value[SHUNT_PARAM_BATCH_SIZE], SHUNT_SLOTS_TIGHT);
}

static struct shunt_need need_parlogna(const struct shunt_layout *layout,
                                       const struct shunt_params *params)
{
    return shunt_need_radix(layout->ranks, params, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int64_t kept_parlogna(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlogna(layout, params).kept;
}

static int64_t memory_parlogna(const struct shunt_layout *layout, const struct shunt_params *params,
                               int64_t block)
{
    const struct shunt_need need = need_parlogna(layout, params);
    return shunt_metadata_is_separate(params)
               ? shunt_memory_slots(need, block, shunt_length_bytes(block))
               : shunt_memory_least(need, block, shunt_length_bytes(block));
}

const struct shunt_algorithm shunt_algorithm_parlogna = {
    .name = "parlogna",
    .summary = "radix r for blocks of any size, batch_size messages of a digit in flight",
    .when = "small blocks: radix 2; middle sizes: sqrt(P); large: P; as published: "
            "metadata=separate batch_size=1",
    .citation = PARAMETERIZED ", section 3",
    .kind = SHUNT_KIND_FORWARD,
    .ops = SHUNT_OP_BOTH,
    .params = {RADIX(SHUNT_FORMULA_P, 2),
               [SHUNT_PARAM_BATCH_SIZE] = {.used = true,
                                           .min = 1,
                                           .max = SHUNT_FORMULA_P_LESS_1,
                                           .preset = {SHUNT_FORMULA_P_LESS_1, 0}},
               METADATA},
    .build = build_parlogna,
    .memory = memory_parlogna,
    .kept = kept_parlogna,
};
