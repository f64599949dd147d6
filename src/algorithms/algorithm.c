/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c: what follows from a row and its parameters: length, name, kept arrays, whether
 * lengths go in messages of their own. */
#include "algorithms/algorithm.h"

const char *shunt_op_name(enum shunt_op op)
{
    return op == SHUNT_OP_ALLTOALL ? "alltoall" : "alltoallv";
}

bool shunt_algorithm_separate(const struct shunt_algorithm *algorithm,
                              const struct shunt_params *params)
{
    return algorithm->in_slots || params->value[SHUNT_PARAM_METADATA] == SHUNT_METADATA_SEPARATE;
}

int64_t shunt_algorithm_length(const struct shunt_algorithm *algorithm, int64_t block)
{
    const bool equal =
        algorithm->kind != SHUNT_KIND_FORWARD || algorithm->ops == 1u << SHUNT_OP_ALLTOALL;
    return equal ? 0 : shunt_length_bytes(block);
}

int64_t shunt_algorithm_kept(const struct shunt_algorithm *algorithm,
                             const struct shunt_layout *layout, const struct shunt_params *params,
                             int64_t memory)
{
    if (!algorithm->kept || shunt_algorithm_separate(algorithm, params))
        return -1;
    const int64_t blocks = algorithm->kept(layout, params);
    const int64_t block = blocks > 0 ? memory / blocks - SHUNT_LENGTH_FUSED : INT64_MAX;
    return block < -1 ? -1 : block;
}
