/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: scratch memory of algorithms that forward blocks: counts of blocks, and bytes of them.
 * INT64_MAX: does not fit. */
#ifndef SHUNT_ALGORITHMS_MEMORY_H
#define SHUNT_ALGORITHMS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/parameter.h"

/* Bytes for `blocks` blocks and `length` bytes with each. */
int64_t shunt_memory_bytes(int64_t blocks, int64_t block, int64_t length);

/* Blocks of scratch: in slots; in the messages out and in of one round; and, where messages are
 * kept instead of slots, all of these. */
struct shunt_need {
    int64_t slots, moving, kept;
};

/* Bytes where blocks wait in slots, as published in Fan 2025, section 3.3; and where the less of
 * slots and kept messages is taken. */
int64_t shunt_memory_slots(struct shunt_need need, int64_t block, int64_t length);
int64_t shunt_memory_least(struct shunt_need need, int64_t block, int64_t length);

/* What the radix-r exchange of `ranks` needs, `batch` substeps of a digit in a round. */
struct shunt_need shunt_need_radix(int64_t ranks, const struct shunt_params *params, int64_t batch);

/* Whether the rule asks for lengths in messages of their own. */
bool shunt_metadata_is_separate(const struct shunt_params *params);

#endif
