/* SPDX-License-Identifier: BSD-3-Clause */
/* pieces.c: giving out pieces of a segment, and taking them back. */
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "shm/segment_header.h"

/* What is done under the lock takes microseconds. */
enum { YIELDS_PER_CLOCK = 64, PATIENCE_S = 1 };

bool shunt_segment_lock(struct shunt_segment_header *header)
{
    struct timespec begin = {.tv_sec = 0, .tv_nsec = 0}, now;
    for (int yields = 1; atomic_flag_test_and_set_explicit(&header->lock, memory_order_acquire);
         yields++) {
        sched_yield();
        if (yields % YIELDS_PER_CLOCK != 0)
            continue;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (begin.tv_sec == 0)
            begin = now;
        if (now.tv_sec - begin.tv_sec > PATIENCE_S)
            return false;
    }
    return true;
}

/* Pieces are powers of two of address space; the memory behind them is what was asked for. */
static uint32_t order_of(size_t bytes)
{
    const uint64_t least = shunt_segment_pages(bytes);
    uint32_t order = 0;
    while (order < 62 && ((uint64_t)1 << order) < least)
        order++;
    return order;
}

/* Pieces that every process sees, or those that are mapped by who uses them. */
struct part {
    uint64_t first, end;
    uint64_t *next;
};

static struct part part_of(const struct shunt_segment *segment, bool near)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    const uint64_t border = shunt_segment_near(segment);
    return near ? (struct part){shunt_segment_first(), border, &header->next}
                : (struct part){border, segment->bytes, &header->next_far};
}

static shunt_piece find_piece(struct shunt_segment_header *header, struct part part, uint32_t order,
                              uint64_t *backed)
{
    *backed = 0;
    for (uint32_t i = 0; i < header->given_back; i++) {
        const shunt_piece piece = header->back[i].piece;
        if (header->back[i].order != order || piece < part.first || piece >= part.end)
            continue;
        *backed = header->back[i].backed;
        header->kept -= *backed;
        header->back[i] = header->back[--header->given_back];
        return piece;
    }
    const uint64_t size = (uint64_t)1 << order;
    if (size > part.end || *part.next > part.end - size)
        return 0;
    const shunt_piece piece = *part.next;
    *part.next += size;
    return piece;
}

/* Takes the memory from behind a piece. */
static bool empty(const struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    return shunt_segment_still_ours(segment) &&
           fallocate(segment->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)piece,
                     (off_t)shunt_segment_pages(bytes)) == 0;
}

static void give(struct shunt_segment *segment, shunt_piece piece, size_t bytes, uint64_t backed)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    if (!shunt_segment_lock(header))
        return;
    const bool capacity = header->given_back < SHUNT_SEGMENT_GIVEN_BACK;
    if (capacity) {
        header->kept += backed;
        header->back[header->given_back].piece = piece;
        header->back[header->given_back].backed = backed;
        header->back[header->given_back++].order = order_of(bytes);
    }
    shunt_segment_unlock(header);
    if (!capacity && backed > 0)
        empty(segment, piece, bytes); /* its address space is lost, its memory is not */
}

/* Communicators come and go, and memory that is taken anew costs more than many calls: small pieces
 * keep theirs, and larger ones as long as that is not much in all. */
static bool may_keep(const struct shunt_segment *segment, size_t bytes)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    if (!shunt_segment_lock(header))
        return false;
    const bool may = bytes < SHUNT_SEGMENT_SMALL ||
                     header->kept + shunt_segment_pages(bytes) <= SHUNT_SEGMENT_KEPT;
    shunt_segment_unlock(header);
    return may;
}

void shunt_segment_give(struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    if (piece == 0)
        return;
    const bool emptied = !may_keep(segment, bytes) && empty(segment, piece, bytes);
    give(segment, piece, bytes, emptied ? 0 : shunt_segment_pages(bytes));
}

static shunt_piece take(struct shunt_segment *segment, bool near, size_t bytes)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    uint64_t backed;
    if (!shunt_segment_lock(header))
        return 0;
    const shunt_piece piece = find_piece(header, part_of(segment, near), order_of(bytes), &backed);
    shunt_segment_unlock(header);
    if (piece == 0 || backed >= bytes ||
        shunt_segment_fill(segment, piece, shunt_segment_pages(bytes)))
        return piece;
    give(segment, piece, bytes, 0);
    return 0;
}

shunt_piece shunt_segment_take(struct shunt_segment *segment, size_t bytes)
{
    return take(segment, true, bytes);
}

shunt_piece shunt_segment_take_far(struct shunt_segment *segment, size_t bytes)
{
    return take(segment, false, bytes);
}

bool shunt_segment_take_bare(struct shunt_segment *segment, _Atomic shunt_piece *piece,
                             size_t bytes)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    uint64_t backed;
    if (!shunt_segment_lock(header))
        return false;
    if (atomic_load(piece) == 0)
        atomic_store(piece, find_piece(header, part_of(segment, false), order_of(bytes), &backed));
    const bool there = atomic_load(piece) != 0;
    shunt_segment_unlock(header);
    return there;
}

bool shunt_segment_back(const struct shunt_segment *segment, uint64_t from, size_t bytes)
{
    const uint64_t first = from / shunt_segment_page() * shunt_segment_page();
    return shunt_segment_fill(segment, first, shunt_segment_pages(from - first + bytes));
}

void shunt_segment_give_bare(struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    if (piece == 0)
        return;
    empty(segment, piece, bytes);
    give(segment, piece, bytes, 0);
}

struct shunt_areas_table *shunt_segment_areas(const struct shunt_segment *segment)
{
    return &shunt_segment_header(segment)->areas;
}
