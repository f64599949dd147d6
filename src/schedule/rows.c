/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: the rows of the registry: how each algorithm is built, what it needs, where it comes from. */
#include "schedule/rows.h"
#include "schedule/bundle.h"

#define BOTH_OPS ((1u << SHUNT_OP_ALLTOALL) | (1u << SHUNT_OP_ALLTOALLV))

#define NUMBER(n)                                                                                                                          \
    {                                                                                                                                      \
        SHUNT_FORMULA_NUMBER, (n)                                                                                                          \
    }
#define RADIX(bound, n) [SHUNT_PARAM_RADIX] = {.used = true, .list = true, .min = 2, .max = (bound), .preset = NUMBER(n)}
#define ONE_RADIX(bound, n) [SHUNT_PARAM_RADIX] = {.used = true, .min = 2, .max = (bound), .preset = NUMBER(n)}
#define LEADERS(n) [SHUNT_PARAM_LEADERS] = {.used = true, .min = 1, .max = SHUNT_FORMULA_Q, .preset = NUMBER(n)}
/* Bytes; without it messages are not cut. A fragment holds the header of a bundle. */
#define FRAGMENT [SHUNT_PARAM_FRAGMENT] = {.used = true, .min = 1024, .max = SHUNT_FORMULA_GIB, .preset = NUMBER(1 << 30)}
#define METADATA [SHUNT_PARAM_METADATA] = {.used = true, .preset = NUMBER(SHUNT_METADATA_FUSED)}
#define BATCH(bound, n) [SHUNT_PARAM_BATCH_SIZE] = {.used = true, .min = 1, .max = (bound), .preset = NUMBER(n)}

static int build_spread_out(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_scattered(s, layout->ranks, rank, layout->ranks);
}

static int build_scattered(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    return shunt_schedule_scattered(s, layout->ranks, rank, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int build_pairwise(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_pairwise(s, layout->ranks, rank);
}

static int build_linear(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_linear(s, layout->ranks, rank);
}

static int build_exclusive_or(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_exclusive_or(s, layout->ranks, rank);
}

static const char *needs_power_of_two(const struct shunt_layout *layout, const struct shunt_params *params)
{
    (void)params;
    return (layout->ranks & (layout->ranks - 1)) != 0 ? "the number of ranks is not a power of two" : NULL;
}

static int build_bruck(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_radix(s, layout->ranks, rank, &radices, 1, SHUNT_SLOTS_TIGHT);
}

static int build_parlogna(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_radix(s, layout->ranks, rank, &radices, params->value[SHUNT_PARAM_BATCH_SIZE], SHUNT_SLOTS_TIGHT);
}

static const struct shunt_radices two = {1, {2}};

static int build_two_phase(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_radix(s, layout->ranks, rank, &two, 1, SHUNT_SLOTS_FULL);
}

static int build_bruck_basic(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_bruck_basic(s, layout->ranks, rank, &radices);
}

static int build_bruck_modified(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_bruck_modified(s, layout->ranks, rank, &radices);
}

static int build_basic_dt(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_bruck_basic(s, layout->ranks, rank, &two);
}

static int build_modified_dt(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_bruck_modified(s, layout->ranks, rank, &two);
}

static int build_zero_copy(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_bruck_zero_copy(s, layout->ranks, rank);
}

static int build_sloav(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_sloav(s, layout->ranks, rank);
}

/* Substeps of one digit of the node phase that share a round: all, or one as published. */
static int64_t inside_batch(const struct shunt_params *params)
{
    return params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_FUSED ? INT64_MAX : 1;
}

static int build_coalesced(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_parlinna_coalesced(s, layout, rank, &radices, inside_batch(params), params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int build_staggered(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    return shunt_schedule_parlinna_staggered(s, layout, rank, &radices, inside_batch(params), params->value[SHUNT_PARAM_BATCH_SIZE]);
}

/* Bytes for `blocks` blocks and `length` bytes with each; INT64_MAX when that does not fit. */
static int64_t scratch_bytes(int64_t blocks, int64_t block, int64_t length)
{
    if (blocks == 0)
        return 0;
    if (block > INT64_MAX - length || block + length > INT64_MAX / blocks)
        return INT64_MAX;
    return blocks * (block + length);
}

/* Blocks of scratch: in slots; in the messages out and in of one round; and, where messages are kept instead of slots, all of these. */
struct need {
    int64_t slots, moving, kept;
};

/* In slots: published, Fan 2025 section 3.3. `length`: bytes that tell the length of each block of a message. */
static int64_t memory_slots(struct need need, int64_t block, int64_t length)
{
    const int64_t slots = scratch_bytes(need.slots, block, 0), moving = scratch_bytes(need.moving, block, length);
    return slots > INT64_MAX - moving ? INT64_MAX : slots + moving;
}

static int64_t memory_least(struct need need, int64_t block, int64_t length)
{
    const int64_t slots = memory_slots(need, block, length), kept = scratch_bytes(need.kept, block, SHUNT_LENGTH_FUSED);
    return slots < kept ? slots : kept;
}

static bool is_separate(const struct shunt_params *params)
{
    return params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_SEPARATE;
}

static struct need need_radix(int64_t P, const struct shunt_params *params, int64_t batch)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const int64_t moving = 2 * shunt_radix_round_blocks(P, &radices, batch);
    return (struct need){
        .slots = P - shunt_radix_rounds(P, &radices) - 1, .moving = moving, .kept = shunt_radix_hops(P, &radices, false) + moving};
}

static int64_t kept_bruck(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_radix(layout->ranks, params, 1).kept;
}

static int64_t memory_bruck(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    return memory_least(need_radix(layout->ranks, params, 1), block, 0);
}

static int64_t memory_padded_bruck(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    return memory_slots(need_radix(layout->ranks, params, 1), block, 0);
}

static struct need need_parlogna(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_radix(layout->ranks, params, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static int64_t kept_parlogna(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlogna(layout, params).kept;
}

static int64_t memory_parlogna(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const struct need need = need_parlogna(layout, params);
    return is_separate(params) ? memory_slots(need, block, shunt_length_bytes(block))
                               : memory_least(need, block, shunt_length_bytes(block));
}

/* With an array of all blocks but the own one. */
static int64_t memory_rotated(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const struct need need = {.slots = layout->ranks - 1, .moving = 2 * shunt_radix_round_blocks(layout->ranks, &radices, 1)};
    return memory_slots(need, block, 0);
}

/*
 * The array of all blocks but the own one, one packed message, and room for all blocks where the user's cannot be described by bytes. No
 * message may have more bytes than an int can say.
 */
static int64_t memory_datatype(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const int64_t P = layout->ranks, most = shunt_radix_round_blocks(P, &two, 1);
    (void)params;
    return most > 0 && block > INT32_MAX / most ? INT64_MAX : scratch_bytes(P - 1 + P + most, block, 0);
}

/* Every message stays until the end. */
static int64_t memory_sloav(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const int64_t P = layout->ranks;
    (void)params;
    return memory_slots((struct need){.slots = shunt_sloav_slots(P), .moving = 2 * shunt_radix_round_blocks(P, &two, 1)}, block,
                        shunt_length_bytes(block));
}

/* Padded copies of all blocks, out and in. */
static int64_t memory_padded_alltoall(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    (void)params;
    return scratch_bytes(2 * (int64_t)layout->ranks, block, 0);
}

static int64_t memory_two_phase(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const int64_t P = layout->ranks;
    (void)params;
    return memory_slots((struct need){.slots = P, .moving = 2 * shunt_radix_round_blocks(P, &two, 1)}, block, shunt_length_bytes(block));
}

/*
 * Scratch blocks of ParLinNa with `remote` blocks per remote message. Equal nodes: exact for slots. Unequal ones: sum over j of
 * (q-1)*ceil(Qj/q) is below P + (q-1)*N for every node size q, and no round moves more than all slots and the N + P/q collected blocks that
 * never moved. Kept messages bring each slot's block once per digit at most.
 */
static struct need need_parlinna(const struct shunt_layout *layout, const struct shunt_params *params, int64_t remote)
{
    const int64_t P = layout->ranks, N = layout->nodes, Q = layout->ppn_max;
    const struct shunt_radices radices = shunt_params_radices(params);
    const int64_t batch = params->value[SHUNT_PARAM_BATCH_SIZE];
    const int64_t across = N > 1 ? (batch < (N - 1) * Q ? batch : (N - 1) * Q) * remote : 0;
    if (layout->ppn_min == layout->ppn_max) {
        const int64_t inside = N * shunt_radix_round_blocks(Q, &radices, inside_batch(params)), round = inside > across ? inside : across;
        return (struct need){.slots = (N - 1) * (Q - 1) + Q - shunt_radix_rounds(Q, &radices) - 1,
                             .moving = 2 * round,
                             .kept = N * shunt_radix_hops(Q, &radices, true) + across + round};
    }
    const int64_t slots = P + (Q - 1) * N, round = slots + P + N;
    int64_t digits = 1;
    for (struct shunt_digit d = shunt_digit_next(shunt_digit_first(&radices)); d.weight < Q; d = shunt_digit_next(d))
        digits++;
    return (struct need){.slots = slots, .moving = 2 * round, .kept = digits * slots + 2 * round};
}

static int64_t memory_parlinna(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block, int64_t remote)
{
    const struct need need = need_parlinna(layout, params, remote);
    return is_separate(params) ? memory_slots(need, block, shunt_length_bytes(block))
                               : memory_least(need, block, shunt_length_bytes(block));
}

static int64_t kept_coalesced(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlinna(layout, params, layout->ppn_max).kept;
}

static int64_t memory_coalesced(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    return memory_parlinna(layout, params, block, layout->ppn_max);
}

static int64_t kept_staggered(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return need_parlinna(layout, params, 1).kept;
}

static int64_t memory_staggered(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    return memory_parlinna(layout, params, block, 1);
}

/* Schedules of nodes. */
static int build_node_pair(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    (void)params;
    return shunt_schedule_scattered(s, layout->nodes, layout->node_of[rank], layout->nodes);
}

static int build_node_bruck(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    const struct shunt_radices radices = {1, {params->value[SHUNT_PARAM_RADIX]}};
    return shunt_schedule_radix(s, layout->nodes, layout->node_of[rank], &radices, 1, SHUNT_SLOTS_TIGHT);
}

static int build_shared(struct shunt_schedule *s, const struct shunt_layout *layout, int rank, const struct shunt_params *params)
{
    return shunt_schedule_parlinna_shared(s, layout, rank, params->value[SHUNT_PARAM_BATCH_SIZE]);
}

static const char *needs_segment(const struct shunt_layout *layout, const struct shunt_params *params)
{
    (void)params;
    return layout->segment_block < 0 ? "the ranks of some node cannot share memory" : NULL;
}

static const char *needs_one_node(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return layout->nodes > 1 ? "the ranks are not all on one node" : needs_segment(layout, params);
}

static const char *needs_reading(const struct shunt_layout *layout, const struct shunt_params *params)
{
    return layout->peer_read ? needs_one_node(layout, params) : "some rank may not read the memory of another";
}

static int64_t memory_bundles(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    const int64_t radix = params->value[SHUNT_PARAM_RADIX], leaders = params->value[SHUNT_PARAM_LEADERS];
    if (block > layout->segment_block)
        return INT64_MAX;
    return shunt_bundle_memory(layout, leaders < layout->ppn_min ? leaders : layout->ppn_min, radix ? radix : layout->nodes, block);
}

static int64_t memory_shared(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    return block > layout->segment_block ? INT64_MAX : shunt_collect_memory(layout, params->value[SHUNT_PARAM_BATCH_SIZE], block);
}

/* The segment holds addresses only, for which the least room will do. One block is copied at a time, at most. */
static int64_t memory_read(const struct shunt_layout *layout, const struct shunt_params *params, int64_t block)
{
    (void)params;
    const int64_t shared = shunt_bundle_memory(layout, 1, layout->nodes, SHUNT_ROOM_LEAST);
    return block > INT64_MAX - shared ? INT64_MAX : shared + block;
}

/* The papers; comments in this folder call them Fan 2022, Fan and Kumar, Fan 2025. */
#define OPTIMIZING "Fan et al., Optimizing the Bruck Algorithm for Non-uniform All-to-all Communication (HPDC'22)"
#define RADIX_R "Fan and Kumar, Parameterized Radix-r Bruck Algorithm for All-to-all Communication"
#define PARAMETERIZED "Fan et al., Parameterized Algorithms for Non-uniform All-to-all (HPDC'25)"

#define OURS "this project; two levels as in Fan et al. (HPDC'25), section 4"

const struct shunt_algorithm shunt_registry_table[] = {
    {.name = "native",
     .summary = "the MPI library's own implementation",
     .when = "whenever nothing below was measured to be faster",
     .citation = "-",
     .kind = SHUNT_KIND_NATIVE,
     .ops = BOTH_OPS},
    {.name = "spread-out",
     .summary = "direct, all messages in flight at once",
     .when = "few ranks or large blocks on a network without congestion",
     .citation = PARAMETERIZED ", section 2(d)",
     .kind = SHUNT_KIND_DIRECT,
     .ops = BOTH_OPS,
     .build = build_spread_out},
    {.name = "scattered",
     .summary = "direct, batch_size messages in flight",
     .when = "large blocks, when spread-out congests the network",
     .citation = PARAMETERIZED ", section 2(d); MPICH",
     .kind = SHUNT_KIND_DIRECT,
     .ops = BOTH_OPS,
     .params = {BATCH(SHUNT_FORMULA_P_LESS_1, 32)},
     .build = build_scattered},
    {.name = "pairwise",
     .summary = "direct, one exchange at a time",
     .when = "very large blocks",
     .citation = PARAMETERIZED ", section 2(d); Open MPI",
     .kind = SHUNT_KIND_DIRECT,
     .ops = BOTH_OPS,
     .build = build_pairwise},
    {.name = "linear",
     .summary = "direct, all messages in flight at once, in ascending rank order",
     .when = "baseline for spread-out, which does not send to one rank first from everywhere",
     .citation = PARAMETERIZED ", section 2(d); Open MPI",
     .kind = SHUNT_KIND_DIRECT,
     .ops = BOTH_OPS,
     .build = build_linear},
    {.name = "exclusive-or",
     .summary = "direct, one exchange at a time with partner p xor i",
     .when = "very large blocks, a power of two of ranks: both ends of an exchange are the same two ranks",
     .citation = PARAMETERIZED ", section 5.3; MPICH",
     .kind = SHUNT_KIND_DIRECT,
     .ops = BOTH_OPS,
     .build = build_exclusive_or,
     .infeasible = needs_power_of_two},
    {.name = "bruck",
     .alias = "bruck-zero-rotation",
     .summary = "zero-rotation Bruck with radix r, uniform blocks",
     .when = "small blocks: radix 2; middle sizes: radix near sqrt(P)",
     .citation = OPTIMIZING ", section 2; " RADIX_R,
     .kind = SHUNT_KIND_FORWARD,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .params = {RADIX(SHUNT_FORMULA_P, 2)},
     .build = build_bruck,
     .memory = memory_bruck,
     .kept = kept_bruck},
    {.name = "bruck-basic",
     .summary = "Bruck with initial and final rotation, uniform blocks",
     .when = "baseline for bruck, which saves both rotations",
     .citation = OPTIMIZING ", section 2.1; " RADIX_R,
     .kind = SHUNT_KIND_FORWARD,
     .in_slots = true,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .params = {RADIX(SHUNT_FORMULA_P, 2)},
     .build = build_bruck_basic,
     .memory = memory_rotated},
    {.name = "bruck-modified",
     .summary = "Bruck with initial rotation only, uniform blocks",
     .when = "baseline for bruck, which saves the rotation",
     .citation = OPTIMIZING ", section 2.1; " RADIX_R,
     .kind = SHUNT_KIND_FORWARD,
     .in_slots = true,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .params = {RADIX(SHUNT_FORMULA_P, 2)},
     .build = build_bruck_modified,
     .memory = memory_rotated},
    {.name = "bruck-basic-dt",
     .summary = "bruck-basic, radix 2, with derived datatypes instead of copies",
     .when = "baseline: datatypes were slower than copies wherever they were measured",
     .citation = OPTIMIZING ", section 2.2",
     .kind = SHUNT_KIND_DATATYPE,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .build = build_basic_dt,
     .memory = memory_datatype},
    {.name = "bruck-modified-dt",
     .summary = "bruck-modified, radix 2, with derived datatypes instead of copies",
     .when = "baseline: datatypes were slower than copies wherever they were measured",
     .citation = OPTIMIZING ", section 2.2",
     .kind = SHUNT_KIND_DATATYPE,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .build = build_modified_dt,
     .memory = memory_datatype},
    {.name = "bruck-zero-copy",
     .summary = "radix 2, blocks alternate between two buffers, with derived datatypes and no copy between rounds",
     .when = "blocks of more than a few hundred bytes, same buffers in every call",
     .citation = OPTIMIZING ", section 2.1; Traeff et al., Implementing a classic: zero-copy all-to-all communication (ICS'14)",
     .kind = SHUNT_KIND_DATATYPE,
     .ops = 1u << SHUNT_OP_ALLTOALL,
     .build = build_zero_copy,
     .memory = memory_datatype},
    {.name = "two-phase-bruck",
     .summary = "radix-2 Bruck, lengths then data in every round",
     .when = "small non-uniform blocks; baseline for parlogna",
     .citation = OPTIMIZING ", section 3",
     .kind = SHUNT_KIND_FORWARD,
     .in_slots = true,
     .ops = BOTH_OPS,
     .build = build_two_phase,
     .memory = memory_two_phase},
    {.name = "sloav",
     .summary = "radix-2 Bruck, lengths then data, received messages kept until a final scan",
     .when = "baseline for two-phase-bruck, which needs less memory and no scan",
     .citation = OPTIMIZING ", sections 1 and 6.1; Xu et al., SLOAVx (CCGrid'13)",
     .kind = SHUNT_KIND_FORWARD,
     .in_slots = true,
     .ops = BOTH_OPS,
     .build = build_sloav,
     .memory = memory_sloav},
    {.name = "padded-bruck",
     .summary = "bruck after padding every block to the largest",
     .when = "non-uniform blocks of a few bytes: half the messages of two-phase-bruck, about twice the bytes",
     .citation = OPTIMIZING ", section 3.1",
     .kind = SHUNT_KIND_PADDED,
     .in_slots = true,
     .ops = BOTH_OPS,
     .params = {RADIX(SHUNT_FORMULA_P, 2)},
     .build = build_bruck,
     .memory = memory_padded_bruck},
    {.name = "padded-alltoall",
     .summary = "the MPI library's Alltoall after padding every block to the largest",
     .when = "nearly equal blocks, where the library's Alltoall beats its Alltoallv",
     .citation = OPTIMIZING ", section 4.1",
     .kind = SHUNT_KIND_LIBRARY,
     .ops = BOTH_OPS,
     .memory = memory_padded_alltoall},
    {.name = "parlogna",
     .summary = "radix r for blocks of any size, batch_size messages of a digit in flight",
     .when = "small blocks: radix 2; middle sizes: sqrt(P); large: P; as published: metadata=separate batch_size=1",
     .citation = PARAMETERIZED ", section 3",
     .kind = SHUNT_KIND_FORWARD,
     .ops = BOTH_OPS,
     .params = {RADIX(SHUNT_FORMULA_P, 2),
                [SHUNT_PARAM_BATCH_SIZE] = {.used = true, .min = 1, .max = SHUNT_FORMULA_P_LESS_1, .preset = {SHUNT_FORMULA_P_LESS_1, 0}},
                METADATA},
     .build = build_parlogna,
     .memory = memory_parlogna,
     .kept = kept_parlogna},
    {.name = "parlinna-coalesced",
     .summary = "radix r inside the node, one message of Q blocks per remote node",
     .when = "many ranks per node, small and middle blocks",
     .citation = PARAMETERIZED ", section 4, algorithm 2",
     .kind = SHUNT_KIND_FORWARD,
     .ops = BOTH_OPS,
     .params = {RADIX(SHUNT_FORMULA_Q, 2), BATCH(SHUNT_FORMULA_N_LESS_1, 32), METADATA},
     .build = build_coalesced,
     .memory = memory_coalesced,
     .kept = kept_coalesced},
    {.name = "parlinna-staggered",
     .summary = "radix r inside the node, one message per block between nodes",
     .when = "many ranks per node, large blocks",
     .citation = PARAMETERIZED ", section 4, algorithm 3",
     .kind = SHUNT_KIND_FORWARD,
     .ops = BOTH_OPS,
     .params = {RADIX(SHUNT_FORMULA_Q, 2), BATCH(SHUNT_FORMULA_REMOTE, 32), METADATA},
     .build = build_staggered,
     .memory = memory_staggered,
     .kept = kept_staggered},
    {.name = "parlinna-shared",
     .summary = "parlinna-coalesced whose node phase is shared memory",
     .when = "several ranks per node, middle blocks",
     .citation = OURS,
     .kind = SHUNT_KIND_COLLECT,
     .ops = BOTH_OPS,
     .params = {BATCH(SHUNT_FORMULA_N_LESS_1, 32)},
     .build = build_shared,
     .infeasible = needs_segment,
     .memory = memory_shared},
    {.name = "shared-segment",
     .summary = "blocks published in memory shared by the node's ranks",
     .when = "all ranks on one node, small and middle blocks",
     .citation = OURS,
     .kind = SHUNT_KIND_SEGMENT,
     .ops = BOTH_OPS,
     .build = build_node_pair,
     .infeasible = needs_one_node,
     .memory = memory_bundles},
    {.name = "peer-read",
     .summary = "blocks read straight from the memory of the neighbour (process_vm_readv)",
     .when = "all ranks on one node, large blocks",
     .citation = "this project",
     .kind = SHUNT_KIND_READ,
     .ops = BOTH_OPS,
     .build = build_spread_out,
     .infeasible = needs_reading,
     .memory = memory_read},
    {.name = "node-pair",
     .summary = "one message per pair of nodes, shared by the leaders of each",
     .when = "several ranks per node, small and middle blocks",
     .citation = OURS,
     .kind = SHUNT_KIND_SEGMENT,
     .ops = BOTH_OPS,
     .params = {LEADERS(1), FRAGMENT},
     .build = build_node_pair,
     .infeasible = needs_segment,
     .memory = memory_bundles},
    {.name = "node-bruck",
     .summary = "radix r between nodes, whose ranks share memory",
     .when = "very many nodes, tiny blocks",
     .citation = OURS,
     .kind = SHUNT_KIND_SEGMENT,
     .ops = BOTH_OPS,
     .params = {ONE_RADIX(SHUNT_FORMULA_N, 2)},
     .build = build_node_bruck,
     .infeasible = needs_segment,
     .memory = memory_bundles},
};

const size_t shunt_registry_table_count = sizeof shunt_registry_table / sizeof shunt_registry_table[0];
