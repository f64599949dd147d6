/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c: pieces of a segment that a process shows, under a key, to those that look for them. */
#include "shm/segment_header.h"

/* Begins a piece that is shown. */
struct shown {
    uint64_t key;
    shunt_piece next;
    uint32_t others; /* that have not found it yet */
};
_Static_assert(sizeof(struct shown) <= SHUNT_PIECE_HEAD, "callers leave so much room");

static struct shown *shown_at(const struct shunt_segment *segment, shunt_piece piece)
{
    return (struct shown *)(void *)(segment->at + piece);
}

bool shunt_segment_show(struct shunt_segment *segment, shunt_piece piece, uint64_t key,
                        uint32_t others)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    if (!shunt_segment_lock(header))
        return false;
    *shown_at(segment, piece) = (struct shown){.key = key, .next = header->shown, .others = others};
    header->shown = piece;
    shunt_segment_unlock(header);
    return true;
}

shunt_piece shunt_segment_found(struct shunt_segment *segment, uint64_t key)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    if (!shunt_segment_lock(header))
        return 0;
    shunt_piece *link = &header->shown;
    while (*link != 0 && shown_at(segment, *link)->key != key)
        link = &shown_at(segment, *link)->next;
    const shunt_piece piece = *link;
    if (piece != 0 && --shown_at(segment, piece)->others == 0)
        *link = shown_at(segment, piece)->next;
    shunt_segment_unlock(header);
    return piece;
}

void shunt_segment_hide(struct shunt_segment *segment, shunt_piece piece)
{
    struct shunt_segment_header *header = shunt_segment_header(segment);
    if (!shunt_segment_lock(header))
        return;
    shunt_piece *link = &header->shown;
    while (*link != 0 && *link != piece)
        link = &shown_at(segment, *link)->next;
    if (*link != 0)
        *link = shown_at(segment, piece)->next;
    shunt_segment_unlock(header);
}
