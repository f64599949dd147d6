/* SPDX-License-Identifier: BSD-3-Clause */
/* threshold.h: at which size one algorithm begins to be better than another, by bisection of the
 * sizes between two that were measured. No MPI. */
#ifndef SHUNT_TUNE_THRESHOLD_H
#define SHUNT_TUNE_THRESHOLD_H

#include <stdbool.h>
#include <stdint.h>

/* A size: as asked for, and the real largest block, which rules test; bytes. */
struct tune_size {
    int64_t block, largest;
};

enum tune_side {
    TUNE_SIDE_LOWER,  /* what won below still wins here */
    TUNE_SIDE_UPPER,  /* what wins above does */
    TUNE_SIDE_NATIVE, /* neither is faster than native */
    TUNE_SIDE_UNKNOWN /* no time to find out */
};

/* What was won below ends at `low`; what is won above begins at `high`. */
struct tune_gap {
    struct tune_size low, high;
    bool native; /* between them native was found to be best */
};

/* Near enough: the upper size is no more than this times the lower one. */
#define TUNE_NEAR 1.25

/*
 * Narrows the gap, with at most `steps` sizes looked at: the middle in proportion each time.
 * decide: tells for a size, and sets its `largest`.
 */
void tune_threshold(struct tune_gap *gap, int steps,
                    enum tune_side (*decide)(void *context, struct tune_size *size), void *context);

#endif
