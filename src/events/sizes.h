/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.h: gives the events of a call the sizes of its blocks, where each has its own.
 *
 * Messages and reads without data are left out, as they are in execution. Bytes of copies are those
 * of the blocks that are copied. Where it cannot be known which these are, they are an upper bound:
 * of padded blocks, and of blocks moved from one slot to another, each counts as the largest.
 */
#ifndef SHUNT_EVENTS_SIZES_H
#define SHUNT_EVENTS_SIZES_H

#include "events/carried.h"
#include "events/events.h"

struct shunt_event_sizes {
    const int64_t *bytes; /* at source * ranks + destination; not owned */
    struct shunt_carried carried;
};

/* For calls with this algorithm, layout and parameters, whose `block` is the largest of `bytes`:
 * runs their schedules. Returns 0, or -1 when memory is short. Release in any case. */
int shunt_event_sizes_prepare(struct shunt_event_sizes *sizes, const struct shunt_event_call *call,
                              const int64_t *bytes);
void shunt_event_sizes_clear(struct shunt_event_sizes *sizes);

/* Rewrites the events that shunt_events_build made for a rank. Same returns. */
int shunt_event_sizes_apply(const struct shunt_event_sizes *sizes,
                            const struct shunt_event_call *call, int rank,
                            struct shunt_events *events);

#endif
