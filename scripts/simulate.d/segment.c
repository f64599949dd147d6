/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segment.c: memory that simulated ranks share, in place of shm/segment.c: they are in one
 * process, so that the first one of a node takes plain memory, and the others find it by the number
 * that it was offered under.
 */
#include "shm/segment.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "shm/segment_header.h"

/* Ranks take turns, and none is stopped while it holds the lock. */
bool shunt_segment_lock(struct shunt_segment_header *header)
{
    return !atomic_flag_test_and_set_explicit(&header->lock, memory_order_acquire);
}

enum {
    PAGE = 4096,
    HEADER_BYTES = (int)((sizeof(struct shunt_segment_header) + PAGE - 1) / PAGE * PAGE)
};

/* Address space; memory is what is touched. */
static const uint64_t BYTES = UINT64_C(1) << 40;

static uint64_t offers;
static struct shunt_segment created; /* all ranks are on one node of this process */
static uint64_t created_as;          /* 0: none */

struct shunt_segment_offer shunt_segment_offer(void)
{
    return (struct shunt_segment_offer){.bytes = BYTES, .nonce = ++offers};
}

bool shunt_segment_create(struct shunt_segment *segment, const struct shunt_segment_offer *offer)
{
    *segment = (struct shunt_segment){.fd = -1};
    void *at = mmap(NULL, offer->bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    segment->at = at;
    segment->bytes = offer->bytes;
    struct shunt_segment_header *header = shunt_segment_header(segment);
    atomic_flag_clear(&header->lock);
    header->next = HEADER_BYTES;
    created = *segment;
    created_as = offer->nonce;
    return true;
}

bool shunt_segment_join(struct shunt_segment *segment, const struct shunt_segment_offer *offer)
{
    *segment = (struct shunt_segment){.fd = -1};
    if (created_as != offer->nonce)
        return false;
    *segment = created;
    return true;
}

/* There is no other way to find it. */
bool shunt_segment_create_named(struct shunt_segment *segment,
                                const struct shunt_segment_offer *offer)
{
    (void)offer;
    *segment = (struct shunt_segment){.fd = -1};
    return false;
}

bool shunt_segment_join_named(struct shunt_segment *segment,
                              const struct shunt_segment_offer *offer)
{
    return shunt_segment_create_named(segment, offer);
}

void shunt_segment_forget_name(const struct shunt_segment_offer *offer)
{
    (void)offer;
}

/* The memory goes with the process. */
void shunt_segment_close(struct shunt_segment *segment)
{
    *segment = (struct shunt_segment){.fd = -1};
}

static size_t pages_of(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

shunt_piece shunt_segment_take(struct shunt_segment *segment, size_t bytes)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    const uint64_t room = pages_of(bytes);
    if (room > segment->bytes - header->next)
        return 0;
    const shunt_piece piece = header->next;
    header->next += room;
    return piece;
}

/* All of it is mapped. */
shunt_piece shunt_segment_take_far(struct shunt_segment *segment, size_t bytes)
{
    return shunt_segment_take(segment, bytes);
}

bool shunt_segment_take_bare(struct shunt_segment *segment, _Atomic shunt_piece *piece,
                             size_t bytes)
{
    if (*piece == 0)
        *piece = shunt_segment_take(segment, bytes);
    return *piece != 0;
}

bool shunt_segment_back(const struct shunt_segment *segment, uint64_t from, size_t bytes)
{
    (void)segment;
    (void)from;
    (void)bytes;
    return true;
}

struct shunt_areas_table *shunt_segment_areas(const struct shunt_segment *segment)
{
    return &shunt_segment_header(segment)->areas;
}

char *shunt_segment_map(const struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    (void)bytes;
    return segment->at + piece;
}

void shunt_segment_unmap(char *at, size_t bytes)
{
    (void)at;
    (void)bytes;
}

/* Address space is not used twice; there is more of it than any run takes. */
void shunt_segment_give(struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    if (piece != 0)
        madvise(segment->at + piece, pages_of(bytes), MADV_DONTNEED);
}

void shunt_segment_give_bare(struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    shunt_segment_give(segment, piece, bytes);
}
