/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * newcomers.h: communicators of which nothing is kept but how many calls they have seen.
 *
 * Programs make communicators by the hundred and use them a few times. An attribute for each, and a
 * state, cost more than such calls: from 32 attributes on the library needs room for more. So a
 * process that has some states already begins the next ones without; a state comes when the first
 * calls are over, and begins with their number. All ranks count the same calls whether they keep a
 * state or not, so it makes no difference which of them do.
 *
 * What tells of a state's end is its attribute. Here it is the application's call of MPI_Comm_free
 * or MPI_Comm_disconnect, by those names or by their PMPI_ names: all of them are ours, for Fortran
 * libraries and tools call the latter. Where anything comes before us there, there are no
 * newcomers.
 *
 * A newcomer is a struct shunt_comm of which only the first line of the processor's cache exists:
 * what the entry points look at. Its state is SHUNT_STATE_NEWCOMER, and idle_granted - idle_calls
 * the number of its calls.
 */
#ifndef SHUNT_COMMUNICATOR_NEWCOMERS_H
#define SHUNT_COMMUNICATOR_NEWCOMERS_H

#include "communicator/comm.h"

/* What outlives a newcomer: to bring it back, or to go on with. */
struct shunt_newcomer {
    int rank, size;
    uint32_t granted, left;
};

/*
 * Whoever sees the application free communicators says here how to ask whether all of that is seen;
 * it is asked once, when it matters. Until then there are no newcomers.
 */
typedef bool (*shunt_newcomers_question)(void);
void shunt_newcomers_watch(shunt_newcomers_question is_watched);
bool shunt_newcomers_possible(void);

/* The newcomer `user`, or NULL. */
struct shunt_comm *shunt_newcomers_find(MPI_Comm user);
/* A new one that may see so many calls, or NULL where there is no place. user: an intracommunicator
 * that is no newcomer. */
struct shunt_comm *shunt_newcomers_admit(MPI_Comm user, const struct shunt_newcomer *with);
/* It is none any longer. Returns what it was, for shunt_comm_lives and the like; not to be looked
 * at. NULL: it was none. */
const struct shunt_comm *shunt_newcomers_leave(MPI_Comm user, struct shunt_newcomer *was);
/* Nor is any other: all handles are invalid. */
void shunt_newcomers_forget_all(void);

#endif
