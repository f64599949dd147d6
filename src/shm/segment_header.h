/* SPDX-License-Identifier: BSD-3-Clause */
/* segment_header.h: the beginning of a segment. For segment.c, pieces.c and shown.c only. */
#ifndef SHUNT_SHM_SEGMENT_HEADER_H
#define SHUNT_SHM_SEGMENT_HEADER_H

#include <stdatomic.h>

#include "shm/areas.h"
#include "shm/segment.h"

enum { SHUNT_SEGMENT_GIVEN_BACK = 1024 };

/* Begins the segment. Everything in it belongs to who holds the lock. */
struct shunt_segment_header {
    uint64_t nonce;
    atomic_flag lock;
    struct shunt_areas_table areas;
    shunt_piece shown;       /* list */
    uint64_t next, next_far; /* what lies from here on was never given out */
    uint32_t given_back;
    uint64_t kept; /* bytes of memory behind all of them */
    struct {
        shunt_piece piece;
        uint64_t backed; /* bytes that still have memory */
        uint32_t order;
    } back[SHUNT_SEGMENT_GIVEN_BACK];
};
static inline struct shunt_segment_header *shunt_segment_header(const struct shunt_segment *segment)
{
    return (struct shunt_segment_header *)(void *)segment->at;
}

/* False: whoever holds the lock was killed, or stopped for a long time. */
bool shunt_segment_lock(struct shunt_segment_header *header);

static inline void shunt_segment_unlock(struct shunt_segment_header *header)
{
    atomic_flag_clear_explicit(&header->lock, memory_order_release);
}

/* Bytes of a page: the same in all processes of a node; at least that of most systems. */
uint64_t shunt_segment_page(void);
/* Bytes of the pages that hold so many. */
uint64_t shunt_segment_pages(size_t bytes);
/* Where the first piece may begin. */
static inline uint64_t shunt_segment_first(void)
{
    return shunt_segment_pages(sizeof(struct shunt_segment_header));
}

/* segment.c: bytes of the part that every process maps; whether the descriptor is still the
 * segment's; memory for a range of pages. */
uint64_t shunt_segment_near(const struct shunt_segment *segment);
bool shunt_segment_still_ours(const struct shunt_segment *segment);
bool shunt_segment_fill(const struct shunt_segment *segment, uint64_t from, uint64_t bytes);

#endif
