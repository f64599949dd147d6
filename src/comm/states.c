/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c: memory of communicators' states, and which of them have ended. */
#include "comm/states.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Atomic unsigned long shunt_comm_epoch = 1;

/*
 * A rank whose memory is short must still answer the others when they set a communicator up, so
 * there are some states that need none. They stay native.
 */
enum { SPARES = 8 };
static struct shunt_comm spares[SPARES];
static atomic_bool spare_taken[SPARES];

void shunt_states_advance(void)
{
    atomic_fetch_add(&shunt_comm_epoch, 1);
}

/*
 * Memory of states that have ended, for the next ones. It is not given back: while the library
 * calls the delete callbacks of a communicator, it still finds the attributes that are gone, and a
 * call during which its communicator was freed looks at the turn.
 */
static struct shunt_comm *ended;
static pthread_mutex_t ended_lock = PTHREAD_MUTEX_INITIALIZER;

static struct shunt_comm *take_ended(void)
{
    pthread_mutex_lock(&ended_lock);
    struct shunt_comm *comm = ended;
    if (comm)
        ended = comm->next_ended;
    pthread_mutex_unlock(&ended_lock);
    return comm;
}

static void give_ended(struct shunt_comm *comm)
{
    pthread_mutex_lock(&ended_lock);
    comm->next_ended = ended;
    ended = comm;
    pthread_mutex_unlock(&ended_lock);
}

/* All but the turn, which a call of another thread may be looking at. */
static void clear(struct shunt_comm *comm)
{
    const size_t before = offsetof(struct shunt_comm, turn), after = before + sizeof comm->turn;
    memset(comm, 0, before);
    memset((char *)comm + after, 0, sizeof *comm - after);
}

struct shunt_comm *shunt_state_new(void)
{
    enum { LINE = 64 };
    struct shunt_comm *comm = take_ended();
    if (comm) {
        clear(comm);
        return comm;
    }
    comm = aligned_alloc(LINE, (sizeof *comm + LINE - 1) / LINE * LINE);
    if (comm) {
        memset(comm, 0, sizeof *comm);
        return comm;
    }
    for (int i = 0; i < SPARES; i++) {
        if (atomic_exchange(&spare_taken[i], true))
            continue;
        clear(&spares[i]);
        spares[i].warm.failed = true;
        return &spares[i];
    }
    return NULL;
}

void shunt_state_free(struct shunt_comm *comm)
{
    comm->state = SHUNT_STATE_ENDED;
    if (comm >= spares && comm < spares + SPARES)
        atomic_store(&spare_taken[comm - spares], false);
    else
        give_ended(comm);
}
