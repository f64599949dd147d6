/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c: memory of communicators' states, and which of them have ended. */
#include "communicator/states.h"

#include <pthread.h>
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

/* The states that were released last, each at the place that its epoch gives it. */
static const struct shunt_comm *released[SHUNT_COMM_RELEASES];
static pthread_mutex_t release_lock = PTHREAD_MUTEX_INITIALIZER;

void shunt_states_advance(const struct shunt_comm *comm)
{
    pthread_mutex_lock(&release_lock);
    released[atomic_load(&shunt_comm_epoch) % SHUNT_COMM_RELEASES] = comm;
    atomic_fetch_add(&shunt_comm_epoch, 1);
    pthread_mutex_unlock(&release_lock);
}

bool shunt_comm_lives(const struct shunt_comm *comm, unsigned long epoch)
{
    if (atomic_load(&shunt_comm_epoch) == epoch)
        return true;
    pthread_mutex_lock(&release_lock);
    const unsigned long now = atomic_load(&shunt_comm_epoch);
    bool lives = now - epoch <= SHUNT_COMM_RELEASES;
    for (unsigned long e = epoch; lives && e != now; e++)
        lives = released[e % SHUNT_COMM_RELEASES] != comm;
    pthread_mutex_unlock(&release_lock);
    return lives;
}

/*
 * Memory of states that have ended, for the next ones. It is not given back: while the library
 * calls the delete callbacks of a communicator, it still finds the attributes that are gone.
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

struct shunt_comm *shunt_state_new(void)
{
    enum { LINE = 64 };
    struct shunt_comm *comm = take_ended();
    if (!comm)
        comm = aligned_alloc(LINE, (sizeof *comm + LINE - 1) / LINE * LINE);
    if (comm)
        memset(comm, 0, sizeof *comm);
    for (int i = 0; !comm && i < SPARES; i++) {
        if (!atomic_exchange(&spare_taken[i], true)) {
            comm = &spares[i];
            *comm = (struct shunt_comm){.failed = true};
        }
    }
    return comm;
}

void shunt_state_free(struct shunt_comm *comm)
{
    comm->state = SHUNT_STATE_ENDED;
    if (comm >= spares && comm < spares + SPARES)
        atomic_store(&spare_taken[comm - spares], false);
    else
        give_ended(comm);
}
