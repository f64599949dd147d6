/* SPDX-License-Identifier: BSD-3-Clause */
/* size.h: sizes in bytes, as tables write them ("15K", "8 KiB", "100") and for people ("12.4 MiB").
 */
#ifndef SHUNT_BASE_SIZE_H
#define SHUNT_BASE_SIZE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads a size: digits, then blanks and a unit, both of which may be missing. Units are B, K, KB
 * and KiB, M, MB and MiB, G, GB and GiB, in letters of either case, all of them powers of 1024.
 * Returns what follows the size; NULL when there is none, or it is 2^63 and more.
 */
const char *shunt_size_read(const char *text, int64_t *bytes);

/* Digits alone; the same returns. */
const char *shunt_number_read(const char *text, int64_t *number);

/* Behind spaces and tabs. */
const char *shunt_blank_skip(const char *text);

/* The largest suffix that leaves a whole number. Returns the length, as snprintf. */
static inline int shunt_size_print(int64_t bytes, char *text, size_t capacity)
{
    static const char suffixes[] = "GMK";
    for (int i = 0; i < 3; i++) {
        const int64_t unit = INT64_C(1) << (30 - 10 * i);
        if (bytes >= unit && bytes % unit == 0)
            return snprintf(text, capacity, "%" PRId64 "%c", bytes / unit, suffixes[i]);
    }
    return snprintf(text, capacity, "%" PRId64, bytes);
}

/* bytes / 2^shift in units of 1 / `parts`, rounded; integers, for the locale's point may be a
 * comma.
 */
static inline uint64_t shunt_size_parts(uint64_t bytes, int shift, unsigned parts)
{
    const uint64_t rest = bytes & ((UINT64_C(1) << shift) - 1),
                   fraction = shift > 32 ? rest >> (shift - 32) : rest << (32 - shift);
    return (bytes >> shift) * parts + ((fraction * parts + (UINT64_C(1) << 31)) >> 32);
}

/* "513 B", "1 MiB"; what is no whole number of its unit as "1.08 MiB", "12.4 MiB", "255.9 MiB": a
 * size just above a cap must not look like the cap. Returns the length, as snprintf. */
static inline int shunt_bytes_print(uint64_t bytes, char *text, size_t capacity)
{
    int shift = 10;
    if (bytes < 1024)
        return snprintf(text, capacity, "%" PRIu64 " B", bytes);
    while (shift < 60 && shunt_size_parts(bytes, shift, 10) >= 10240)
        shift += 10;
    const char unit = "KMGTPE"[shift / 10 - 1];
    const uint64_t hundredths = shunt_size_parts(bytes, shift, 100),
                   tenths = shunt_size_parts(bytes, shift, 10);
    if ((bytes & ((UINT64_C(1) << shift) - 1)) == 0)
        return snprintf(text, capacity, "%" PRIu64 " %ciB", bytes >> shift, unit);
    if (hundredths < 1000)
        return snprintf(text, capacity, "%" PRIu64 ".%02" PRIu64 " %ciB", hundredths / 100,
                        hundredths % 100, unit);
    return snprintf(text, capacity, "%" PRIu64 ".%" PRIu64 " %ciB", tenths / 10, tenths % 10, unit);
}

/* Bytes of so many elements of a size, neither of them negative; INT64_MAX: of more than a number
 * can say. */
static inline int64_t shunt_bytes_of(int64_t count, int64_t size)
{
    int64_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? INT64_MAX : bytes;
}

#endif
