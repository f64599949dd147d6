/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parlinna.c: ParLinNa: a radix-r exchange inside the node followed by a linear exchange between
 * nodes.
 *
 * Idea: inside node n (Qn ranks) every rank collects, from its neighbours, all blocks for the ranks
 * h of each other node with h % Qn equal to its own local rank; then it sends those blocks on, one
 * message of Qn blocks per remote rank (coalesced) or one message per block (staggered). With nodes
 * of equal size this is the paper's scheme: local rank g talks to local rank g of every node.
 * Substeps of one digit inside the node concern different blocks, so `inside` of them share a round
 * (published: 1). Cost: K(Qn) messages inside the node; between nodes N-1 messages (coalesced) or
 * (N-1)Q (staggered), batch_size of them in flight. Use: several ranks per node; coalesced for
 * small blocks, staggered for large ones. Slots: one for each block that is collected for another
 * node; those of the own node only pass through, in the tight slots of radix.c. With nodes of equal
 * size (N-1)(Q-1) + Q - K(Q) - 1. Source: Fan 2025, section 4, algorithms 2 and 3, generalised here
 * to any placement and to nodes of unequal size. A batch counts messages to other nodes; in the
 * code of the paper's authors the own node is one of the first batch.
 *
 * Deadlock freedom between nodes: a message's batch follows from the distance k between its nodes
 * (and, staggered, from the source's local rank), which both ends know; batches are completed in
 * ascending order everywhere.
 */
#include <stdlib.h>

#include "algorithms/rows.h"

struct phase {
    struct shunt_schedule *schedule;
    const struct shunt_layout *layout;
    const struct shunt_radices *radices;
    int64_t inside;
    int node, local, ppn;
    int64_t *slot_base; /* array of N: first slot of the blocks for each destination node */
    int64_t slots;
};

/* Blocks for node j that one local rank collects from one neighbour: at most this many. */
static int bundle(const struct phase *phase, int j)
{
    return (shunt_layout_ppn(phase->layout, j) + phase->ppn - 1) / phase->ppn;
}

static int phase_begin(struct phase *phase, struct shunt_schedule *schedule,
                       const struct shunt_layout *layout, int rank,
                       const struct shunt_radices *radices, int64_t inside)
{
    *phase = (struct phase){
        .schedule = schedule, .layout = layout, .radices = radices, .inside = inside};
    phase->node = layout->node_of[rank];
    phase->local = layout->local_of[rank];
    phase->ppn = shunt_layout_ppn(layout, phase->node);
    phase->slot_base = calloc((size_t)layout->nodes, sizeof *phase->slot_base);
    if (!phase->slot_base)
        return -1;
    for (int j = 0; j < layout->nodes; j++) {
        phase->slot_base[j] = phase->slots;
        phase->slots += j == phase->node ? phase->ppn - shunt_radix_rounds(phase->ppn, radices) - 1
                                         : (int64_t)(phase->ppn - 1) * bundle(phase, j);
    }
    shunt_schedule_begin(schedule, layout->ranks, rank);
    return 0;
}

static shunt_ref slot_of(const struct phase *phase, int j, int offset, int sub)
{
    const int64_t slot = j == phase->node ? shunt_radix_slot(offset, phase->radices)
                                          : (int64_t)(offset - 1) * bundle(phase, j) + sub;
    return shunt_ref_slot(phase->slot_base[j] + slot);
}

/* `place`, less than twice as many as there are, or negative by less than that. */
static int within(int64_t place, int count)
{
    return (int)(place < 0 ? place + count : place < count ? place : place - count);
}

/*
 * Blocks of offset o that this rank sends (or receives, when `receiving`) in a round of digit d,
 * having travelled so far: all that local rank a sends to the collector a - o, for node j. Sender
 * and receiver enumerate them alike.
 */
static void add_offset(const struct phase *phase, int j, int64_t o, int64_t travelled,
                       struct shunt_digit d, int receiving)
{
    const struct shunt_layout *layout = phase->layout;
    const int a = within(phase->local + travelled, phase->ppn),
              collector = within(a - o, phase->ppn);
    const int home = j == phase->node && o < d.weight * d.radix;
    for (int h = collector, sub = 0; h < shunt_layout_ppn(layout, j); h += phase->ppn, sub++) {
        const shunt_ref from = travelled == 0 ? (shunt_ref)shunt_layout_rank(layout, j, h)
                                              : slot_of(phase, j, (int)o, sub);
        if (receiving)
            shunt_schedule_recv(phase->schedule, home ? (shunt_ref)shunt_layout_rank(layout, j, a)
                                                      : slot_of(phase, j, (int)o, sub));
        else if (home)
            shunt_schedule_send_home(phase->schedule, from);
        else
            shunt_schedule_send(phase->schedule, from);
    }
}

static void node_phase_step(const struct phase *phase, struct shunt_digit d, int64_t z)
{
    const int Q = phase->ppn, N = phase->layout->nodes;
    const int to = (int)((phase->local - z * d.weight + Q) % Q),
              from = (int)((phase->local + z * d.weight) % Q);
    shunt_schedule_step(phase->schedule, shunt_layout_rank(phase->layout, phase->node, to),
                        shunt_layout_rank(phase->layout, phase->node, from));
    for (int receiving = 0; receiving < 2; receiving++)
        for (int k = 0; k < N; k++) /* the own node first: its blocks arrive */
            for (int64_t base = z * d.weight; base < Q; base += d.weight * d.radix)
                for (int64_t o = base; o < base + d.weight && o < Q; o++)
                    /* the value of this digit, and those of lower ones */
                    add_offset(phase, within(phase->node + k, N), o,
                               receiving ? z * d.weight + o - base : o - base, d, receiving);
}

static void node_phase(const struct phase *phase)
{
    for (struct shunt_digit d = shunt_digit_first(phase->radices); d.weight < phase->ppn;
         d = shunt_digit_next(d))
        for (int64_t z = 1; z < d.radix && z * d.weight < phase->ppn; z++) {
            if ((z - 1) % phase->inside == 0)
                shunt_schedule_round(phase->schedule);
            node_phase_step(phase, d, z);
        }
}

/* The block that local rank a of this node has for local rank h of node j, which this rank
 * collected. */
static void send_collected(const struct phase *phase, int j, int h, int a)
{
    const int offset = (a - phase->local + phase->ppn) % phase->ppn;
    shunt_schedule_send(phase->schedule, offset == 0
                                             ? (shunt_ref)shunt_layout_rank(phase->layout, j, h)
                                             : slot_of(phase, j, offset, h / phase->ppn));
}

/* The local rank of node `from` that collects for this rank. */
static int collector_rank(const struct phase *phase, int from)
{
    return shunt_layout_rank(phase->layout, from,
                             phase->local % shunt_layout_ppn(phase->layout, from));
}

/*
 * Messages between this node and those at distance k, of the blocks with source local ranks
 * first..last-1. The first message sent shares its step with the one received.
 */
static void remote_steps(const struct phase *phase, int k, int first, int last)
{
    const struct shunt_layout *layout = phase->layout;
    const int N = layout->nodes;
    const int to = (phase->node - k + N) % N, from = (phase->node + k) % N;
    const int last_out = last < phase->ppn ? last : phase->ppn;
    const int from_ppn = shunt_layout_ppn(layout, from),
              last_in = last < from_ppn ? last : from_ppn;
    int received = 0, h = phase->local;
    do {
        const int sends = h < shunt_layout_ppn(layout, to) && first < last_out;
        shunt_schedule_step(phase->schedule, sends ? shunt_layout_rank(layout, to, h) : -1,
                            received ? -1 : collector_rank(phase, from));
        shunt_schedule_final(phase->schedule);
        for (int a = first; sends && a < last_out; a++)
            send_collected(phase, to, h, a);
        for (int a = first; !received && a < last_in; a++)
            shunt_schedule_recv(phase->schedule, (shunt_ref)shunt_layout_rank(layout, from, a));
        received = 1;
        h += phase->ppn;
    } while (h < shunt_layout_ppn(layout, to));
}

static int phase_end(struct phase *phase)
{
    free(phase->slot_base);
    return shunt_schedule_end(phase->schedule, (uint32_t)phase->slots);
}

static int schedule_coalesced(struct shunt_schedule *schedule, const struct shunt_layout *layout,
                              int rank, const struct shunt_radices *radices, int64_t inside,
                              int64_t batch)
{
    struct phase phase;
    if (phase_begin(&phase, schedule, layout, rank, radices, inside))
        return -1;
    node_phase(&phase);
    for (int k = 1; k < layout->nodes; k++) {
        if ((k - 1) % batch == 0)
            shunt_schedule_round(schedule);
        remote_steps(&phase, k, 0, layout->ppn_max);
    }
    return phase_end(&phase);
}

static int schedule_staggered(struct shunt_schedule *schedule, const struct shunt_layout *layout,
                              int rank, const struct shunt_radices *radices, int64_t inside,
                              int64_t batch)
{
    struct phase phase;
    if (phase_begin(&phase, schedule, layout, rank, radices, inside))
        return -1;
    node_phase(&phase);
    const int64_t count = (int64_t)(layout->nodes - 1) * layout->ppn_max;
    for (int64_t i = 0; i < count; i++) {
        if (i % batch == 0)
            shunt_schedule_round(schedule);
        const int a = (int)(i % layout->ppn_max);
        remote_steps(&phase, (int)(i / layout->ppn_max) + 1, a, a + 1);
    }
    return phase_end(&phase);
}

/* Substeps of one digit of the node phase that share a round: all, or one as published. */
static int64_t inside_batch(const struct shunt_params *params)
{
    return params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_FUSED ? INT64_MAX : 1;
}

static int build_coalesced(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return schedule_coalesced(s, layout, rank, &radices, inside_batch(params),
                              params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int build_staggered(struct shunt_schedule *s, const struct shunt_layout *layout, int rank,
                           const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return schedule_staggered(s, layout, rank, &radices, inside_batch(params),
                              params->value[SHUNT_PARAM_BATCH_SIZE]);
}

/*
 * Scratch blocks of ParLinNa with `remote` blocks per remote message. Equal nodes: exact for slots.
 * Unequal ones: sum over j of (q-1)*ceil(Qj/q) is below P + (q-1)*N for every node size q, and no
 * round moves more than all slots and the N + P/q collected blocks that never moved. Kept messages
 * bring each slot's block once per digit at most.
 */
static struct shunt_need need_parlinna(const struct shunt_layout *layout,
                                       const struct shunt_params *params, int64_t remote)
{
    const int64_t P = layout->ranks, N = layout->nodes, Q = layout->ppn_max;
    const struct shunt_radices radices = shunt_params_radices(params);
    const int64_t batch = params->value[SHUNT_PARAM_BATCH_SIZE];
    const int64_t across = N > 1 ? (batch < (N - 1) * Q ? batch : (N - 1) * Q) * remote : 0;
    if (layout->ppn_min == layout->ppn_max) {
        const int64_t inside = N * shunt_radix_round_blocks(Q, &radices, inside_batch(params)),
                      round = inside > across ? inside : across;
        return (struct shunt_need){
            .slots = (N - 1) * (Q - 1) + Q - shunt_radix_rounds(Q, &radices) - 1,
            .moving = 2 * round,
            .kept = N * shunt_radix_hops(Q, &radices, true) + across + round};
    }
    const int64_t slots = P + (Q - 1) * N, round = slots + P + N;
    int64_t digits = 1;
    for (struct shunt_digit d = shunt_digit_next(shunt_digit_first(&radices)); d.weight < Q;
         d = shunt_digit_next(d))
        digits++;
    return (struct shunt_need){
        .slots = slots, .moving = 2 * round, .kept = digits * slots + 2 * round};
}

static int64_t memory_parlinna(const struct shunt_layout *layout, const struct shunt_params *params,
                               int64_t block, int64_t remote)
{
    const struct shunt_need need = need_parlinna(layout, params, remote);
    return shunt_metadata_is_separate(params)
               ? shunt_memory_slots(need, block, shunt_length_bytes(block))
               : shunt_memory_least(need, block, shunt_length_bytes(block));
}

static int64_t kept_coalesced(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlinna(layout, params, layout->ppn_max).kept;
}

static int64_t memory_coalesced(const struct shunt_layout *layout,
                                const struct shunt_params *params, int64_t block)
{
    return memory_parlinna(layout, params, block, layout->ppn_max);
}

static int64_t kept_staggered(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlinna(layout, params, 1).kept;
}

static int64_t memory_staggered(const struct shunt_layout *layout,
                                const struct shunt_params *params, int64_t block)
{
    return memory_parlinna(layout, params, block, 1);
}

const struct shunt_algorithm shunt_algorithm_parlinna_coalesced = {
    .name = "parlinna-coalesced",
    .summary = "radix r inside the node, one message of Q blocks per remote node",
    .when = "many ranks per node, small and middle blocks",
    .citation = PARAMETERIZED ", section 4, algorithm 2",
    .kind = SHUNT_KIND_FORWARD,
    .ops = SHUNT_OP_BOTH,
    .params = {RADIX(SHUNT_FORMULA_Q, 2), BATCH(SHUNT_FORMULA_N_LESS_1, 32), METADATA},
    .build = build_coalesced,
    .memory = memory_coalesced,
    .kept = kept_coalesced,
};

const struct shunt_algorithm shunt_algorithm_parlinna_staggered = {
    .name = "parlinna-staggered",
    .summary = "radix r inside the node, one message per block between nodes",
    .when = "many ranks per node, large blocks",
    .citation = PARAMETERIZED ", section 4, algorithm 3",
    .kind = SHUNT_KIND_FORWARD,
    .ops = SHUNT_OP_BOTH,
    .params = {RADIX(SHUNT_FORMULA_Q, 2), BATCH(SHUNT_FORMULA_REMOTE, 32), METADATA},
    .build = build_staggered,
    .memory = memory_staggered,
    .kept = kept_staggered,
};
