/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h: pseudo-random numbers that are the same on every rank and every machine (splitmix64).
 */
#ifndef SHUNT_MEASURE_RANDOM_H
#define SHUNT_MEASURE_RANDOM_H

#include <stdint.h>

#include "base/hash.h"

struct measure_random {
    uint64_t state;
};

static inline uint64_t measure_random_bits(struct measure_random *random)
{
    return shunt_hash_mix(random->state += UINT64_C(0x9e3779b97f4a7c15));
}

/* One sequence per pair of seed and stream. */
static inline struct measure_random measure_random_begin(uint64_t seed, uint64_t stream)
{
    struct measure_random random = {seed};
    random.state = measure_random_bits(&random) ^ stream * UINT64_C(0xd1342543de82ef95);
    measure_random_bits(&random);
    return random;
}

/* 0 .. below-1, without a bias that could be seen: below is far smaller than 2^64. */
static inline uint64_t measure_random_below(struct measure_random *random, uint64_t below)
{
    return measure_random_bits(random) % below;
}

/* In (0, 1]. */
static inline double measure_random_unit(struct measure_random *random)
{
    return ((double)(measure_random_bits(random) >> 11) + 1.0) / 9007199254740992.0;
}

/* Shuffles an array of `count`. */
static inline void measure_random_shuffle(struct measure_random *random, int *values, int count)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)measure_random_below(random, (uint64_t)i + 1), kept = values[i];
        values[i] = values[j];
        values[j] = kept;
    }
}

#endif
