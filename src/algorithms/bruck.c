/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bruck.c: zero-rotation Bruck for equal blocks, any radix or a radix per digit.
 *
 * Idea: schedule/radix.h: blocks are sent by the digits of their offset; an index array tells where
 * a block lies, so nothing is rotated. Cost: K = (w - 1)(r - 1) + ceil(P / r^(w - 1)) - 1 messages
 * (w digits); each block travels once per digit that is not 0. Memory: P - K - 1 slots or the
 * messages that are kept instead, and one round's messages. Use: small blocks with radix 2, middle
 * sizes with a radix near sqrt(P). Source: Fan 2022, section 2; Fan and Kumar.
 */
#include "algorithms/rows.h"

int shunt_build_bruck(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                      const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_radix(s, layout->ranks, rank, &radices, 1, SHUNT_SLOTS_TIGHT);
}

static int64_t kept_bruck(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return shunt_need_radix(layout->ranks, params, 1).kept;
}

static int64_t memory_bruck(const struct shunt_layout *layout, const struct shunt_params *params,
                            int64_t block)
{
    return shunt_memory_least(shunt_need_radix(layout->ranks, params, 1), block, 0);
}

const struct shunt_algorithm shunt_algorithm_bruck = {
    .name = "bruck",
    .alias = "bruck-zero-rotation",
    .summary = "zero-rotation Bruck with radix r, uniform blocks",
    .when = "small blocks: radix 2; middle sizes: radix near sqrt(P)",
    .citation = OPTIMIZING ", section 2; " RADIX_R,
    .kind = SHUNT_KIND_FORWARD,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .params = {RADIX(SHUNT_FORMULA_P, 2)},
    .build = shunt_build_bruck,
    .memory = memory_bruck,
    .kept = kept_bruck,
};
