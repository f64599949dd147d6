/* SPDX-License-Identifier: BSD-3-Clause */
/* newcomers.c: see newcomers.h. */
#include "communicator/newcomers.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { LINE = 64, COUNT = 1024, NOBODY = -1 };
static_assert(offsetof(struct shunt_comm, calls) <= LINE, "what a newcomer has fits into a line");

/* Room for a whole state after the last one, for compilers that take it for one. */
static _Alignas(LINE) unsigned char lines[(size_t)COUNT * LINE + sizeof(struct shunt_comm)];
/* Those that were given back, as a list by their numbers, and those after `fresh`. */
static int next_free[COUNT], first_free = NOBODY, fresh;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take_line(void)
{
    int line = NOBODY;
    pthread_mutex_lock(&lock);
    if (first_free != NOBODY) {
        line = first_free;
        first_free = next_free[line];
    } else if (fresh < COUNT) {
        line = fresh++;
    }
    pthread_mutex_unlock(&lock);
    return line;
}

struct shunt_comm *shunt_newcomers_take(MPI_Comm user, int rank, int size, uint32_t calls)
{
    const int line = take_line();
    if (line == NOBODY)
        return NULL;
    struct shunt_comm *comm = (struct shunt_comm *)(void *)(lines + (size_t)line * LINE);
    memset((void *)comm, 0, LINE);
    comm->user = user;
    comm->rank = rank;
    comm->size = size;
    comm->state = SHUNT_STATE_NEWCOMER;
    comm->idle_granted = calls;
    comm->idle_calls = calls;
    comm->quiet_to = -1;
    return comm;
}

void shunt_newcomers_give(struct shunt_comm *newcomer)
{
    const int line = (int)(((unsigned char *)newcomer - lines) / LINE);
    newcomer->state = SHUNT_STATE_ENDED;
    pthread_mutex_lock(&lock);
    next_free[line] = first_free;
    first_free = line;
    pthread_mutex_unlock(&lock);
}
