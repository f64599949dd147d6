/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * newcomers.h: communicators of which nothing is kept yet but how many calls they have seen.
 *
 * Programs make communicators by the hundred and use them a few times; what takes longest then is
 * memory that nobody has touched, the library's own for more than 32 attributes first of all. So a
 * communicator first is a newcomer: a struct shunt_comm of which only the first line of the
 * processor's cache exists, at the place that its handle has, and without an attribute. Its state
 * is SHUNT_STATE_NEWCOMER, and idle_granted - idle_calls the number of its calls; calls that are
 * work for several take both down. When there are no more to come, a whole one takes its place and
 * goes on counting, unless there is nothing yet to look at. All ranks count the same calls
 * whichever of the two they have.
 *
 * There are newcomers only where whoever frees a communicator is seen (lifetime.h): a handle that
 * comes back as another communicator's, with calls of the one before, would let this rank count
 * what the others do not.
 */
#ifndef SHUNT_COMMUNICATOR_NEWCOMERS_H
#define SHUNT_COMMUNICATOR_NEWCOMERS_H

#include "communicator/comm.h"

#include <stddef.h>

/* Whole lines: one with MPICH; two where a communicator is a pointer, as with SMPI. */
enum { SHUNT_NEWCOMER_BYTES = (offsetof(struct shunt_comm, calls) + 63) / 64 * 64 };

/* One at each place, and room for a whole state after the last one, for compilers that take it for
 * one. */
extern unsigned char
    shunt_newcomers[(size_t)SHUNT_COMM_PLACES * SHUNT_NEWCOMER_BYTES + sizeof(struct shunt_comm)];

static inline struct shunt_comm *shunt_newcomers_at(MPI_Comm comm)
{
    return (struct shunt_comm *)(void *)(shunt_newcomers +
                                         shunt_comm_place(comm) * SHUNT_NEWCOMER_BYTES);
}

/* Whether it is known to be that of `comm` without a lookup. Other threads may be about
 * to give or take it for another communicator. */
static inline bool shunt_newcomer_is(const struct shunt_comm *newcomer, MPI_Comm comm)
{
    return __atomic_load_n(&newcomer->seen_as, __ATOMIC_ACQUIRE) == comm;
}

static inline void shunt_newcomer_see(struct shunt_comm *newcomer)
{
    __atomic_store_n(&newcomer->seen_as, newcomer->user, __ATOMIC_RELEASE);
}

/* That of `user`, or NULL. */
struct shunt_comm *shunt_newcomers_find(MPI_Comm user);
/* One that may see so many calls, owned by the caller; NULL where another one has its place. */
struct shunt_comm *shunt_newcomers_take(MPI_Comm user, int size, uint32_t calls);
void shunt_newcomers_give(struct shunt_comm *newcomer);

/* From now on each is looked up. */
void shunt_newcomers_unsee_all(void);
/* Their communicators are gone, and nobody has told. */
void shunt_newcomers_forget_all(void);

#endif
