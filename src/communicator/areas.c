/* SPDX-License-Identifier: BSD-3-Clause */
/* areas.c: see areas.h. */
#include "communicator/areas.h"

/* Areas do not begin at equal addresses modulo a power of two, or what one rank reads of all of
 * them would compete for few lines of its caches. */
enum { SKEW = 192 };

int shunt_areas_class(size_t bytes)
{
    int class = 0;
    while (class < SHUNT_AREAS_CLASSES && (size_t)1 << (SHUNT_AREAS_LEAST + class) < bytes)
        class ++;
    return class;
}

size_t shunt_areas_half(int class)
{
    return ((size_t)1 << (SHUNT_AREAS_LEAST + class)) + SKEW;
}

static size_t bytes_of(int class, int places)
{
    return 2 * (size_t)places * shunt_areas_half(class);
}

/* Where the areas of a class are; whoever is first says so. 0: nowhere. */
static shunt_piece find(struct shunt_areas *areas, struct shunt_segment *segment, int class)
{
    const size_t bytes = bytes_of(class, areas->places);
    shunt_piece piece = atomic_load(&areas->table->piece[class]);
    if (piece != 0)
        return piece;
    const shunt_piece mine = shunt_segment_take_bare(segment, bytes);
    if (mine != 0 && atomic_compare_exchange_strong(&areas->table->piece[class], &piece, mine))
        return mine;
    shunt_segment_give_bare(segment, mine, bytes);
    return piece;
}

/* Memory for this rank's halves. */
static bool back(struct shunt_areas *areas, struct shunt_segment *segment, int class, size_t bytes)
{
    const size_t half = shunt_areas_half(class);
    const uint64_t at = atomic_load(&areas->table->piece[class]) + 2 * (size_t)areas->place * half;
    if (areas->class[class].backed >= bytes)
        return true;
    if (!shunt_segment_back(segment, at, bytes) || !shunt_segment_back(segment, at + half, bytes))
        return false;
    areas->class[class].backed = bytes;
    return true;
}

bool shunt_areas_take(struct shunt_areas *areas, struct shunt_segment *segment, int class,
                      size_t bytes)
{
    if (class >= SHUNT_AREAS_CLASSES)
        return false;
    if (!areas->class[class].at) {
        const shunt_piece piece = find(areas, segment, class);
        if (piece == 0)
            return false;
        areas->class[class].at = shunt_segment_map(segment, piece, bytes_of(class, areas->places));
    }
    return areas->class[class].at && back(areas, segment, class, bytes);
}

char *shunt_areas_of(const struct shunt_areas *areas, int class, int place)
{
    return areas->class[class].at + 2 * (size_t)place * shunt_areas_half(class);
}

void shunt_areas_close(struct shunt_areas *areas)
{
    for (int class = 0; class < SHUNT_AREAS_CLASSES; class ++) {
        shunt_segment_unmap(areas->class[class].at, bytes_of(class, areas->places));
        areas->class[class].at = NULL;
    }
}

void shunt_areas_give(struct shunt_areas_table *table, struct shunt_segment *segment, int places)
{
    for (int class = 0; class < SHUNT_AREAS_CLASSES; class ++)
        shunt_segment_give_bare(segment, atomic_exchange(&table->piece[class], 0),
                                bytes_of(class, places));
}
