/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.h: barriers of processes in memory that they share, which combine some values. */
#ifndef SHUNT_SHM_BARRIER_H
#define SHUNT_SHM_BARRIER_H

#include "shm/agreement.h"
#include "shm/signal.h"

/*
 * Places for the values of a barrier are used in turn. The last rank to arrive at barrier k clears
 * the place of k + 2, which barrier k - 2 used: everybody has left that one, for everybody has
 * arrived at k.
 */
enum { SHUNT_BARRIER_SLOTS = 4 };

/*
 * Ranks that have arrived and blocks that are not empty are counted together, for one addition
 * costs as much as the next: a node has fewer than 2^20 ranks, which have fewer than 2^44 blocks.
 */
enum { SHUNT_BARRIER_BLOCK_BITS = 44 };

struct shunt_barrier_slot {
    _Alignas(SHUNT_CACHE_LINE) _Atomic uint64_t arrived;
    _Atomic int64_t largest;
    _Atomic uint64_t total, checksum, flags;
};

/* All 0 at the beginning. Barriers are numbered from 1, and every rank takes part in every one of
 * them in order. */
struct shunt_barrier {
    struct shunt_barrier_slot slots[SHUNT_BARRIER_SLOTS];
    /* number of the last barrier at which all have arrived */
    _Alignas(SHUNT_CACHE_LINE) struct shunt_signal opened;
};

/*
 * A flat barrier, for few ranks with a processor each: no counter that they take turns to add to.
 * Each says in a place of its own that it has arrived and what its values are, and looks at the
 * places of the others. Barriers with odd and even numbers have one each: who arrives at k + 2
 * knows that everybody has arrived at k + 1, and so has left k. All 0 at the beginning.
 */
enum { SHUNT_FLAT_MOST = 16 };

struct shunt_flat_place {
    struct {
        _Alignas(SHUNT_CACHE_LINE) struct shunt_signal arrived;
        struct shunt_agreement values;
    } at[2];
};

/* Nobody sleeps who waits for it: no waiter is oversubscribed. */
void shunt_flat_arrive(struct shunt_flat_place *place, uint32_t number,
                       const struct shunt_agreement *mine);
/* Waits until the rank whose place this is has arrived; adds its values to *all, if not NULL. */
void shunt_flat_wait(struct shunt_flat_place *place, uint32_t number, struct shunt_waiter *waiter,
                     struct shunt_agreement *all);

/* Arrives at barrier `number` of `ranks` ranks, adding this rank's values: one atomic addition and
 * those that values need. Does not wait.
 */
void shunt_barrier_arrive(struct shunt_barrier *barrier, uint32_t number, int ranks,
                          const struct shunt_agreement *mine);
/* Waits until all have arrived at `number` (the latest one); *all receives their values combined,
 * if not NULL. */
void shunt_barrier_wait(struct shunt_barrier *barrier, uint32_t number, struct shunt_waiter *waiter,
                        struct shunt_agreement *all);

#endif
