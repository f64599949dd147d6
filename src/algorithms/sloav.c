/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sloav.c: radix-2 Bruck for blocks of any size that keeps every message until a final scan.
 *
 * Idea: only indices are rotated; each message that was received stays as a segment of its own, and
 * blocks are looked for at the end. Cost: messages and bytes of two_phase_bruck.c; P - 1 local
 * copies after. Memory: the blocks of all rounds. Use: baseline for two-phase-bruck, which needs
 * less memory and no scan. Source: Fan 2022, sections 1 and 6.1 (after Xu et al. 2013).
 */
#include "algorithms/rows.h"

/* Offsets below `end` whose digit d is 1 (radix 2): how many. */
static int64_t segment_blocks(int64_t end, struct shunt_digit d)
{
    const int64_t cycle = 2 * d.weight, rest = end & (cycle - 1); /* a power of two */
    return (end - rest) / 2 + (rest > d.weight ? rest - d.weight : 0);
}

/* The slot of offset o in the segment of digit d: the segments of lower digits come first. */
static shunt_ref segment_slot(const struct shunt_schedule *schedule, int64_t o,
                              struct shunt_digit d)
{
    int64_t first = 0;
    for (struct shunt_digit lower = {.weight = 1}; lower.weight < d.weight; lower.weight *= 2)
        first += segment_blocks(schedule->ranks, lower);
    return shunt_ref_slot(first + segment_blocks(o, d));
}

/* Where o lies before the round of weight `end`: in the segment of its highest digit below that is
 * not 0, or still at the user's. */
static shunt_ref segment_before(const struct shunt_schedule *schedule, int64_t o, int64_t end)
{
    struct shunt_digit last = {0};
    for (struct shunt_digit d = {.weight = 1}; d.weight < end; d.weight *= 2)
        if (o & d.weight)
            last = d;
    return last.weight > 0 ? segment_slot(schedule, o, last) : shunt_schedule_peer(schedule, o);
}

static shunt_ref sloav_source(const struct shunt_schedule *schedule, int64_t o,
                              struct shunt_digit d)
{
    return segment_before(schedule, o, d.weight);
}

static int64_t sloav_slots(int64_t ranks)
{
    int64_t slots = 0;
    for (struct shunt_digit d = shunt_digit_first(&shunt_radix_two); d.weight < ranks;
         d = shunt_digit_next(d))
        slots += segment_blocks(ranks, d);
    return slots;
}

static int schedule_sloav(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    shunt_schedule_rotated(schedule, &shunt_radix_two, 1, sloav_source, segment_slot);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_after(schedule, segment_before(schedule, o, ranks),
                             shunt_schedule_peer(schedule, -o));
    return shunt_schedule_end(schedule, (uint32_t)sloav_slots(ranks));
}

static int build_sloav(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                       const struct shunt_params *params)
{
    (void)params;
    return schedule_sloav(s, layout->ranks, rank);
}

/* Every message stays until the end. */
static int64_t memory_sloav(const struct shunt_layout *layout, const struct shunt_params *params,
                            int64_t block)
{
    const int64_t P = layout->ranks;
    (void)params;
    return shunt_memory_slots(
        (struct shunt_need){.slots = sloav_slots(P),
                            .moving = 2 * shunt_radix_round_blocks(P, &shunt_radix_two, 1)},
        block, shunt_length_bytes(block));
}

const struct shunt_algorithm shunt_algorithm_sloav = {
    .name = "sloav",
    .summary = "radix-2 Bruck, lengths then data, received messages kept until a final scan",
    .when = "baseline for two-phase-bruck, which needs less memory and no scan",
    .citation = OPTIMIZING ", sections 1 and 6.1; Xu et al., SLOAVx (CCGrid'13)",
    .kind = SHUNT_KIND_FORWARD,
    .in_slots = true,
    .ops = SHUNT_OP_BOTH,
    .build = build_sloav,
    .memory = memory_sloav,
};
