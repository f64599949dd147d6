/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h: one call of MPI_Alltoall or MPI_Alltoallv, in any of its forms, in one structure.
 */
#ifndef SHUNT_EXECUTE_EXCHANGE_H
#define SHUNT_EXECUTE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"

/* One side of a call. Count and displacement arrays are arrays of P of int (wide: MPI_Count and
 * MPI_Aint), usually the user's. */
struct shunt_side {
    bool wide;
    void *buffer;                /* never written on the send side */
    const void *counts, *displs; /* Alltoallv only */
    int64_t count;               /* Alltoall only: elements per block */
    MPI_Datatype type;
    /* filled by shunt_exchange_types: */
    int64_t size;   /* bytes of data in one element */
    int64_t extent; /* bytes from one element to the next */
    bool plain;     /* an element is `size` contiguous bytes at its address: memory may be copied */
};

struct shunt_exchange {
    enum shunt_op op;
    bool wide; /* the caller used the large-count form */
    bool in_place;
    struct shunt_side send, recv; /* in place: send is not to be looked at */
    int type_error; /* what is wrong with a type, if the library does not refuse the call for it */
    bool declined;  /* set by an algorithm that found, on all ranks alike, that it cannot do this
                       call: nothing was touched */
    bool raised;    /* set by an algorithm whose error the library has raised on the user's
                       communicator already */
    bool matched; /* an agreement has shown that no message can be longer than its receiver has room
                     for */
    int64_t block; /* Alltoall: bytes per block, the same on all ranks; Alltoallv: largest block of
                      any rank once agreed */
    uint64_t blocks; /* Alltoallv: of all ranks, those that are not empty, once agreed */
    struct shunt_comm *comm;
};

/* Of Alltoallv: what the arrays say of a peer, in elements. */
static inline int64_t shunt_listed_count(const struct shunt_side *side, int peer)
{
    return side->wide ? (int64_t)((const MPI_Count *)side->counts)[peer]
                      : ((const int *)side->counts)[peer];
}
static inline int64_t shunt_listed_displ(const struct shunt_side *side, int peer)
{
    return side->wide ? (int64_t)((const MPI_Aint *)side->displs)[peer]
                      : ((const int *)side->displs)[peer];
}

static inline int64_t shunt_side_count(const struct shunt_exchange *x,
                                       const struct shunt_side *side, int peer)
{
    return x->op == SHUNT_OP_ALLTOALL ? side->count : shunt_listed_count(side, peer);
}

/* Address of an element. Integer arithmetic: the buffer may be MPI_BOTTOM. */
static inline void *shunt_element_at(const struct shunt_side *side, int64_t element)
{
    return (void *)((uintptr_t)side->buffer + (uintptr_t)(element * side->extent));
}

/* Address of the block for (from) a peer. */
static inline void *shunt_side_address(const struct shunt_exchange *x,
                                       const struct shunt_side *side, int peer)
{
    return shunt_element_at(side, x->op == SHUNT_OP_ALLTOALL ? side->count * peer
                                                             : shunt_listed_displ(side, peer));
}

/* The call as the library does it. */
int shunt_exchange_native(const struct shunt_exchange *x);

/*
 * What is known of a predefined type never changes, so each thread remembers it. Handles of derived
 * types are used again for other types, but never for predefined ones: of those it is remembered
 * only that they are derived.
 */
struct shunt_type_facts {
    bool known, derived;
    MPI_Datatype type;
    int64_t size, extent;
    bool plain;
};
enum { SHUNT_TYPES_REMEMBERED = 16 };
extern _Thread_local struct shunt_type_facts *shunt_types
    __attribute__((tls_model("initial-exec"))); /* array of these; empty in a new thread */

/* Where a type has its place: handles of predefined types differ in their low bytes. */
static inline struct shunt_type_facts *shunt_type_slot(MPI_Datatype type)
{
    const unsigned handle = (unsigned)(uintptr_t)type;
    return &shunt_types[(handle ^ handle >> 8) % SHUNT_TYPES_REMEMBERED];
}

/* A type that is known to be predefined, from an earlier look at it; NULL for others. */
static inline const struct shunt_type_facts *shunt_type_known(MPI_Datatype type)
{
    const struct shunt_type_facts *slot = shunt_type_slot(type);
    return slot->type == type && slot->known && !slot->derived ? slot : NULL;
}

/* Size of one element of a type, in bytes; -1 when the library does not know the type. Cheap for
 * predefined types. */
int64_t shunt_type_size(MPI_Datatype type);

/*
 * Fills size, extent and plain of the sides in use. Returns MPI_SUCCESS, or the library's error,
 * which it has raised nowhere (MPI_ERR_TYPE for a type that is not committed).
 */
int shunt_exchange_types(struct shunt_exchange *x);

/*
 * Whether the library rejects this call without communicating: then this rank alone hands it over
 * and gets its error. Looks at counts, types and buffers; where a doubtful argument is found, the
 * library is asked with a call of the same kind on a communicator of ours. Call after
 * shunt_exchange_types (with its result as `type_error`).
 */
bool shunt_exchange_rejected(const struct shunt_exchange *x, int type_error);

/* Largest single message; longer ones are cut. */
enum { SHUNT_MESSAGE_MAX = 1 << 30 };

#endif
