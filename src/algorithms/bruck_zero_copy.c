/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bruck_zero_copy.c: radix-2 Bruck whose blocks alternate between two arrays.
 *
 * Idea: R is the user's receive buffer, the second array T are the slots: a round can be received
 * where it belongs while another block is sent from its twin, so nothing is copied between rounds.
 * Messages are datatypes over their blocks. Cost: messages and bytes of bruck.c with radix 2; P - 1
 * local copies before. Memory: P - 1 slots, and what datatypes need. Use: large blocks, where a
 * copy costs more than a datatype. Source: Fan 2022, section 2.1 (after Traeff et al. 2014).
 */
#include "algorithms/rows.h"

/* Hops that the block of offset o has before it from digit d on. */
static int hops_left(int64_t o, struct shunt_digit d)
{
    int hops = 0;
    for (int64_t rest = o / d.weight; rest > 0; rest /= 2)
        hops += (int)(rest % 2);
    return hops;
}

/* R is the user's receive buffer, the second array T are the slots. */
static shunt_ref zero_copy_source(const struct shunt_schedule *schedule, int64_t o,
                                  struct shunt_digit d)
{
    return hops_left(o, d) % 2 == 1 ? shunt_ref_slot(o - 1)
                                    : SHUNT_REF_STORE | shunt_schedule_peer(schedule, o);
}

/* The last hop (one left) must end in R: an odd number left receives into R, an even one into T. */
static shunt_ref zero_copy_target(const struct shunt_schedule *schedule, int64_t o,
                                  struct shunt_digit d)
{
    const int left = hops_left(o, d);
    if (left == 1)
        return shunt_schedule_peer(schedule, o);
    return left % 2 == 1 ? SHUNT_REF_STORE | shunt_schedule_peer(schedule, o)
                         : shunt_ref_slot(o - 1);
}

static int schedule_bruck_zero_copy(struct shunt_schedule *schedule, int ranks, int rank)
{
    shunt_schedule_begin(schedule, ranks, rank);
    /* A rotation into R alone would have the first hop of every block with an odd number of hops
     * send from where it receives. */
    for (int64_t o = 1; o < ranks; o++)
        shunt_schedule_before(schedule, shunt_schedule_peer(schedule, -o),
                              zero_copy_source(schedule, o, shunt_digit_first(&shunt_radix_two)));
    shunt_schedule_rotated(schedule, &shunt_radix_two, -1, zero_copy_source, zero_copy_target);
    return shunt_schedule_end(schedule, (uint32_t)ranks - 1);
}

static int build_zero_copy(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    (void)params;
    return schedule_bruck_zero_copy(s, layout->ranks, rank);
}

/*
 * The array of all blocks but the own one, one packed message, and room for all blocks where the
 * user's cannot be described by bytes. No message may have more bytes than an int can say.
 */
int64_t shunt_memory_datatype(const struct shunt_layout *layout, const struct shunt_params *params,
                              int64_t block)
{
    const int64_t P = layout->ranks, most = shunt_radix_round_blocks(P, &shunt_radix_two, 1);
    (void)params;
    return most > 0 && block > INT32_MAX / most ? INT64_MAX
                                                : shunt_memory_bytes(P - 1 + P + most, block, 0);
}

const struct shunt_algorithm shunt_algorithm_bruck_zero_copy = {
    .name = "bruck-zero-copy",
    .summary = "radix 2, blocks alternate between two buffers, with derived datatypes and no copy "
               "between rounds",
    .when = "blocks of more than a few hundred bytes, same buffers in every call",
    .citation = OPTIMIZING ", section 2.1; Traeff et al., Implementing a classic: zero-copy "
                           "all-to-all communication (ICS'14)",
    .kind = SHUNT_KIND_DATATYPE,
    .ops = SHUNT_OP_BIT(SHUNT_OP_ALLTOALL),
    .build = build_zero_copy,
    .memory = shunt_memory_datatype,
};
