/* SPDX-License-Identifier: BSD-3-Clause */
/* validity.c: whether the library will reject a call for its arguments, without communicating. */
#include "execute/exchange.h"
#include "process/alone.h"

/* The kinds of doubtful arguments; the library's answer to each is remembered: 0 unknown, 1
 * rejects, 2 accepts. */
enum doubt {
    DOUBT_CHECKED,
    DOUBT_ALIAS,
    DOUBT_ALIAS_NULL,
    DOUBT_NEGATIVE,
    DOUBT_NULL_SEND,
    DOUBT_NULL_RECV,
    DOUBT_IN_PLACE_RECV,
    DOUBT_OWN_BLOCK,
    DOUBTS
};

/* A call that moves nothing, by which a library that checks arguments is told: of MPICH's kind by
 * aliased buffers, Open MPI by where it receives. */
static enum doubt checked(void)
{
    return shunt_pmpi_is_open_mpi() ? DOUBT_IN_PLACE_RECV : DOUBT_ALIAS;
}

static int ask_library(enum shunt_op op, enum doubt doubt, MPI_Comm alone)
{
    char a[8] = {0}, b[8] = {0};
    const enum doubt kind = doubt == DOUBT_CHECKED ? checked() : doubt;
    void *send = kind == DOUBT_NULL_SEND || kind == DOUBT_ALIAS_NULL ? NULL : a;
    void *recv = kind == DOUBT_NULL_RECV || kind == DOUBT_ALIAS_NULL ? NULL
                 : kind == DOUBT_IN_PLACE_RECV                       ? MPI_IN_PLACE
                 : kind == DOUBT_ALIAS                               ? a
                                                                     : b;
    const bool nothing = doubt == DOUBT_CHECKED || doubt == DOUBT_ALIAS_NULL;
    const int count = nothing ? 0 : doubt == DOUBT_NEGATIVE ? -1 : 1;
    const int counts[1] = {count}, more[1] = {2}, displs[1] = {0};
    /* MPICH takes the same list on both sides for a sign of aliased buffers. */
    const int *received = doubt == DOUBT_OWN_BLOCK ? more : counts;
    if (op == SHUNT_OP_ALLTOALL)
        return shunt_pmpi.Alltoall(send, counts[0], MPI_BYTE, recv, received[0], MPI_BYTE, alone);
    return shunt_pmpi.Alltoallv(send, counts, displs, MPI_BYTE, recv, received, displs, MPI_BYTE,
                                alone);
}

/*
 * With checks compiled out or switched off an ill-formed call would crash, so it is asked first
 * whether there are checks at all, in a way that is harmless where there are none.
 */
static bool library_rejects(enum shunt_op op, enum doubt doubt)
{
    static _Atomic int answers[SHUNT_OP_COUNT][DOUBTS];
    const int known = atomic_load(&answers[op][doubt]);
    if (known)
        return known == 1;
    if (doubt != DOUBT_CHECKED && !library_rejects(SHUNT_OP_ALLTOALLV, DOUBT_CHECKED))
        return false;
    const MPI_Comm alone = shunt_alone_begin();
    if (alone == MPI_COMM_NULL)
        return true; /* Sessions: nobody to ask; every build with checks rejects */
    const int status = ask_library(op, doubt, alone);
    shunt_alone_end(alone);
    atomic_store(&answers[op][doubt], status == MPI_SUCCESS ? 2 : 1);
    return status != MPI_SUCCESS;
}

/* Aliased buffers as MPICH sees them; others it does not notice. */
static bool aliased(const struct shunt_exchange *x)
{
    if (x->in_place || x->send.buffer != x->recv.buffer || x->send.type != x->recv.type)
        return false;
    return x->op == SHUNT_OP_ALLTOALL ? x->send.count == x->recv.count && x->send.count != 0
                                      : x->send.counts == x->recv.counts;
}

/* Any negative count, and (if there is none) whether there is anything at all. */
static bool any_negative(const struct shunt_exchange *x, const struct shunt_side *side,
                         bool *anything)
{
    const int peers = x->op == SHUNT_OP_ALLTOALL ? 0 : x->comm->size;
    int64_t all =
        peers ? 0 : side->count; /* the bits of all counts: its sign is that of any negative one */
    for (int p = 0; p < peers; p++)
        all |= shunt_listed_count(side, p);
    *anything = all != 0;
    return all < 0;
}

/* Whether data of this side lie at its address itself, which must not be 0 then; derived types may
 * carry absolute addresses instead. */
static bool data_at_zero(const struct shunt_side *side)
{
    MPI_Aint lower = 0, extent = 0;
    if (shunt_type_known(side->type))
        return true;
    return side->size > 0 &&
           shunt_pmpi.Type_get_true_extent(side->type, &lower, &extent) == MPI_SUCCESS &&
           lower == 0;
}

/* What a rank sends to itself must have the size of what it receives from itself: Open MPI looks at
 * that. */
static bool own_block_differs(const struct shunt_exchange *x)
{
    const int me = x->comm->rank;
    return shunt_pmpi_is_open_mpi() && !x->in_place &&
           shunt_side_count(x, &x->send, me) * x->send.size !=
               shunt_side_count(x, &x->recv, me) * x->recv.size;
}

bool shunt_exchange_rejected(const struct shunt_exchange *x, int type_error)
{
    bool sends = false, receives = false;
    if (type_error != MPI_SUCCESS)
        return library_rejects(SHUNT_OP_ALLTOALLV,
                               DOUBT_CHECKED); /* if there are checks, a bad type is rejected */
    if ((!x->in_place && any_negative(x, &x->send, &sends)) || any_negative(x, &x->recv, &receives))
        return library_rejects(x->op, DOUBT_NEGATIVE);
    /* Open MPI's MPI_Alltoall raises this error on MPI_COMM_WORLD, so the other one is asked. */
    if (x->recv.buffer == MPI_IN_PLACE)
        return library_rejects(SHUNT_OP_ALLTOALLV, DOUBT_IN_PLACE_RECV);
    if (own_block_differs(x))
        return library_rejects(x->op, DOUBT_OWN_BLOCK);
    /* MPI_BOTTOM twice: asked by a call that moves nothing, whichever operation it is. */
    if (aliased(x) &&
        (x->recv.buffer == MPI_BOTTOM ? library_rejects(SHUNT_OP_ALLTOALLV, DOUBT_ALIAS_NULL)
                                      : library_rejects(x->op, DOUBT_ALIAS)))
        return true;
    if (!x->in_place && sends && !x->send.buffer && data_at_zero(&x->send))
        return library_rejects(x->op, DOUBT_NULL_SEND);
    return receives && !x->recv.buffer && data_at_zero(&x->recv) &&
           library_rejects(x->op, DOUBT_NULL_RECV);
}
