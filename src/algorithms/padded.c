/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * padded.c: every block padded to the largest, so that no lengths are sent.
 *
 * Idea: blocks become equal; then padded-bruck is the exchange of bruck.c, and padded-alltoall the
 * MPI library's own Alltoall of copies. Cost: that of the equal exchange with the largest block:
 * about twice the bytes of uniformly distributed ones. Memory: padded-bruck as bruck.c in slots;
 * padded-alltoall copies of all blocks, out and in, a byte longer. Use: blocks of a few bytes;
 * nearly equal blocks where the library's Alltoall beats its Alltoallv. Source: Fan 2022, sections
 * 3.1 and 4.1.
 */
#include "algorithms/rows.h"

static int64_t memory_padded_bruck(const struct shunt_layout *layout,
                                   const struct shunt_params *params, int64_t block)
{
    return shunt_memory_slots(shunt_need_radix(layout->ranks, params, 1), block, 0);
}

/* Padded copies of all blocks, out and in, each with a byte that says whether it could be read. */
static int64_t memory_padded_alltoall(const struct shunt_layout *layout,
                                      const struct shunt_params *params, int64_t block)
{
    (void)params;
    return shunt_memory_bytes(2 * (int64_t)layout->ranks, block, 1);
}

const struct shunt_algorithm shunt_algorithm_padded_bruck = {
    .name = "padded-bruck",
    .summary = "bruck after padding every block to the largest",
    .when = "non-uniform blocks of a few bytes: half the messages of two-phase-bruck, about twice "
            "the bytes",
    .citation = OPTIMIZING ", section 3.1",
    .kind = SHUNT_KIND_PADDED,
    .in_slots = true,
    .ops = SHUNT_OP_BOTH,
    .params = {RADIX(SHUNT_FORMULA_P, 2)},
    .build = shunt_build_bruck,
    .memory = memory_padded_bruck,
};

const struct shunt_algorithm shunt_algorithm_padded_alltoall = {
    .name = "padded-alltoall",
    .summary = "the MPI library's Alltoall after padding every block to the largest",
    .when = "nearly equal blocks, where the library's Alltoall beats its Alltoallv",
    .citation = OPTIMIZING ", section 4.1",
    .kind = SHUNT_KIND_LIBRARY,
    .ops = SHUNT_OP_BOTH,
    .memory = memory_padded_alltoall,
};
