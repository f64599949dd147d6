/* SPDX-License-Identifier: BSD-3-Clause */
/* piggyback.c: see piggyback.h. */
#include "intercept/piggyback.h"

#include <stdlib.h>
#include <string.h>

#include "communicator/device.h"
#include "communicator/errors.h"
#include "execute/blocks.h"
#include "intercept/counts.h"

/* Before a block. The number of bytes is told because a receiver may have room for more, which then
 * stays as it is. */
struct header {
    uint64_t word;
    int64_t bytes;
};
#define SHUNT_FAILED ((uint64_t)1 << 63) /* in a word: the block is not what it should be */

/* Beyond that many ranks a broadcast is cheap beside the call. What does not fit is sent from where
 * it is. */
enum { HEADER = sizeof(struct header), RANKS_MOST = 128, AREA = 1 << 15 };

/* A communicator has one call at a time. Not the stack, which may be a small one, and has pages
 * that were not touched before. */
static unsigned char out[AREA], in[AREA];

/* What fails before and after the call itself is not for the application's error handler: there is
 * another way. */
static struct shunt_hush hush;

static void be_quiet(const struct shunt_exchange *x)
{
    if (!hush.active)
        shunt_hush_begin_alone(&hush, x->comm->user);
}

static void end_quiet(void)
{
    shunt_hush_end(&hush);
    hush.active = false;
}

/* One side of MPI_Alltoallw, whose displacements count from its area. */
struct lists {
    unsigned char *area;
    MPI_Count counts[RANKS_MOST];
    MPI_Aint places[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    unsigned char *header[RANKS_MOST];                 /* of blocks that have one */
    bool follows[RANKS_MOST];                          /* the block lies behind it */
    bool made_type[RANKS_MOST], made_room[RANKS_MOST]; /* to be given back */
};
static struct lists sends = {.area = out}, receives = {.area = in};

bool shunt_piggyback_fits(const struct shunt_exchange *x)
{
    const int64_t ranks = x->comm->size, bytes = shunt_counts_uniform(x);
    if (x->in_place || ranks > RANKS_MOST || !shunt_pmpi_is_mpich() || !shunt_pmpi.Alltoallw_c ||
        !shunt_pmpi.Type_create_struct_c || !shunt_pmpi.Pack_c || !shunt_pmpi.Unpack_c)
        return false;
    return x->op == SHUNT_OP_ALLTOALLV || (bytes > 0 && bytes <= AREA - ranks * HEADER);
}

static MPI_Aint distance(const void *from, const void *to)
{
    return (MPI_Aint)((uintptr_t)to - (uintptr_t)from);
}

/* Blocks that are not memory of the host are packed by the library, quietly. */
static int read_block(struct shunt_exchange *x, int peer, unsigned char *to)
{
    if (!x->send.plain)
        be_quiet(x);
    return SHUNT_TWICE(shunt_block_read(x, peer, to));
}

static int write_block(struct shunt_exchange *x, int peer, const unsigned char *from, int64_t bytes)
{
    if (!x->recv.plain)
        be_quiet(x);
    return SHUNT_TWICE(shunt_block_write(x, peer, from, bytes));
}

/* Header and block. The others are to know of a failure here, who have no other way to. */
static int put(struct shunt_exchange *x, int peer, uint64_t word, unsigned char *to)
{
    struct header header = {.word = word, .bytes = shunt_send_bytes(x, peer)};
    const int status = read_block(x, peer, to + HEADER);
    if (status != MPI_SUCCESS)
        header.word |= SHUNT_FAILED;
    memcpy(to, &header, HEADER);
    return status;
}

static int take(struct shunt_exchange *x, int peer, const unsigned char *from, int64_t most)
{
    struct header header;
    memcpy(&header, from, HEADER);
    if (header.word & SHUNT_FAILED)
        return MPI_ERR_OTHER;
    const int64_t bytes = header.bytes < most ? header.bytes : most;
    return write_block(x, peer, from + HEADER, bytes);
}

static uint64_t word_in(const unsigned char *from)
{
    struct header header;
    memcpy(&header, from, HEADER);
    return header.word & ~SHUNT_FAILED;
}

static int run_uniform(struct shunt_exchange *x, uint64_t *word)
{
    const int64_t block = shunt_send_bytes(x, 0), slot = HEADER + block;
    const int ranks = x->comm->size;
    int status = MPI_SUCCESS;
    for (int p = 0; p < ranks; p++)
        status = shunt_error_first(status, put(x, p, *word, out + p * slot));
    end_quiet();
    memset(in, 0, HEADER);
    const int called =
        shunt_pmpi.Alltoall(out, (int)slot, MPI_BYTE, in, (int)slot, MPI_BYTE, x->comm->user);
    *word = word_in(in);
    x->raised = called != MPI_SUCCESS;
    for (int p = 0; called == MPI_SUCCESS && p < ranks; p++)
        status = shunt_error_first(status, take(x, p, in + p * slot, block));
    end_quiet();
    return called == MPI_SUCCESS ? status : called;
}

/* A side of the call as MPI_Alltoallw has it. */
static void list(const struct shunt_exchange *x, const struct shunt_side *side, struct lists *lists)
{
    for (int p = 0; p < x->comm->size; p++) {
        lists->counts[p] = (MPI_Count)shunt_listed_count(side, p);
        lists->places[p] =
            lists->counts[p] > 0 ? distance(lists->area, shunt_side_address(x, side, p)) : 0;
        lists->types[p] = side->type;
        lists->made_type[p] = lists->made_room[p] = false;
    }
}

static void give_back(const struct shunt_exchange *x, struct lists *lists)
{
    for (int p = 0; p < x->comm->size; p++) {
        if (lists->made_type[p])
            shunt_pmpi.Type_free(&lists->types[p]);
        if (lists->made_room[p])
            free(lists->header[p]);
    }
}

/*
 * Room for a header before the block of a peer. A small block follows it in the area. A large one
 * stays where it is, as part of a type, which must not be in two kinds of memory; where there is
 * none, they get memory of their own. Without that, too, the header is alone: the receiver hears
 * that the block failed, or the library finds no room for it.
 */
static void add_header(struct shunt_exchange *x, const struct shunt_side *side, int peer,
                       struct lists *lists)
{
    const int64_t share = AREA / x->comm->size, count = shunt_listed_count(side, peer),
                  bytes = HEADER + count * side->size;
    const void *at = shunt_side_address(x, side, peer);
    unsigned char *header = lists->area + share * peer;
    if (bytes > share)
        be_quiet(x);
    lists->made_type[peer] = bytes > share && !shunt_device_pointer(at) &&
                             shunt_block_type(side, lists->area, header, HEADER, at, count,
                                              &lists->types[peer]) == MPI_SUCCESS;
    lists->header[peer] = header;
    if (bytes > share && !lists->made_type[peer]) {
        lists->header[peer] = malloc((size_t)bytes);
        lists->made_room[peer] = lists->header[peer] != NULL;
        if (!lists->made_room[peer])
            lists->header[peer] = header;
    }
    lists->follows[peer] = bytes <= share || lists->made_room[peer];
    memset(lists->header[peer], 0, HEADER);
    if (lists->made_type[peer]) {
        lists->counts[peer] = 1;
        lists->places[peer] = 0;
        return;
    }
    lists->counts[peer] = (MPI_Count)(lists->follows[peer] ? bytes : HEADER);
    lists->places[peer] = distance(lists->area, lists->header[peer]);
    lists->types[peer] = MPI_BYTE;
}

/* Rank 0: headers before all of its blocks. */
static int say(struct shunt_exchange *x, uint64_t word)
{
    int status = MPI_SUCCESS;
    for (int p = 0; p < x->comm->size; p++) {
        add_header(x, &x->send, p, &sends);
        if (sends.follows[p]) {
            status = shunt_error_first(status, put(x, p, word, sends.header[p]));
            continue;
        }
        const struct header header = {.word = sends.made_type[p] ? word : word | SHUNT_FAILED,
                                      .bytes = shunt_send_bytes(x, p)};
        memcpy(sends.header[p], &header, HEADER);
        if (!sends.made_type[p])
            status = shunt_error_first(status, MPI_ERR_NO_MEM);
    }
    return status;
}

/* What is left to be done with the block from rank 0 when the call is over. */
static int hear(struct shunt_exchange *x)
{
    const int64_t most = (int64_t)receives.counts[0] - HEADER;
    if (receives.follows[0])
        return take(x, 0, receives.header[0], most);
    struct header header;
    memcpy(&header, receives.header[0], HEADER);
    return header.word & SHUNT_FAILED ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int run_listed(struct shunt_exchange *x, uint64_t *word)
{
    list(x, &x->send, &sends);
    list(x, &x->recv, &receives);
    int status = x->comm->rank == 0 ? say(x, *word) : MPI_SUCCESS;
    add_header(x, &x->recv, 0, &receives);
    end_quiet();
    const int called =
        shunt_pmpi.Alltoallw_c(sends.area, sends.counts, sends.places, sends.types, receives.area,
                               receives.counts, receives.places, receives.types, x->comm->user);
    *word = word_in(receives.header[0]);
    x->raised = called != MPI_SUCCESS;
    if (called == MPI_SUCCESS)
        status = shunt_error_first(status, hear(x));
    give_back(x, &sends);
    give_back(x, &receives);
    end_quiet();
    return called == MPI_SUCCESS ? status : called;
}

/* Memory of a device is not copied as the host's. */
static void look_at_buffers(struct shunt_exchange *x)
{
    if (!shunt_pmpi_takes_device_memory() || !shunt_device_runtime())
        return;
    x->send.plain = x->send.plain && !shunt_device_pointer(x->send.buffer);
    x->recv.plain = x->recv.plain && !shunt_device_pointer(x->recv.buffer);
}

int shunt_piggyback_run(struct shunt_exchange *x, uint64_t *word)
{
    look_at_buffers(x);
    return x->op == SHUNT_OP_ALLTOALL ? run_uniform(x, word) : run_listed(x, word);
}
