/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h: FNV-1a with 64 bits. Begin with SHUNT_HASH_EMPTY. */
#ifndef SHUNT_BASE_HASH_H
#define SHUNT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SHUNT_HASH_EMPTY UINT64_C(14695981039346656037)

static inline uint64_t shunt_hash_value(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(1099511628211);
}

static inline uint64_t shunt_hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = shunt_hash_value(hash, (unsigned char)bytes[i]);
    return hash;
}

/* Every bit of the result depends on every bit of x; no two values have the same one. */
static inline uint64_t shunt_hash_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* NULL and "" differ. */
static inline uint64_t shunt_hash_text(uint64_t hash, const char *text)
{
    for (const char *c = text; c && *c; c++)
        hash = shunt_hash_value(hash, (unsigned char)*c);
    return shunt_hash_value(hash, text ? 256 : 257);
}

#endif
