/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lengths.h: how the lengths of blocks are written in front of the data of a message: a bit for
 * each block that is not empty, then the lengths of these, in as many bytes as the largest block
 * needs.
 */
#ifndef SHUNT_ALGORITHMS_LENGTHS_H
#define SHUNT_ALGORITHMS_LENGTHS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a length. */
static inline int shunt_length_width(int64_t block)
{
    return block <= UINT8_MAX ? 1 : block <= UINT16_MAX ? 2 : block <= UINT32_MAX ? 4 : 8;
}

/* The first bit of a message with lengths: its sender has failed. */
enum { SHUNT_LENGTH_FAILED = 1 };

/* Bytes of that and a bit for each of `blocks` blocks. */
static inline size_t shunt_length_bits(uint32_t blocks)
{
    return (size_t)blocks / 8 + 1;
}

static inline char *shunt_length_put(char *at, int64_t bytes, int width)
{
    if (width == 1) {
        *(uint8_t *)at = (uint8_t)bytes;
    } else if (width == 2) {
        const uint16_t value = (uint16_t)bytes;
        memcpy(at, &value, sizeof value);
    } else if (width == 4) {
        const uint32_t value = (uint32_t)bytes;
        memcpy(at, &value, sizeof value);
    } else {
        memcpy(at, &bytes, sizeof bytes);
    }
    return at + width;
}

static inline int64_t shunt_length_take(const char *at, int width)
{
    uint16_t two;
    uint32_t four;
    int64_t eight;
    if (width == 1)
        return *(const uint8_t *)at;
    if (width == 2)
        return memcpy(&two, at, sizeof two), two;
    if (width == 4)
        return memcpy(&four, at, sizeof four), four;
    return memcpy(&eight, at, sizeof eight), eight;
}

#endif
