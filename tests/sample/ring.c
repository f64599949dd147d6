/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c: blocks travel around a ring of ranks; the sample of CONTRIBUTING.md, "Adding an
 * algorithm". Only tests know it.
 *
 * Idea: in each of P - 1 rounds every rank sends one message to the next rank and receives one from
 * the rank before; a block for the rank `hops` further on is passed on that many times. Cost: P - 1
 * messages, P (P - 1) / 2 blocks sent by each rank. Memory: P - 2 slots, or all received messages
 * but the last, and one round's messages. Use: none but tests, and rings of wires. Source: the
 * exchange of an allgather on a ring, with a block less in every round.
 */
#include "algorithms/rows.h"

/* Where a block waits that has `hops` hops from its origin to its final rank, if more than one. */
static shunt_ref waiting(int64_t hops)
{
    return shunt_ref_slot(hops - 2);
}

/* In round k, from 1 on, all blocks of k hops and more make their k-th; those of k arrive. */
static void ring_round(struct shunt_schedule *s, int64_t k)
{
    shunt_schedule_round(s);
    shunt_schedule_step(s, (int)shunt_schedule_peer(s, 1), (int)shunt_schedule_peer(s, -1));
    for (int64_t hops = k; hops < s->ranks; hops++) {
        const shunt_ref from = k == 1 ? shunt_schedule_peer(s, hops) : waiting(hops);
        if (hops == k)
            shunt_schedule_send_home(s, from);
        else
            shunt_schedule_send(s, from);
    }
    for (int64_t hops = k; hops < s->ranks; hops++)
        shunt_schedule_recv(s, hops == k ? shunt_schedule_peer(s, -k) : waiting(hops));
}

static int64_t slots(int64_t ranks)
{
    return ranks > 2 ? ranks - 2 : 0;
}

static int build_ring(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                      const struct shunt_params *params)
{
    (void)params;
    shunt_schedule_begin(s, layout->ranks, rank);
    for (int64_t k = 1; k < layout->ranks; k++)
        ring_round(s, k);
    return shunt_schedule_end(s, (uint32_t)slots(layout->ranks));
}

/* The first round has the longest messages; those of all but the last have blocks to be passed
 * on. */
static struct shunt_need need_ring(const struct shunt_layout *layout)
{
    const int64_t P = layout->ranks, most = P - 1;
    return (struct shunt_need){
        .slots = slots(P), .moving = 2 * most, .kept = most + P * (P - 1) / 2};
}

static int64_t kept_ring(const struct shunt_layout *layout, const struct shunt_params *params)
{
    (void)params;
    return need_ring(layout).kept;
}

static int64_t memory_ring(const struct shunt_layout *layout, const struct shunt_params *params,
                           int64_t block)
{
    const struct shunt_need need = need_ring(layout);
    const int64_t length = shunt_length_bytes(block);
    return shunt_metadata_is_separate(params) ? shunt_memory_slots(need, block, length)
                                              : shunt_memory_least(need, block, length);
}

const struct shunt_algorithm shunt_algorithm_ring = {
    .name = "ring",
    .summary = "every block goes from neighbour to neighbour until it arrives",
    .when = "in tests",
    .citation = "this project, tests/sample",
    .kind = SHUNT_KIND_FORWARD,
    .ops = SHUNT_OP_BOTH,
    .params = {METADATA},
    .build = build_ring,
    .memory = memory_ring,
    .kept = kept_ring,
};
