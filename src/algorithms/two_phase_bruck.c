/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_phase_bruck.c: radix-2 Bruck for blocks of any size: lengths, then data, in every round.
 *
 * Idea: the radix-2 exchange of schedule/radix.h with a slot for every offset, as published.
 * Cost: 2 ceil(log2 P) messages, about (P + 1) / 2 blocks and lengths in each round. Memory: P
 * slots, one round's messages and lengths. Use: small blocks of different sizes; baseline for
 * parlogna. Source: Fan 2022, section 3.
 */
#include "algorithms/rows.h"

static int build_two_phase(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_radix(s, layout->ranks, rank, &shunt_radix_two, 1, SHUNT_SLOTS_FULL);
}

static int64_t memory_two_phase(const struct shunt_layout *layout,
                                const struct shunt_params *params, int64_t block)
{
    const int64_t P = layout->ranks;
    (void)params;
    return shunt_memory_slots(
        (struct shunt_need){.slots = P,
                            .moving = 2 * shunt_radix_round_blocks(P, &shunt_radix_two, 1)},
        block, shunt_length_bytes(block));
}

const struct shunt_algorithm shunt_algorithm_two_phase_bruck = {
    .name = "two-phase-bruck",
    .summary = "radix-2 Bruck, lengths then data in every round",
    .when = "small non-uniform blocks; baseline for parlogna",
    .citation = OPTIMIZING ", section 3",
    .kind = SHUNT_KIND_FORWARD,
    .in_slots = true,
    .ops = SHUNT_OP_BOTH,
    .build = build_two_phase,
    .memory = memory_two_phase,
};
