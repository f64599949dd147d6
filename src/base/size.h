/* SPDX-License-Identifier: BSD-3-Clause */
/* size.h: sizes in bytes as tables write them: "15K", "1G", "100". */
#ifndef SHUNT_BASE_SIZE_H
#define SHUNT_BASE_SIZE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
