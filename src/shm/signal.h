/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal.h: waiting of processes for one another in memory that they share (futexes, where they
 * sleep). No MPI: whoever waits says what is to be done meanwhile.
 *
 * A rank that waits keeps MPI progressing (an earlier nonblocking operation of the application may
 * need it), yields the processor when ranks outnumber processors, and then sleeps in the kernel for
 * short times.
 */
#ifndef SHUNT_SHM_SIGNAL_H
#define SHUNT_SHM_SIGNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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
        asleep_until; /* barrier before which those who wait sleep at once, see signal.c */
};

/*
 * A signal goes on to a later barrier only when every rank has stopped waiting for this one; but a
 * rank that leaves the communicator raises its signals one barrier ahead, when a neighbour may
 * still be waiting for the last one. (Two values and no more: so it is safe when the number of
 * barriers wraps around between two uses of a signal.)
 */
static inline bool shunt_signal_reached(const struct shunt_signal *signal, uint32_t value)
{
    return atomic_load_explicit(&signal->value, memory_order_acquire) - value <= 1;
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

#endif
