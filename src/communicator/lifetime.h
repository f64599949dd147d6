/* SPDX-License-Identifier: BSD-3-Clause */
/* lifetime.h: our state of a communicator, from its first call to its end: a newcomer, then an
 * attribute. */
#ifndef SHUNT_COMMUNICATOR_LIFETIME_H
#define SHUNT_COMMUNICATOR_LIFETIME_H

#include "communicator/comm.h"
#include "communicator/states.h"

/*
 * The state of `comm`, made at its first call. NULL with *error set when the library refuses (an
 * invalid communicator: its error handler has been called), or when memory is short (likewise).
 * NULL without an error while this thread frees it.
 */
struct shunt_comm *shunt_comm_lookup(MPI_Comm comm, int *error);

/* The state of a newcomer (newcomers.h), which is what shunt_comm_lookup may have found: to be
 * asked for when the calls that only count are over. Otherwise the same. */
struct shunt_comm *shunt_comm_establish(struct shunt_comm *newcomer, int *error);
/* Whether further calls of a newcomer only count. */
bool shunt_comm_prolong(struct shunt_comm *newcomer);

/* Communicators that this thread used lately, each at its place: valid while the epoch (states.h)
 * is the same. */
struct shunt_comm_cache {
    MPI_Comm comm;
    unsigned long epoch;
    struct shunt_comm *state;
};
/* Array of SHUNT_COMM_PLACES; of a thread that has used none yet one that remembers nothing. */
extern _Thread_local struct shunt_comm_cache *shunt_comm_last
    __attribute__((tls_model("initial-exec")));

/*
 * To be said once if whatever frees communicators of the application does so between the two others
 * below: what is known of a communicator may then be kept by its handle. Begin is told which one,
 * or MPI_COMM_NULL, and returns what end wants. Nothing waits.
 */
void shunt_comm_see_frees(void);
MPI_Comm shunt_comm_free_begin(MPI_Comm user);
void shunt_comm_free_end(MPI_Comm outer);

static inline struct shunt_comm_cache *shunt_comm_cache_entry(MPI_Comm comm)
{
    return &shunt_comm_last[shunt_comm_place(comm)];
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
 * To be called once per intercepted call in state COUNTING, after calls was advanced: sets the
 * communicator up when its time has come. Collective at calls that all ranks know. Afterwards the
 * state tells. Never fails: trouble makes the communicator native on all ranks.
 */
void shunt_comm_settle(struct shunt_comm *comm);

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
