/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bruck_rotated.c: the variants of Bruck's algorithm with rotations: blocks lie in an array R by
 * offset.
 *
 * Idea: an initial rotation fills R; every round replaces in R what it has sent. The basic variant
 * sends forward and needs a final rotation; the modified one sends backward, so that what arrives
 * is at its place. With "-dt" messages are datatypes over their blocks instead of copies. Cost:
 * messages and bytes of bruck.c; P - 1 local copies before, and P - 1 after (basic). Memory: P - 1
 * slots and one round's messages. Use: baselines for bruck, which saves the copies. Source: Fan
 * 2022, sections 2.1 and 2.2 (after Traeff et al. 2014); Fan and Kumar (any radix).
 */
#include "algorithms/rows.h"

/* Slot o - 1 is R[o]; R[0], the own block, never moves. */
static shunt_ref array_place(const struct shunt_schedule *schedule, int64_t o, struct shunt_digit d)
{
    (void)schedule;
    (void)d;
    return shunt_ref_slot(o - 1);
}

static int schedule_bruck_basic(struct shunt_schedule *schedule, int ranks, int rank,
                                const struct shunt_radices *radices)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, shunt_schedule_peer(schedule, o), shunt_ref_slot(o - 1));
    shunt_schedule_rotated(schedule, radices, 1, array_place, array_place);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_after(schedule, shunt_ref_slot(o - 1), shunt_schedule_peer(schedule, -o));
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

/* A block without digits above d has arrived, from rank p + o. */
static shunt_ref modified_target(const struct shunt_schedule *schedule, int64_t o,
                                 struct shunt_digit d)
{
    return o / d.weight < d.radix ? shunt_schedule_peer(schedule, o) : shunt_ref_slot(o - 1);
}

static int schedule_bruck_modified(struct shunt_schedule *schedule, int ranks, int rank,
                                   const struct shunt_radices *radices)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, shunt_schedule_peer(schedule, -o), shunt_ref_slot(o - 1));
    shunt_schedule_rotated(schedule, radices, -1, array_place, modified_target);
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

static int build_bruck_basic(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                             const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return schedule_bruck_basic(s, layout->ranks, rank, &radices);
}

static int build_bruck_modified(struct shunt_schedule *s, const struct shunt_layout *layout,
                                int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return schedule_bruck_modified(s, layout->ranks, rank, &radices);
}

static int build_basic_dt(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                          const struct shunt_params *params)
{
    (void)params;
    return schedule_bruck_basic(s, layout->ranks, rank, &shunt_radix_two);
}

static int build_modified_dt(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                             const struct shunt_params *params)
{
    (void)params;
    return schedule_bruck_modified(s, layout->ranks, rank, &shunt_radix_two);
}

/* With an array of all blocks but the own one. */
static int64_t memory_rotated(const struct shunt_layout *layout, const struct shunt_params *params,
                              int64_t block)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const struct shunt_need need = {.slots = layout->ranks - 1,
                                    .moving =
                                        2 * shunt_radix_round_blocks(layout->ranks, &radices, 1)};
    return shunt_memory_slots(need, block, 0);
}

const struct shunt_algorithm shunt_algorithm_bruck_basic = {
    .name = "bruck-basic",
    .summary = "Bruck with initial and final rotation, uniform blocks",
    .when = "baseline for bruck, which saves both rotations",
    .citation = OPTIMIZING ", section 2.1; " RADIX_R,
    .kind = SHUNT_KIND_FORWARD,
    .in_slots = true,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .params = {RADIX(SHUNT_FORMULA_P, 2)},
    .build = build_bruck_basic,
    .memory = memory_rotated,
};

const struct shunt_algorithm shunt_algorithm_bruck_modified = {
    .name = "bruck-modified",
    .summary = "Bruck with initial rotation only, uniform blocks",
    .when = "baseline for bruck, which saves the rotation",
    .citation = OPTIMIZING ", section 2.1; " RADIX_R,
    .kind = SHUNT_KIND_FORWARD,
    .in_slots = true,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .params = {RADIX(SHUNT_FORMULA_P, 2)},
    .build = build_bruck_modified,
    .memory = memory_rotated,
};

const struct shunt_algorithm shunt_algorithm_bruck_basic_dt = {
    .name = "bruck-basic-dt",
    .summary = "bruck-basic, radix 2, with derived datatypes instead of copies",
    .when = "baseline: datatypes were slower than copies wherever they were measured",
    .citation = OPTIMIZING ", section 2.2",
    .kind = SHUNT_KIND_DATATYPE,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .build = build_basic_dt,
    .memory = shunt_memory_datatype,
};

const struct shunt_algorithm shunt_algorithm_bruck_modified_dt = {
    .name = "bruck-modified-dt",
    .summary = "bruck-modified, radix 2, with derived datatypes instead of copies",
    .when = "baseline: datatypes were slower than copies wherever they were measured",
    .citation = OPTIMIZING ", section 2.2",
    .kind = SHUNT_KIND_DATATYPE,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .build = build_modified_dt,
    .memory = shunt_memory_datatype,
};
