/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c: pieces of a segment that a process shows, under a key, to those that look for them. */
#include "communicator/segment_header.h"

/* Begins a piece that is shown. */
struct shown {
    uint64_t key;
    shunt_piece next;
    uint32_t others, finders;
};
_Static_assert(sizeof(struct shown) <= SHUNT_PIECE_HEAD, "callers leave so much room");

static struct shown *shown_at(const struct shunt_segment *segment, shunt_piece piece)
{
    return (struct shown *)(void *)(segment->at + piece);
}

static bool has_failed(const struct shunt_segment_header *header, uint64_t key)
{
    bool failed = header->failures >= SHUNT_SEGMENT_FAILURES;
    for (uint32_t i = 0; i < header->failures && !failed; i++)
        failed = header->failed[i] == key;
    return failed;
}

bool shunt_segment_show(struct shunt_segment *segment, shunt_piece piece, uint64_t key,
                        uint32_t others, uint32_t finders)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    shunt_segment_lock(header);
    const bool failed = has_failed(header, key);
    if (!failed) {
        *shown_at(segment, piece) =
            (struct shown){.key = key, .next = header->shown, .others = others, .finders = finders};
        header->shown = piece;
    }
    shunt_segment_unlock(header);
    return !failed;
}

static char *finder_at(const struct shunt_segment *segment, shunt_piece piece, uint32_t finder)
{
    return segment->at + piece + shown_at(segment, piece)->finders + finder;
}

/* The caller holds the lock. Returns where the list, newest first, refers to the oldest piece that
 * this one has not found; NULL: none. */
static shunt_piece *find_oldest(struct shunt_segment *segment, uint64_t key, uint32_t finder)
{
    shunt_piece *oldest = NULL;
    for (shunt_piece *link = &shunt_segment_header(segment)->shown; *link != 0;
         link = &shown_at(segment, *link)->next)
        if (shown_at(segment, *link)->key == key && !*finder_at(segment, *link, finder))
            oldest = link;
    return oldest;
}

void shunt_segment_fail(struct shunt_segment *segment, uint64_t key)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    shunt_segment_lock(header);
    if (!has_failed(header, key))
        header->failed[header->failures++] = key;
    shunt_segment_unlock(header);
}

shunt_piece shunt_segment_found(struct shunt_segment *segment, uint64_t key, uint32_t finder)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    shunt_segment_lock(header);
    shunt_piece *link = find_oldest(segment, key, finder);
    const shunt_piece piece = link ? *link : has_failed(header, key) ? SHUNT_PIECE_NONE : 0;
    if (link) {
        *finder_at(segment, piece, finder) = 1;
        if (--shown_at(segment, piece)->others == 0)
            *link = shown_at(segment, piece)->next;
    }
    shunt_segment_unlock(header);
    return piece;
}

void shunt_segment_hide(struct shunt_segment *segment, shunt_piece piece)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    shunt_segment_lock(header);
    shunt_piece *link = &header->shown;
    while (*link != 0 && *link != piece)
        link = &shown_at(segment, *link)->next;
    if (*link != 0)
        *link = shown_at(segment, piece)->next;
    shunt_segment_unlock(header);
}
