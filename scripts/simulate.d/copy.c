/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy.c: memcpy that writes only where bytes differ. Preloaded (scripts/simulate), for SimGrid
 * copies messages as well.
 *
 * Where nobody looks at the data they are zero on all ranks, and so is memory that the system has
 * just given. What holds nothing but data is read there, as the one page of zeros that all have in
 * common, and takes no memory: with large blocks that is nearly all of what ranks pass on.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PAGE = 4096, SHORT = 64 };

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    char *at = to;
    const char *source = from;
    if (bytes < SHORT)
        return memmove(to, from, bytes);
    while (bytes > 0) {
        const size_t rest = PAGE - ((uintptr_t)at & (PAGE - 1)), now = bytes < rest ? bytes : rest;
        if (memcmp(at, source, now) != 0)
            memmove(at, source, now);
        at += now;
        source += now;
        bytes -= now;
    }
    return to;
}
