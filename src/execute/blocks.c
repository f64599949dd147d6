/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c: user blocks as plain bytes: copied where the type allows it, packed and unpacked by the
 * library otherwise. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "execute/blocks.h"

int64_t shunt_send_bytes(const struct shunt_exchange *x, int peer)
{
    return shunt_side_count(x, &x->send, peer) * x->send.size;
}

int64_t shunt_recv_bytes(const struct shunt_exchange *x, int peer)
{
    return shunt_side_count(x, &x->recv, peer) * x->recv.size;
}

/* Elements that one call of the int interface can take. */
static int64_t piece_of(int64_t count, int64_t size)
{
    const int64_t most = size > 0 && INT_MAX / size > 0 ? INT_MAX / size : 1;
    return count < most ? count : most;
}

int shunt_place_begin(struct shunt_place *place, const void *at, int64_t count, MPI_Datatype type)
{
    *place = (struct shunt_place){.at = (void *)(uintptr_t)at, .count = count, .type = type};
    if (!shunt_pmpi_is_sentinel(at))
        return MPI_SUCCESS;
    const MPI_Aint displacement = (MPI_Aint)(intptr_t)at;
    MPI_Count size;
    int status = shunt_pmpi.Type_size_x(type, &size);
    if (status != MPI_SUCCESS)
        return status;
    place->at = MPI_BOTTOM;
    /* No type without data: MPICH 5.0.2 divides by its size where it receives. */
    if (count == 0 || size == 0) {
        place->count = 0;
        return MPI_SUCCESS;
    }
    if (count > INT_MAX)
        return MPI_ERR_COUNT;
    status =
        shunt_pmpi.Type_create_hindexed_block(1, (int)count, &displacement, type, &place->type);
    if (status != MPI_SUCCESS)
        return status;
    place->count = 1;
    place->made = true;
    status = shunt_pmpi.Type_commit(&place->type);
    if (status != MPI_SUCCESS)
        shunt_place_end(place);
    return status;
}

void shunt_place_end(struct shunt_place *place)
{
    if (place->made)
        shunt_pmpi.Type_free(&place->type);
    place->made = false;
}

static int exchange_places(const struct shunt_exchange *x, const struct shunt_place *out,
                           const struct shunt_place *in)
{
    const int me = shunt_comm_there(x->comm, x->comm->rank),
              tag = x->comm->first_tag + SHUNT_TAG_SELF;
    const MPI_Comm comm = x->comm->private_comm;
    if (out->count <= INT_MAX && in->count <= INT_MAX)
        return shunt_pmpi.Sendrecv(out->at, (int)out->count, out->type, me, tag, in->at,
                                   (int)in->count, in->type, me, tag, comm, MPI_STATUS_IGNORE);
    if (!shunt_pmpi.Sendrecv_c)
        return MPI_ERR_COUNT;
    return shunt_pmpi.Sendrecv_c(out->at, (MPI_Count)out->count, out->type, me, tag, in->at,
                                 (MPI_Count)in->count, in->type, me, tag, comm, MPI_STATUS_IGNORE);
}

/*
 * A message to ourselves. The library moves what only it can: part of an element, or data of
 * MPI_BOTTOM, which MPI_Pack and MPI_Unpack of MPICH 4.0.2 take for a forgotten buffer.
 */
static int self_message(const struct shunt_exchange *x, const void *from, int64_t out,
                        MPI_Datatype out_type, void *to, int64_t in, MPI_Datatype in_type)
{
    struct shunt_place send, receive;
    int status = shunt_place_begin(&send, from, out, out_type);
    if (status != MPI_SUCCESS)
        return status;
    status = shunt_place_begin(&receive, to, in, in_type);
    if (status == MPI_SUCCESS) {
        status = exchange_places(x, &send, &receive);
        shunt_place_end(&receive);
    }
    shunt_place_end(&send);
    return status;
}

static int pack(const struct shunt_exchange *x, const struct shunt_side *side, int peer,
                int64_t count, char *bytes, int64_t capacity)
{
    const char *at = shunt_side_address(x, side, peer);
    if (at == MPI_BOTTOM || shunt_pmpi_is_sentinel(at))
        return self_message(x, at, count, side->type, bytes, capacity, MPI_BYTE);
    if (shunt_pmpi.Pack_c) {
        MPI_Count position = 0;
        return shunt_pmpi.Pack_c(at, (MPI_Count)count, side->type, bytes, (MPI_Count)capacity,
                                 &position, x->comm->private_comm);
    }
    while (count > 0) {
        const int64_t piece = piece_of(count, side->size);
        int position = 0;
        const int status = shunt_pmpi.Pack(at, (int)piece, side->type, bytes,
                                           capacity > INT_MAX ? INT_MAX : (int)capacity, &position,
                                           x->comm->private_comm);
        if (status != MPI_SUCCESS)
            return status;
        at = (const char *)((uintptr_t)at + (uintptr_t)(piece * side->extent));
        bytes += piece * side->size;
        capacity -= piece * side->size;
        count -= piece;
    }
    return MPI_SUCCESS;
}

static int unpack(const struct shunt_exchange *x, const char *bytes, int peer, int64_t count)
{
    const struct shunt_side *side = &x->recv;
    char *at = shunt_side_address(x, side, peer);
    if (at == MPI_BOTTOM || shunt_pmpi_is_sentinel(at))
        return self_message(x, bytes, count * side->size, MPI_BYTE, at, count, side->type);
    if (shunt_pmpi.Unpack_c) {
        MPI_Count position = 0;
        return shunt_pmpi.Unpack_c(bytes, (MPI_Count)(count * side->size), &position, at,
                                   (MPI_Count)count, side->type, x->comm->private_comm);
    }
    while (count > 0) {
        const int64_t piece = piece_of(count, side->size);
        int position = 0;
        const int status = shunt_pmpi.Unpack(bytes, (int)(piece * side->size), &position, at,
                                             (int)piece, side->type, x->comm->private_comm);
        if (status != MPI_SUCCESS)
            return status;
        at = (char *)((uintptr_t)at + (uintptr_t)(piece * side->extent));
        bytes += piece * side->size;
        count -= piece;
    }
    return MPI_SUCCESS;
}

int shunt_recv_pack(const struct shunt_exchange *x, int peer, char *bytes)
{
    const int64_t count = shunt_side_count(x, &x->recv, peer);
    return count * x->recv.size == 0 ? MPI_SUCCESS
                                     : pack(x, &x->recv, peer, count, bytes, count * x->recv.size);
}

int shunt_recv_unpack(const struct shunt_exchange *x, int peer, const char *bytes)
{
    const int64_t count = shunt_side_count(x, &x->recv, peer);
    return count * x->recv.size == 0 ? MPI_SUCCESS : unpack(x, bytes, peer, count);
}

int shunt_block_read(const struct shunt_exchange *x, int peer, void *to)
{
    const int64_t bytes = shunt_send_bytes(x, peer);
    if (bytes == 0)
        return MPI_SUCCESS;
    if (!x->send.plain)
        return pack(x, &x->send, peer, shunt_side_count(x, &x->send, peer), to, bytes);
    memcpy(to, shunt_side_address(x, &x->send, peer), (size_t)bytes);
    return MPI_SUCCESS;
}

int shunt_block_write(const struct shunt_exchange *x, int peer, const void *from, int64_t bytes)
{
    const int64_t capacity = shunt_recv_bytes(x, peer);
    const int64_t fits = bytes < capacity ? bytes : capacity;
    int status = MPI_SUCCESS;
    if (fits > 0 && x->recv.plain)
        memcpy(shunt_side_address(x, &x->recv, peer), from, (size_t)fits);
    else if (fits > 0 && fits % x->recv.size == 0)
        status = unpack(x, from, peer, fits / x->recv.size);
    else if (fits > 0) /* not ending at an element */
        status = self_message(x, from, fits, MPI_BYTE, shunt_side_address(x, &x->recv, peer),
                              shunt_side_count(x, &x->recv, peer), x->recv.type);
    return status == MPI_SUCCESS && bytes > capacity ? MPI_ERR_TRUNCATE : status;
}

int shunt_block_self(const struct shunt_exchange *x)
{
    const int me = x->comm->rank;
    if (x->in_place)
        return MPI_SUCCESS;
    const int64_t bytes = shunt_send_bytes(x, me);
    shunt_trace_copy(SHUNT_EVENT_COPY, 1, bytes);
    if (x->send.plain)
        return shunt_block_write(x, me, shunt_side_address(x, &x->send, me), bytes);
    if (x->recv.plain && bytes <= shunt_recv_bytes(x, me))
        return shunt_block_read(x, me, shunt_side_address(x, &x->recv, me));
    return self_message(x, shunt_side_address(x, &x->send, me), shunt_side_count(x, &x->send, me),
                        x->send.type, shunt_side_address(x, &x->recv, me),
                        shunt_side_count(x, &x->recv, me), x->recv.type);
}

int shunt_stage_send(struct shunt_exchange *x)
{
    struct shunt_comm *comm = x->comm;
    int64_t total = 0;
    if (!shunt_reserve_staging(comm, total)) /* the lists */
        return MPI_ERR_NO_MEM;
    for (int p = 0; p < comm->size; p++) {
        comm->buffers.staged[p] = total;
        comm->buffers.staged_bytes[p] = shunt_send_bytes(x, p);
        total += comm->buffers.staged_bytes[p];
    }
    if (!shunt_reserve_staging(comm, total))
        return MPI_ERR_NO_MEM;
    for (int p = 0; p < comm->size; p++) {
        /* The own block stays where it is. */
        const int status =
            p == comm->rank
                ? MPI_SUCCESS
                : shunt_block_read(x, p, (char *)comm->buffers.staging + comm->buffers.staged[p]);
        if (status != MPI_SUCCESS)
            return status;
    }
    x->send =
        (struct shunt_side){.buffer = comm->buffers.staging,
                            .wide = true,
                            .counts = comm->buffers.staged_bytes,
                            .displs = comm->buffers.staged,
                            .count = x->op == SHUNT_OP_ALLTOALL ? comm->buffers.staged_bytes[0] : 0,
                            .type = MPI_BYTE,
                            .size = 1,
                            .extent = 1,
                            .plain = true};
    return MPI_SUCCESS;
}

int shunt_stage_in_place(struct shunt_exchange *x)
{
    x->send = x->recv; /* read the receive side as if it were the send side, once */
    return shunt_stage_send(x);
}
