/* SPDX-License-Identifier: BSD-3-Clause */
/* areas.c: see areas.h. */
#include "shm/areas.h"

/* Areas do not begin at equal addresses modulo a power of two, or what one rank reads of all of
 * them would compete for few lines of its caches. */
enum { SKEW = 192, SKEWS = 8 };

static size_t skew_of(int place)
{
    return (size_t)(place % SKEWS) * SKEW;
}

int shunt_areas_class(size_t bytes)
{
    int c = 0;
    while (c < SHUNT_AREAS_CLASSES && shunt_areas_half(c) < bytes + skew_of(SKEWS - 1))
        c++;
    return c;
}

size_t shunt_areas_half(int class)
{
    return (size_t)1 << (SHUNT_AREAS_LEAST + class);
}

static size_t bytes_of(int class, int places)
{
    return 2 * (size_t)places * shunt_areas_half(class);
}

/* Where the first half of an area begins. */
static size_t offset_of(int class, int place)
{
    return 2 * (size_t)place * shunt_areas_half(class) + skew_of(place);
}

/* Memory for this rank's halves. */
static bool back(struct shunt_areas *areas, struct shunt_segment *segment, int class, size_t bytes)
{
    const size_t half = shunt_areas_half(class);
    const uint64_t at = atomic_load(&areas->table->piece[class]) + offset_of(class, areas->place);
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
        const size_t bytes_of_all = bytes_of(class, areas->places);
        _Atomic shunt_piece *piece = &areas->table->piece[class];
        if (!shunt_segment_take_bare(segment, piece, bytes_of_all))
            return false;
        areas->class[class].at = shunt_segment_map(segment, atomic_load(piece), bytes_of_all);
    }
    return areas->class[class].at && back(areas, segment, class, bytes);
}

char *shunt_areas_of(const struct shunt_areas *areas, int class, int place)
{
    return areas->class[class].at + offset_of(class, place);
}

void shunt_areas_close(struct shunt_areas *areas)
{
    for (int c = 0; c < SHUNT_AREAS_CLASSES; c++) {
        shunt_segment_unmap(areas->class[c].at, bytes_of(c, areas->places));
        areas->class[c].at = NULL;
    }
}

void shunt_areas_give(struct shunt_areas_table *table, struct shunt_segment *segment, int places)
{
    for (int c = 0; c < SHUNT_AREAS_CLASSES; c++)
        shunt_segment_give_bare(segment, atomic_exchange(&table->piece[c], 0), bytes_of(c, places));
}
