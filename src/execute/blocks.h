/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h: reading and writing the user's blocks as plain bytes. */
#ifndef SHUNT_EXECUTE_BLOCKS_H
#define SHUNT_EXECUTE_BLOCKS_H

#include "execute/plan.h"

int64_t shunt_send_bytes(const struct shunt_exchange *x, int peer);
int64_t shunt_recv_bytes(const struct shunt_exchange *x, int peer);
/* Copies the block for `peer` (its shunt_send_bytes bytes) to `to`. */
int shunt_block_read(const struct shunt_exchange *x, int peer, void *to);
/* Stores `bytes` bytes as the block from `peer`. More than its room: fills the room, returns
 * MPI_ERR_TRUNCATE. */
int shunt_block_write(const struct shunt_exchange *x, int peer, const void *from, int64_t bytes);
/* The whole receive block of `peer` to and from its shunt_recv_bytes bytes, always by the library's
 * own packing. */
int shunt_recv_pack(const struct shunt_exchange *x, int peer, char *bytes);
int shunt_recv_unpack(const struct shunt_exchange *x, int peer, const char *bytes);
/* Copies the own block. */
int shunt_block_self(const struct shunt_exchange *x);

/*
 * Copies the blocks of the send side to comm->buffers.staging and makes that the send side, as
 * plain bytes; in place, those of the receive side. Makes room if need be. Returns MPI_SUCCESS,
 * MPI_ERR_NO_MEM or an error of the library; then the send side is as it was (in place: the receive
 * side), so that others can be told by messages of the right number that there are no data.
 */
int shunt_stage_send(struct shunt_exchange *x);
int shunt_stage_in_place(struct shunt_exchange *x);

/*
 * Elements as the library is told of them: where they lie; where it would take that address for a
 * sentinel, from MPI_BOTTOM by a type of their own. Ended after the message was begun.
 */
struct shunt_place {
    void *at;
    int64_t count;
    MPI_Datatype type;
    bool made;
};
int shunt_place_begin(struct shunt_place *place, const void *at, int64_t count, MPI_Datatype type);
void shunt_place_end(struct shunt_place *place);

#endif
