/* SPDX-License-Identifier: BSD-3-Clause */
/* tags.c: which tags of a shared team belong to which communicator. */
#include "comm/tags.h"

#include <pthread.h>

/* Communicators with a place of their own; all others of the process have one in common. */
enum { TAG_INDICES = 4096, SHARED_INDEX = TAG_INDICES };

static pthread_mutex_t tag_lock = PTHREAD_MUTEX_INITIALIZER; /* never held across a PMPI call */
static uint64_t taken[TAG_INDICES / 64];

/*
 * In turn: a place that was given back is taken again as late as possible, for other ranks may
 * still be in their last call of the communicator that had it.
 */
static int next_free(int ranges)
{
    static int last;
    for (int i = 1; i <= ranges; i++) {
        const int tag_index = (last + i) % ranges;
        if (taken[tag_index / 64] >> tag_index % 64 & 1)
            continue;
        last = tag_index;
        return tag_index;
    }
    return -1;
}

bool shunt_tags_take(struct shunt_comm *comm, const struct shunt_team *team)
{
    int ranges = TAG_INDICES;
    if (team && team->tag_ranges / team->size < ranges)
        ranges = team->tag_ranges / team->size;
    if (ranges < 1)
        ranges = 1;
    const bool threads = team && team->agreed.thread_level >= MPI_THREAD_MULTIPLE;
    pthread_mutex_lock(&tag_lock);
    const int tag_index = next_free(ranges);
    if (tag_index >= 0)
        taken[tag_index / 64] |= UINT64_C(1) << tag_index % 64;
    pthread_mutex_unlock(&tag_lock);
    comm->tag_index = tag_index >= 0 ? tag_index : threads ? -1 : SHARED_INDEX;
    return comm->tag_index >= 0;
}

void shunt_tags_release(struct shunt_comm *comm)
{
    if (comm->rank != 0 || comm->tag_index < 0 || comm->tag_index >= TAG_INDICES)
        return;
    pthread_mutex_lock(&tag_lock);
    taken[comm->tag_index / 64] &= ~(UINT64_C(1) << comm->tag_index % 64);
    pthread_mutex_unlock(&tag_lock);
}
