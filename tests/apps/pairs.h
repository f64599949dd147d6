/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h: two numbers in one integer, a hash, and reproducible random numbers, for the
 * applications that work on relations. No MPI.
 */
#ifndef SHUNT_TESTS_PAIRS_H
#define SHUNT_TESTS_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* A pair of numbers in one integer, such as an edge, or a path from one vertex to another. The pair
 * with all bits set is never used. */
typedef uint64_t pair_t;

/* A list of pairs that its owner frees. */
struct list {
    pair_t *pairs;
    size_t count, capacity;
};

static inline pair_t pair_make(uint32_t from, uint32_t to)
{
    return (pair_t)from << 32 | to;
}

static inline uint32_t pair_from(pair_t pair)
{
    return (uint32_t)(pair >> 32);
}

static inline uint32_t pair_to(pair_t pair)
{
    return (uint32_t)pair;
}

/* A bijection on 64 bits in which every input bit reaches every output bit (the finaliser of
 * splitmix64). */
static inline uint64_t hash64(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The next number below `bound` (at least 1) of the sequence that begins with a seed in *state. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((hash64((*state)++) >> 32) * bound >> 32);
}

#endif
