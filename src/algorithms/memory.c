/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: bytes that a rank needs for one call, as the memory cap counts them. */
#include "algorithms/memory.h"

#include "algorithms/algorithm.h"

int64_t shunt_memory_bytes(int64_t blocks, int64_t block, int64_t length)
{
    if (blocks == 0)
        return 0;
    if (block > INT64_MAX - length || block + length > INT64_MAX / blocks)
        return INT64_MAX;
    return blocks * (block + length);
}

int64_t shunt_memory_slots(struct shunt_need need, int64_t block, int64_t length)
{
    const int64_t slots = shunt_memory_bytes(need.slots, block, 0),
                  moving = shunt_memory_bytes(need.moving, block, length);
    return slots > INT64_MAX - moving ? INT64_MAX : slots + moving;
}

int64_t shunt_memory_least(struct shunt_need need, int64_t block, int64_t length)
{
    const int64_t slots = shunt_memory_slots(need, block, length),
                  kept = shunt_memory_bytes(need.kept, block, SHUNT_LENGTH_FUSED);
    return slots < kept ? slots : kept;
}

bool shunt_metadata_is_separate(const struct shunt_params *params)
{
    return params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_SEPARATE;
}

struct shunt_need shunt_need_radix(int64_t ranks, const struct shunt_params *params, int64_t batch)
{
    const struct shunt_radices radices = shunt_params_radices(params);
    const int64_t moving = 2 * shunt_radix_round_blocks(ranks, &radices, batch);
    return (struct shunt_need){.slots = ranks - shunt_radix_rounds(ranks, &radices) - 1,
                               .moving = moving,
                               .kept = shunt_radix_hops(ranks, &radices, false) + moving};
}
