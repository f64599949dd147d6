/* SPDX-License-Identifier: BSD-3-Clause */
/* node_control.h: the control block of a communicator's ranks on a node. For node.c and
 * node_areas.c only. */
#ifndef SHUNT_COMM_NODE_CONTROL_H
#define SHUNT_COMM_NODE_CONTROL_H

#include "comm/node.h"
#include "shm/segment.h"

struct shunt_local_rank {
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal signal;
    /* number of the last exchange of which it needs no area any more */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal read;
    struct shunt_flat_place flat;
    struct shunt_node_peer peer;
};

struct shunt_node_control {
    unsigned char head[SHUNT_PIECE_HEAD]; /* shown.c */
    _Atomic uint32_t members;             /* that have not left */
    shunt_piece offered;                  /* memory for blocks, before all agree about it */
    shunt_piece data;                     /* and afterwards */
    uint64_t data_bytes;
    struct shunt_areas_table areas; /* with several threads */
    struct shunt_barrier barrier;
    /* number of the last barrier of which local rank 0 has told the news */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal told;
    struct shunt_node_news news[2];
    _Alignas(SHUNT_CACHE_LINE) struct shunt_local_rank ranks[]; /* array of ppn */
};

static inline size_t shunt_node_control_bytes(int ppn)
{
    return sizeof(struct shunt_node_control) + (size_t)ppn * sizeof(struct shunt_local_rank);
}

/* Memory that only this process sees, zeroed; NULL: none. */
void *shunt_node_private(size_t bytes);
/* This rank needs that control block no more. The last one of a node to leave it gives the memory
 * back. */
void shunt_node_leave(struct shunt_segment *segment, shunt_piece piece, int ppn);
/* Gives back what calls went through. */
void shunt_node_release_areas(struct shunt_comm *comm);

#endif
