/* SPDX-License-Identifier: BSD-3-Clause */
/* newcomers.c: see newcomers.h. */
#include "communicator/newcomers.h"

#include <assert.h>

static_assert(sizeof(MPI_Comm) > sizeof(int) || SHUNT_NEWCOMER_BYTES == 64,
              "what a newcomer has fits into a line");

_Alignas(SHUNT_NEWCOMER_BYTES) unsigned char shunt_newcomers[(size_t)SHUNT_COMM_PLACES *
                                                                 SHUNT_NEWCOMER_BYTES +
                                                             sizeof(struct shunt_comm)];

struct shunt_comm *shunt_newcomers_find(MPI_Comm user)
{
    struct shunt_comm *comm = shunt_newcomers_at(user);
    return user && __atomic_load_n(&comm->user, __ATOMIC_ACQUIRE) == user ? comm : NULL;
}

struct shunt_comm *shunt_newcomers_take(MPI_Comm user, int size, uint32_t calls)
{
    struct shunt_comm *comm = shunt_newcomers_at(user);
    MPI_Comm nobody = 0;
    if (!__atomic_compare_exchange_n(&comm->user, &nobody, user, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return NULL;
    comm->size = size;
    comm->state = SHUNT_STATE_NEWCOMER;
    comm->idle_granted = calls;
    comm->idle_calls = calls;
    comm->looked = false;
    comm->look_left = 0;
    comm->more_units = 0;
    comm->quiet_to = -1;
    return comm;
}

void shunt_newcomers_give(struct shunt_comm *newcomer)
{
    newcomer->state = SHUNT_STATE_ENDED;
    newcomer->idle_calls = 0;
    newcomer->turn++;
    __atomic_store_n(&newcomer->seen_as, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&newcomer->user, 0, __ATOMIC_RELEASE);
}

static struct shunt_comm *at_place(size_t place)
{
    return (struct shunt_comm *)(void *)(shunt_newcomers + place * SHUNT_NEWCOMER_BYTES);
}

void shunt_newcomers_unsee_all(void)
{
    for (size_t place = 0; place < SHUNT_COMM_PLACES; place++)
        if (__atomic_load_n(&at_place(place)->seen_as, __ATOMIC_RELAXED))
            __atomic_store_n(&at_place(place)->seen_as, 0, __ATOMIC_RELAXED);
}

void shunt_newcomers_forget_all(void)
{
    for (size_t place = 0; place < SHUNT_COMM_PLACES; place++)
        if (__atomic_load_n(&at_place(place)->user, __ATOMIC_RELAXED))
            shunt_newcomers_give(at_place(place));
}
