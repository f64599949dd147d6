/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * areas.h: the areas into which the ranks of a node copy blocks for their neighbours.
 *
 * They belong to the processes of a node, not to a communicator: each rank has one area of each
 * class (a power of two of bytes) that any communicator has needed, in two halves, and all
 * communicators with areas of that class use them in turn. So a later communicator touches no page
 * for the first time, which is what setting one up costs most. A larger block takes another class;
 * what there is stays, together no more than twice the largest.
 */
#ifndef SHUNT_SHM_AREAS_H
#define SHUNT_SHM_AREAS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "shm/segment.h"

/* 2^LEAST bytes and more. */
enum { SHUNT_AREAS_LEAST = 12, SHUNT_AREAS_CLASSES = 28 };

/* In shared memory, 0 at the beginning: where the areas of a class are, 0: nobody has needed any.
 */
struct shunt_areas_table {
    _Atomic shunt_piece piece[SHUNT_AREAS_CLASSES];
};

struct shunt_node_control;

/* The last exchange that wrote into this rank's half; node_areas.c. `local`: which of the ranks it
 * is there. */
struct shunt_areas_use {
    struct shunt_node_control *control; /* NULL: none yet */
    shunt_piece piece;                  /* of the control block */
    int ppn, local;
    uint32_t exchange;
};

/* What a process knows of them. */
struct shunt_areas {
    struct shunt_areas_table *table;
    int places, place; /* ranks that have areas, and which one this is */
    struct {
        char *at;      /* of all areas; NULL: not mapped here yet */
        size_t backed; /* bytes of each of this rank's halves that have memory */
        struct shunt_areas_use used[2];
    } class[SHUNT_AREAS_CLASSES];
};

/* The class of areas whose halves have so many bytes, at least. */
int shunt_areas_class(size_t bytes);
/* From the first half of an area to the second; not all of it can be used. */
size_t shunt_areas_half(int class);
/* Local. Makes sure that the halves of this rank's area of the class have memory, so many bytes,
 * and that this process can reach all areas. False: it cannot be. */
bool shunt_areas_take(struct shunt_areas *areas, struct shunt_segment *segment, int class,
                      size_t bytes);
/* The first half of an area that was taken. */
char *shunt_areas_of(const struct shunt_areas *areas, int class, int place);
/* Local: this process no longer reaches the areas. */
void shunt_areas_close(struct shunt_areas *areas);
/* Gives the memory back, by the last process that has used it. */
void shunt_areas_give(struct shunt_areas_table *table, struct shunt_segment *segment, int places);

#endif
