/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h: one call of MPI_Alltoall or MPI_Alltoallv, in any of its forms, in one structure.
 */
#ifndef SHUNT_EXECUTE_EXCHANGE_H
#define SHUNT_EXECUTE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "communicator/comm.h"
#include "schedule/arena.h"

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
    bool declined; /* set by an algorithm that found, on all ranks alike, that it cannot do this
                      call: nothing was touched */
    bool raised;   /* set by an algorithm whose error the library has raised on the user's
                      communicator already */
    bool matched; /* an agreement has shown that no message can be longer than its receiver has room
                     for */
    int64_t block; /* Alltoall: bytes per block, the same on all ranks; Alltoallv: largest block of
                      any rank once agreed */
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
 * library is asked with a call of the same kind on MPI_COMM_SELF. Call after shunt_exchange_types
 * (with its result as `type_error`).
 */
bool shunt_exchange_rejected(const struct shunt_exchange *x, int type_error);

/* plan.c: what depends only on communicator, algorithm and parameters, kept with the communicator.
 */
struct shunt_plan {
    const struct shunt_algorithm *algorithm;
    struct shunt_params params;
    struct shunt_schedule schedule;
    bool built;
    int64_t ready;         /* largest block for which every rank has scratch; -1: none */
    int64_t ready_staging; /* likewise for staging */
    MPI_Request *requests; /* array of request_capacity */
    int *peers;            /* array of request_capacity: partner of each request */
    bool *full; /* array of request_capacity: a receive of a message that is never empty */
    size_t request_capacity;
    int64_t kept; /* forwarding kinds: largest block for fused.c; with larger ones forward.c runs,
                     in slots. Equal on all ranks */
    int64_t *slot_bytes; /* for forward.c: array of slots: length of the block in each. NULL: not
                            needed so far */
    struct shunt_arena arena;
    char **marks;          /* for fused.c: array of arena.mark_count: where blocks begin */
    char **landing;        /* and array of schedule.max_round_steps: where messages arrive */
    int64_t *bundle_bytes; /* bundle.c: arrays of slots: length and place of each bundle that passes
                              through */
    char **bundle_at;
    char *half;       /* bundle.c: the half of the segment that the current exchange uses */
    int64_t capacity; /* kinds that share memory: largest block that this plan's part of the segment
                         and its scratch are made for */
    int64_t arriving; /* and bundles that arrive in one call */
    int64_t memory_cap;        /* bytes, of the rule for which memory was last made */
    int largest_node;          /* bundle.c: a node with ppn_max ranks */
    struct shunt_types *types; /* messages as datatypes, for that kind only */
    int users;                 /* decisions that point here */
};

/* Largest single message; longer ones are cut. */
enum { SHUNT_MESSAGE_MAX = 1 << 30 };

/*
 * The plan of a decision, with schedule and scratch for blocks of x->block bytes on every rank (and
 * staging, if `staging`; equal on all ranks). Collective when something must be made: then all
 * ranks make it and agree that all succeeded. NULL: no memory somewhere; all ranks get NULL
 * together.
 */
struct shunt_plan *shunt_plan_get(struct shunt_exchange *x, const struct shunt_decision *decision,
                                  bool staging);

/*
 * Bytes of this rank's scratch for blocks of at most `block` bytes: the slots and one round's
 * messages, or what lies in the arena and the messages that one round sends, whichever is more of
 * what smaller blocks need; and the lengths that go with them. A call touches no more than the
 * row's memory(). INT64_MAX when it does not fit.
 */
int64_t shunt_plan_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                           int64_t block);

/*
 * Runs the exchange by a plan, as the kind of its algorithm says. Returns MPI_SUCCESS or an error
 * class or code that was raised nowhere (unless x->raised).
 */
int shunt_plan_run(struct shunt_exchange *x, struct shunt_plan *plan);
/* One per kind. */
int shunt_direct_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_fused_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_forward_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_library_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_datatype_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_peer_read_run(struct shunt_exchange *x, struct shunt_plan *plan);

/* datatype.c: room for the datatypes of a schedule's messages (NULL: no memory), and giving them
 * back (NULL is fine). Local. */
struct shunt_types *shunt_types_make(const struct shunt_schedule *schedule);
void shunt_types_free(struct shunt_types *types);

/* direct.c: the messages alone, without staging and without the own block; for those who have done
 * both. broken: there are no data. */
int shunt_direct_messages(struct shunt_exchange *x, struct shunt_plan *plan, bool broken);

/* blocks.c: reading and writing user blocks as plain bytes. */
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
/* Makes room for `bytes` bytes in comm->staging. Address space only: pages cost nothing until an
 * in-place call touches them. */
bool shunt_staging_reserve(struct shunt_comm *comm, int64_t bytes);

/*
 * Copies the blocks of the send side to comm->staging and makes that the send side, as plain bytes;
 * in place, those of the receive side. Makes room if need be. Returns MPI_SUCCESS, MPI_ERR_NO_MEM
 * or an error of the library; then the send side is as it was (in place: the receive side), so that
 * others can be told by messages of the right number that there are no data.
 */
int shunt_stage_send(struct shunt_exchange *x);
int shunt_stage_in_place(struct shunt_exchange *x);

#endif
