/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cover.h: which calls a rule can take, as a box of integers, and whether boxes before it leave it
 * any.
 *
 * A call is a point: ranks, nodes, fewest and most ranks on a node (a rule's ppn bounds both),
 * block size, density, oversubscribed or not. Not every point is a call: three nodes of four ranks
 * each are twelve ranks, and the density is 0 where the largest block is empty, and nowhere else.
 * Which other densities so many ranks can have is not looked at.
 */
#ifndef SHUNT_ROUTE_COVER_H
#define SHUNT_ROUTE_COVER_H

#include "route/table.h"

enum {
    SHUNT_BOX_BLOCK,
    SHUNT_BOX_DENSITY,        /* percent */
    SHUNT_BOX_OVERSUBSCRIBED, /* 1: more ranks than processors, 0: a processor for each */
    SHUNT_BOX_RANKS,
    SHUNT_BOX_NODES,
    SHUNT_BOX_LEAST,
    SHUNT_BOX_MOST,
    SHUNT_BOX_SIDES
};

struct shunt_box {
    struct shunt_range side[SHUNT_BOX_SIDES];
};

/* The conditions of a rule. */
struct shunt_box shunt_box_of(const struct shunt_rule *rule);

/* Whether its blocks and densities have a call: both are 0, or neither. */
bool shunt_box_fills(const struct shunt_box *box);

/* Whether some call lies in the box: exact. */
bool shunt_box_possible(const struct shunt_box *box);

/* Whether `outer` holds all of `inner`. */
bool shunt_box_holds(const struct shunt_box *outer, const struct shunt_box *inner);

/* What two boxes have in common; false when no call lies in both. */
bool shunt_box_common(const struct shunt_box *a, const struct shunt_box *b,
                      struct shunt_box *common);

/* Boxes in the order of their rules. */
struct shunt_boxes {
    struct shunt_box *boxes;  /* array of count */
    struct shunt_box *groups; /* around each SHUNT_BOXES_GROUP of them, so that most need no look */
    size_t count;
};

enum { SHUNT_BOXES_GROUP = 64 };

/* Room for `most` boxes; false when memory is short. Release in any case. */
bool shunt_boxes_init(struct shunt_boxes *boxes, size_t most);
void shunt_boxes_add(struct shunt_boxes *boxes, const struct shunt_box *box);
void shunt_boxes_clear(struct shunt_boxes *boxes);

/* The first box from `from` on that has a point in common with `box`; count when there is none.
 * *looks is lowered by what was looked at. */
size_t shunt_boxes_touching(const struct shunt_boxes *boxes, size_t from,
                            const struct shunt_box *box, int64_t *looks);

enum shunt_cover {
    SHUNT_COVER_LEFT,   /* some call of the box is in none of the others */
    SHUNT_COVER_ALL,    /* none is */
    SHUNT_COVER_UNKNOWN /* not found out within *looks, or memory is short */
};

/* Whether `others` together take every call of `box`. used[i] becomes true where the i-th takes a
 * part. */
enum shunt_cover shunt_boxes_cover(const struct shunt_boxes *others, const struct shunt_box *box,
                                   bool *used, int64_t *looks);

/*
 * The calls of `space` that none of `others` takes, as boxes within `space`, each as large as it
 * can be: at most `most`, how many is returned. *complete: there are no more, and *looks were
 * enough. The gaps are added to `others`, which must have room for them.
 */
size_t shunt_boxes_gaps(struct shunt_boxes *others, const struct shunt_box *space,
                        struct shunt_box *gaps, size_t most, bool *complete, int64_t *looks);

#endif
