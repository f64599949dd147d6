/* SPDX-License-Identifier: BSD-3-Clause */
/* shared.h: what a communicator knows about the memory that its ranks share inside their nodes.
 * Data only; node.h works with it. */
#ifndef SHUNT_SHM_SHARED_H
#define SHUNT_SHM_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shm/areas.h"

struct shunt_node_control;

/*
 * Memory for the blocks of the node's ranks, in two halves that exchanges use in turn: an area for
 * each rank (areas.h), and a piece of this communicator's own for what arrives from other nodes.
 * Their contents: execute/bundle.c.
 */
struct shunt_shared {
    bool made;         /* areas are there */
    int class;         /* of the areas */
    size_t area_bytes; /* of a half of an area */
    int64_t capacity;  /* largest block that fits */
    int64_t arriving;  /* bundles from other nodes that fit */
    char *data; /* of the arrivals; NULL: none, or (of what is being made) not known here yet.
                   The only rank of its node has its area at the end of it */
    shunt_piece piece;        /* 0: this rank has it to itself */
    size_t bytes, half_bytes; /* of the arrivals, and of a half of them */
};

/* Members of struct shunt_comm. !control: this communicator has no shared memory. */
struct shunt_node {
    int index, local, ppn; /* node in the layout, local rank in it, ranks on it */
    bool flat;             /* barriers are without a counter: shm/barrier.h */
    bool attached;         /* all ranks have what shunt_node_prepare made */
    struct shunt_node_control *control;
    shunt_piece
        piece; /* of the control block; 0: of the only rank of its node, or not known here yet */
    uint32_t barrier;        /* number of the last barrier */
    uint32_t exchange;       /* number of the last exchange through this memory: the same on all
                                ranks of the communicator */
    unsigned char nonce[16]; /* read by neighbours that prove that they reach this process */
    bool proving, proved; /* whether neighbours' memory can be read was tried, and what came out: on
                             all ranks alike */
    struct shunt_shared shared, next; /* next: being made, see shunt_node_offer */
    struct shunt_areas *areas;        /* the team's; with threads this communicator's own */
    char **area;      /* array of ppn: the first half of each local rank's area; NULL: none yet */
    size_t area_half; /* from there to the second */
};

#endif
