/* SPDX-License-Identifier: BSD-3-Clause */
#include "communicator/tags.h"

#include <pthread.h>

/* Communicators with a place of their own; all others of the process have one in common. */
enum { PLACES = 4096, SHARED_PLACE = PLACES };

static pthread_mutex_t place_lock = PTHREAD_MUTEX_INITIALIZER; /* never held across a PMPI call */
static uint64_t places_taken[PLACES / 64];

/*
 * In turn: a place that was given back is taken again as late as possible, for other ranks may still be in their last call of the
 * communicator that had it.
 */
static int next_free(int places)
{
    static int last;
    for (int i = 1; i <= places; i++) {
        const int place = (last + i) % places;
        if (places_taken[place / 64] >> place % 64 & 1)
            continue;
        last = place;
        return place;
    }
    return -1;
}

bool shunt_process_take_place(struct shunt_comm *comm, const struct shunt_context *context)
{
    int places = PLACES;
    if (context && context->tag_places / context->size < places)
        places = context->tag_places / context->size;
    if (places < 1)
        places = 1;
    const bool threads = context && context->agreed.thread_level >= MPI_THREAD_MULTIPLE;
    pthread_mutex_lock(&place_lock);
    const int place = next_free(places);
    if (place >= 0)
        places_taken[place / 64] |= UINT64_C(1) << place % 64;
    pthread_mutex_unlock(&place_lock);
    comm->place = place >= 0 ? place : threads ? -1 : SHARED_PLACE;
    return comm->place >= 0;
}

void shunt_process_give_place(struct shunt_comm *comm)
{
    if (comm->rank != 0 || comm->place < 0 || comm->place >= PLACES)
        return;
    pthread_mutex_lock(&place_lock);
    places_taken[comm->place / 64] &= ~(UINT64_C(1) << comm->place % 64);
    pthread_mutex_unlock(&place_lock);
}
