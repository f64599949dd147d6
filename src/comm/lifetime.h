/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetime.h: our state of a communicator, its attribute from its first call to its end. */
#ifndef SHUNT_COMM_LIFETIME_H
#define SHUNT_COMM_LIFETIME_H

#include "comm/comm.h"
#include "comm/states.h"

/*
 * The state of `comm`, made at its first call. NULL with *error set when the library refuses (an
 * invalid communicator: its error handler has been called), or when memory is short (likewise).
 */
struct shunt_comm *shunt_comm_lookup(MPI_Comm comm, int *error);

/* Communicators that this thread used lately: valid while the epoch (states.h) is the same. */
struct shunt_comm_cache {
    MPI_Comm comm;
    unsigned long epoch; /* 0: nothing is remembered here */
    struct shunt_comm *state;
};
/* Room for programs that use a hundred communicators in turn: 6 KiB of a thread that calls. */
enum { SHUNT_COMM_CACHE_BITS = 8 };
/* Array of 1 << SHUNT_COMM_CACHE_BITS; of a thread that has used none yet one that is empty. */
extern _Thread_local struct shunt_comm_cache *shunt_comm_last
    __attribute__((tls_model("initial-exec")));

/* Where a communicator has its place, whatever handles are: a product spreads them. */
static inline struct shunt_comm_cache *shunt_comm_cache_entry(MPI_Comm comm)
{
    const uint32_t spread = (uint32_t)(uintptr_t)comm * UINT32_C(2654435769);
    return &shunt_comm_last[spread >> (32 - SHUNT_COMM_CACHE_BITS)];
}

/* The state of a communicator that this thread used lately, or NULL. */
static inline struct shunt_comm *shunt_comm_cached(MPI_Comm comm)
{
    const struct shunt_comm_cache *last = shunt_comm_cache_entry(comm);
    const bool valid = last->comm == comm &&
                       last->epoch == atomic_load_explicit(&shunt_comm_epoch, memory_order_acquire);
    return valid ? last->state : NULL;
}

static inline struct shunt_comm *shunt_comm_find(MPI_Comm comm, int *error)
{
    struct shunt_comm *cached = shunt_comm_cached(comm);
    return cached ? cached : shunt_comm_lookup(comm, error);
}

/*
 * MPI_Comm_idup is about to be called on `user`, on all its ranks. Under Open MPI what goes on
 * within it gets mixed up with other nonblocking collectives of the communicator, and with the
 * making of communicators: so `user` is native from now on, and no team is made any more
 * (setup.c).
 */
void shunt_comm_duplicates(MPI_Comm user);

/*
 * A state of its own for `user`, beside the one that the library keeps for the application and not
 * attached to it: set up at once, routed by `force` (as from SHUNT_FORCE; rank 0's counts, and it
 * must outlive the state) and by nothing else. Collective. Afterwards state and reason tell. NULL
 * with *error set when memory is short on this rank, before anything was communicated. Release with
 * shunt_comm_close.
 */
struct shunt_comm *shunt_comm_open(MPI_Comm user, const struct shunt_table *force, int *error);
void shunt_comm_close(struct shunt_comm *comm);

#endif
