/* SPDX-License-Identifier: BSD-3-Clause */
/* newcomers.c: see newcomers.h. */
#include "communicator/newcomers.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { LINE = 64 };
static_assert(offsetof(struct shunt_comm, calls) <= LINE, "what a newcomer has fits into a line");

/* The place of each communicator is that of its handle; where somebody else has it, there is none.
 * Room for a whole state after the last one, for compilers that take it for one. */
static _Alignas(
    LINE) unsigned char places[(size_t)SHUNT_COMM_PLACES * LINE + sizeof(struct shunt_comm)];
static bool taken[SHUNT_COMM_PLACES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct shunt_comm *at(size_t place)
{
    return (struct shunt_comm *)(void *)(places + place * LINE);
}

static struct shunt_comm *find(MPI_Comm user, size_t place)
{
    return taken[place] && at(place)->user == user ? at(place) : NULL;
}

static _Atomic(shunt_newcomers_question) question;

void shunt_newcomers_watch(shunt_newcomers_question is_watched)
{
    atomic_store(&question, is_watched);
}

bool shunt_newcomers_possible(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int known;
    const shunt_newcomers_question ask = atomic_load(&question);
    if (ask && atomic_load(&known) == UNKNOWN)
        atomic_store(&known, ask() ? YES : NO);
    return atomic_load(&known) == YES;
}

struct shunt_comm *shunt_newcomers_find(MPI_Comm user)
{
    const size_t place = shunt_comm_place(user);
    pthread_mutex_lock(&lock);
    struct shunt_comm *comm = find(user, place);
    pthread_mutex_unlock(&lock);
    return comm;
}

struct shunt_comm *shunt_newcomers_admit(MPI_Comm user, const struct shunt_newcomer *with)
{
    const size_t place = shunt_comm_place(user);
    struct shunt_comm *comm = NULL;
    pthread_mutex_lock(&lock);
    if (!taken[place]) {
        taken[place] = true;
        comm = at(place);
        memset((void *)comm, 0, LINE);
        comm->user = user;
        comm->rank = with->rank;
        comm->size = with->size;
        comm->state = SHUNT_STATE_NEWCOMER;
        comm->idle_granted = with->granted;
        comm->idle_calls = with->left;
        comm->quiet_to = -1;
    }
    pthread_mutex_unlock(&lock);
    return comm;
}

const struct shunt_comm *shunt_newcomers_leave(MPI_Comm user, struct shunt_newcomer *was)
{
    const size_t place = shunt_comm_place(user);
    pthread_mutex_lock(&lock);
    const struct shunt_comm *comm = find(user, place);
    if (comm) {
        *was =
            (struct shunt_newcomer){comm->rank, comm->size, comm->idle_granted, comm->idle_calls};
        taken[place] = false;
    }
    pthread_mutex_unlock(&lock);
    return comm;
}

void shunt_newcomers_forget_all(void)
{
    pthread_mutex_lock(&lock);
    memset(taken, 0, sizeof taken);
    pthread_mutex_unlock(&lock);
}
