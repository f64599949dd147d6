/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * area.h: what a rank copies in for its neighbours, in its area of the node's memory
 * (shm/areas.h), for kinds SEGMENT and COLLECT.
 *
 * Either half of an area has room for all blocks (shunt_area_bytes). Alltoall: its blocks in
 * the order of the layout's members. Alltoallv: the offsets of its chunks (array of N + 1 of
 * uint64_t, from the beginning of the area; the last is the end of them all), then a chunk per
 * node, as schedule/bundle.h says, in the order in which they are copied in.
 */
#ifndef SHUNT_EXECUTE_AREA_H
#define SHUNT_EXECUTE_AREA_H

#include <string.h>

#include "execute/blocks.h"
#include "schedule/bundle.h"

/* Copying in: the blocks of some nodes after those of others. */
struct shunt_area {
    const struct shunt_exchange *view; /* the call with its blocks on the send side, in place or
                                          not */
    char *at, *end;                    /* of this rank; Alltoallv: behind the last chunk */
    bool nothing;                      /* no block fits, or may be read */
};

/* In `half`; values, of Alltoallv only, say whether anything is to be copied. */
void shunt_area_begin(struct shunt_area *area, const struct shunt_exchange *view, int half,
                      const struct shunt_agreement *values);
/* The blocks for these nodes; the own one is left out. */
int shunt_area_copy_in(struct shunt_area *area, struct shunt_node_range nodes);
static inline int shunt_area_copy_all(struct shunt_area *area)
{
    return shunt_area_copy_in(area, (struct shunt_node_range){0, area->view->comm->layout.nodes});
}
/* The block of neighbour `source` for any rank `target`: its bytes, and in *at where it
 * lies. */
int64_t shunt_area_block(const struct shunt_exchange *x, int half, int source, int target,
                         const char **at);
/* Copies all neighbours' blocks for this rank to the user. */
int shunt_area_copy_out(const struct shunt_exchange *x, int half);

/* Copies a block to the user; truncates as shunt_block_write. */
static inline int shunt_area_store(const struct shunt_exchange *x, int source, const char *from,
                                   int64_t bytes)
{
    if (bytes == 0)
        return MPI_SUCCESS;
    if (!x->recv.plain || bytes > shunt_side_count(x, &x->recv, source) * x->recv.size)
        return shunt_block_write(x, source, from, bytes);
    memcpy(shunt_side_address(x, &x->recv, source), from, (size_t)bytes);
    return MPI_SUCCESS;
}

#endif
