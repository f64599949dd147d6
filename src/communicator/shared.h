/* SPDX-License-Identifier: BSD-3-Clause */
/* shared.h: what a communicator knows about the memory that its ranks share inside their nodes.
 * Data only; node.h works with it. */
#ifndef SHUNT_COMMUNICATOR_SHARED_H
#define SHUNT_COMMUNICATOR_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "communicator/segment.h"

struct shunt_node_control;

/* Memory for the blocks of the node's ranks, in two halves that exchanges use in turn. Its
 * contents: execute/bundle.c. */
struct shunt_shared {
    char *data;        /* NULL: none yet, or (of what is being made) not known here yet */
    shunt_piece piece; /* 0: the only rank of its node has it to itself */
    size_t bytes, half_bytes, area_bytes;
    int64_t capacity; /* largest block that fits */
    int64_t arriving; /* bundles from other nodes that fit */
};

/* Members of struct shunt_comm. !control: this communicator has no shared memory. */
struct shunt_node {
    int index, local, ppn; /* node in the layout, local rank in it, ranks on it */
    bool attached;         /* all ranks have what shunt_node_prepare made */
    struct shunt_node_control *control;
    shunt_piece
        piece; /* of the control block; 0: of the only rank of its node, or not known here yet */
    uint32_t notices;        /* written, or read here */
    uint32_t barrier;        /* number of the last barrier */
    uint32_t exchange;       /* number of the last exchange through this memory: the same on all
                                ranks of the communicator */
    unsigned char nonce[16]; /* read by neighbours that prove that they reach this process */
    bool proving, proved; /* whether neighbours' memory can be read was tried, and what came out: on
                             all ranks alike */
    struct shunt_shared shared, next; /* next: being made, see shunt_node_offer */
};

#endif
