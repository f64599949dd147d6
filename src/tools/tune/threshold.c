/* SPDX-License-Identifier: BSD-3-Clause */
/* threshold.c: see threshold.h. */
#include "tools/tune/threshold.h"

#include <math.h>

/* The middle in proportion; of a multiple of 8 where that is fine enough, for such blocks are what
 * programs have. */
static int64_t middle(int64_t low, int64_t high)
{
    const int64_t mid = llround(sqrt((double)(low < 1 ? 1 : low) * (double)high));
    return mid >= 64 ? mid / 8 * 8 : mid;
}

void tune_threshold(struct tune_gap *gap, int steps,
                    enum tune_side (*decide)(void *context, struct tune_size *size), void *context)
{
    while (steps-- > 0 && (double)gap->high.block > TUNE_NEAR * (double)gap->low.block) {
        struct tune_size size = {.block = middle(gap->low.block, gap->high.block)};
        if (size.block <= gap->low.block || size.block >= gap->high.block)
            return;
        const enum tune_side side = decide(context, &size);
        /* The real largest of sizes drawn at random may be that of a neighbour. */
        if (side == TUNE_SIDE_UNKNOWN || size.largest <= gap->low.largest ||
            size.largest >= gap->high.largest)
            return;
        gap->native |= side == TUNE_SIDE_NATIVE;
        if (side == TUNE_SIDE_NATIVE)
            return;
        if (side == TUNE_SIDE_LOWER)
            gap->low = size;
        else
            gap->high = size;
    }
}
