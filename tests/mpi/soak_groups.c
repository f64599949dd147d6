/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_groups.c: communicators that come and go, made in every way that gives an intracommunicator.
 */
#include <stdlib.h>

#include "exchange.h"
#include "pairwise.h"
#include "soak.h"

enum kind { DUP, IDUP, SPLIT, SPLIT_SOME, REVERSED, NODES, SUBSET, SUBSET_ALONE, GRID, KINDS };

int soak_roll(struct soak_thread *thread, int sides)
{
    thread->dice = pairwise_hash(thread->dice);
    return (int)((thread->dice >> 16) % (uint64_t)sides);
}

/* Every rank of `from` draws for itself, alike on all that know its number there. */
static int draw(uint64_t salt, int rank, int sides)
{
    return (int)(pairwise_hash(salt + (uint64_t)rank) % (uint64_t)sides);
}

/* The ranks that draw it, and rank 0: MPI_Comm_create on all ranks, or _group on the members. */
static MPI_Comm subset(MPI_Comm from, uint64_t salt, bool alone)
{
    int size, me, count = 0;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group all, some;

    MPI_Comm_size(from, &size);
    MPI_Comm_rank(from, &me);
    int *ranks = exchange_need((size_t)size * sizeof *ranks);
    for (int i = 0; i < size; i++)
        if (i == 0 || draw(salt, i, 3) > 0)
            ranks[count++] = i;
    MPI_Comm_group(from, &all);
    MPI_Group_incl(all, count, ranks, &some);
    if (!alone)
        MPI_Comm_create(from, some, &made);
    else if (me == 0 || draw(salt, me, 3) > 0)
        MPI_Comm_create_group(from, some, (int)(salt % 1000), &made);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    free(ranks);
    return made;
}

static MPI_Comm split(MPI_Comm from, uint64_t salt, enum kind kind, int *colour)
{
    int me;
    MPI_Comm made;

    MPI_Comm_rank(from, &me);
    *colour = kind == REVERSED ? 0 : draw(salt, me, kind == SPLIT ? 2 : 3);
    if (kind == SPLIT_SOME && *colour == 2)
        *colour = MPI_UNDEFINED;
    MPI_Comm_split(from, *colour, kind == REVERSED ? -me : draw(salt + 99, me, 100), &made);
    return made;
}

static MPI_Comm grid(MPI_Comm from)
{
    int size, shape[2] = {0, 0};
    MPI_Comm made;

    MPI_Comm_size(from, &size);
    MPI_Dims_create(size, 2, shape);
    MPI_Cart_create(from, 2, shape, (int[]){1, 0}, 1, &made);
    return made;
}

static MPI_Comm duplicate(MPI_Comm from, bool nonblocking)
{
    MPI_Comm made;

    if (nonblocking) {
        MPI_Request request;

        MPI_Comm_idup(from, &made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Comm_dup(from, &made);
    }
    return made;
}

void soak_make(struct soak_thread *thread, struct soak_slot *slot)
{
    const int base = soak_roll(thread, 2 * SOAK_SLOTS); /* every second one is out of the parent */
    const enum kind kind = (enum kind)soak_roll(thread, KINDS);
    const bool nested = base < SOAK_SLOTS && thread->slots[base].used;
    const MPI_Comm from = nested ? thread->slots[base].comm : thread->parent;
    const uint64_t salt = pairwise_hash(thread->dice);
    int colour = 0;

    slot->used = true;
    slot->comm = MPI_COMM_NULL;
    if (from == MPI_COMM_NULL)
        return;
    switch (kind) {
    case DUP:
    case IDUP:
        slot->comm = duplicate(from, kind == IDUP);
        break;
    case NODES:
        MPI_Comm_split_type(from, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &slot->comm);
        break;
    case SUBSET:
    case SUBSET_ALONE:
        slot->comm = subset(from, salt, kind == SUBSET_ALONE);
        break;
    case GRID:
        slot->comm = grid(from);
        break;
    default:
        slot->comm = split(from, salt, kind, &colour);
    }
    slot->colour =
        pairwise_hash((nested ? thread->slots[base].colour : 0) + (uint64_t)(colour + 7));
    if (slot->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_set_errhandler(slot->comm, MPI_ERRORS_RETURN);
    thread->counts.communicators++;
}

void soak_free(struct soak_thread *thread, struct soak_slot *slot)
{
    (void)thread;
    if (slot->used && slot->comm != MPI_COMM_NULL)
        MPI_Comm_free(&slot->comm);
    slot->used = false;
}

void soak_free_all(struct soak_thread *thread)
{
    for (int i = 0; i < SOAK_SLOTS; i++)
        soak_free(thread, &thread->slots[i]);
}
