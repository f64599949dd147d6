/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier.h: signals and barriers of processes in memory that they share. No MPI: whoever waits
 * says what is to be done meanwhile.
 *
 * A rank that waits keeps MPI progressing (an earlier nonblocking operation of the application may
 * need it), yields the processor when ranks outnumber processors, and then sleeps in the kernel for
 * short times.
 */
#ifndef SHUNT_SHM_BARRIER_H
#define SHUNT_SHM_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shm/agreement.h"

enum { SHUNT_CACHE_LINE = 64 };

/* For the watchdog of one wait: see struct shunt_waiter. All 0 at its beginning. */
struct shunt_watch {
    int64_t since; /* nanoseconds; 0: nobody has looked at the clock */
    bool said;
};

enum { SHUNT_YIELDS_UNIT = 1 << 16 };

/* How one rank waits. */
struct shunt_waiter {
    bool oversubscribed; /* more ranks on the node than processors: yield while waiting */
    uint32_t spins;      /* polls before a wait yields */
    uint32_t yields;     /* how many yields a wait has taken of late, times SHUNT_YIELDS_UNIT */
    void (*progress)(void *who); /* called now and then; NULL: there is nothing to do */
    void (*look)(void *who,
                 struct shunt_watch *watch); /* called in long waits; NULL: nobody watches */
    void *who;                               /* for both; belongs to the caller */
};

/* Number of the last barrier for which something was done, and how many sleep until it is. In a
 * line of the processor's cache where nothing else is written. */
struct shunt_signal {
    _Atomic uint32_t value;
    _Atomic uint32_t sleepers;
    _Atomic uint32_t
        asleep_until; /* barrier before which those who wait sleep at once, see barrier.c */
};

/*
 * Equality is enough: a signal goes on to a later barrier only when every rank has arrived there,
 * and so has stopped waiting for this one. (And it is safe when the number of barriers wraps around
 * between two uses of a signal.)
 */
static inline bool shunt_signal_reached(const struct shunt_signal *signal, uint32_t value)
{
    return atomic_load_explicit(&signal->value, memory_order_acquire) == value;
}

static inline bool shunt_signal_passed(const struct shunt_signal *signal, uint32_t value)
{
    return (int32_t)(atomic_load_explicit(&signal->value, memory_order_acquire) - value) >= 0;
}

void shunt_signal_raise(struct shunt_signal *signal, uint32_t value);
/* Waits until the signal has this value. */
void shunt_signal_wait(struct shunt_waiter *waiter, struct shunt_signal *signal, uint32_t value);
/* Likewise for what is waited for rarely, until this value or a later one: a mark costs less, for
 * nobody sleeps. */
void shunt_signal_mark(struct shunt_signal *signal, uint32_t value);
void shunt_signal_wait_mark(struct shunt_waiter *waiter, struct shunt_signal *signal,
                            uint32_t value);

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
