/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal.c: waiting in shared memory: the only place where a rank waits for a neighbour. A program
 * that runs ranks in another way (scripts/simulate.d) has this file written anew.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "shm/signal.h"

/*
 * Waiting with a processor for every rank: spin, and yield after some microseconds: another program
 * may have one of the processors, or the system may have put two ranks on one. Where a signal comes
 * with a yield, the next waits spin less before they yield, and more again where it comes without.
 */
enum { POLLS_PER_PROGRESS = 64, SPINS_MOST = 512, SPINS_LEAST = 16 };

/*
 * Waiting with more ranks than processors: yield, then sleep. A yield is cheap where it brings the
 * next rank to the processor; it does not where every rank has a scheduling group of its own
 * (Linux' autogroups: launchers start a session per rank), or where a rank computes for long. Then
 * waits take many yields, in which the ranks that work wait for those that do not, and the ranks of
 * the node better sleep at once: all of them, for ranks that yield are in the way of those that
 * sleep. So one rank decides for all, for some barriers; then yields have another chance.
 *
 * The first nap is long because timers that expire soon are expensive to set.
 */
enum { NAP_FIRST_NS = 8000000, NAP_NS = 1000000, POLLS_PER_NAP = 16 };
enum { YIELDS_MOST = 16, BARRIERS_ASLEEP = 256 };
enum {
    YIELDS_TOO_MANY = 12 * SHUNT_YIELDS_UNIT,
    YIELDS_AFRESH = 8 * SHUNT_YIELDS_UNIT,
    YIELDS_KEPT = 16 /* waits that the running average is of, about */
};

void shunt_signal_raise(struct shunt_signal *signal, uint32_t value)
{
    atomic_store(&signal->value, value); /* sequentially consistent: a sleeper counts itself before
                                            its last look at the value */
    if (atomic_load(&signal->sleepers) != 0)
        syscall(SYS_futex, &signal->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Returns whether the time passed without the signal. */
static bool sleep_a_little(struct shunt_signal *signal, uint32_t value, long nanoseconds)
{
    const struct timespec time = {.tv_sec = 0, .tv_nsec = nanoseconds};
    atomic_fetch_add(&signal->sleepers, 1);
    const uint32_t seen = atomic_load(&signal->value);
    if (seen - value > 1)
        syscall(SYS_futex, &signal->value, FUTEX_WAIT, seen, &time, NULL, 0);
    atomic_fetch_sub(&signal->sleepers, 1);
    return !shunt_signal_reached(signal, value);
}

static void make_progress(const struct shunt_waiter *waiter)
{
    if (waiter->progress)
        waiter->progress(waiter->who);
}

static void look(const struct shunt_waiter *waiter, struct shunt_watch *watch)
{
    if (waiter->look)
        waiter->look(waiter->who, watch);
}

static inline void pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool sleeps_at_once(const struct shunt_signal *signal, uint32_t value)
{
    return atomic_load_explicit(&signal->asleep_until, memory_order_relaxed) - value - 1 <
           BARRIERS_ASLEEP;
}

/* Returns whether the signal came. */
static bool yield_awhile(struct shunt_waiter *waiter, struct shunt_signal *signal, uint32_t value)
{
    uint32_t *average = &waiter->yields, yields = 0;
    bool came = false;
    if (sleeps_at_once(signal, value))
        return false;
    while (!came && yields < YIELDS_MOST) {
        sched_yield();
        yields++;
        came = shunt_signal_reached(signal, value);
    }
    *average += yields * (SHUNT_YIELDS_UNIT / YIELDS_KEPT) - *average / YIELDS_KEPT;
    if (*average > YIELDS_TOO_MANY) {
        *average = YIELDS_AFRESH;
        atomic_store_explicit(&signal->asleep_until, value + 1 + BARRIERS_ASLEEP,
                              memory_order_relaxed);
    }
    return came;
}

static void wait_oversubscribed(struct shunt_waiter *waiter, struct shunt_signal *signal,
                                uint32_t value)
{
    struct shunt_watch watch = {0};
    if (yield_awhile(waiter, signal, value))
        return;
    make_progress(waiter); /* of messages that left the library unfinished, before nobody looks
                              after them for a while */
    if (shunt_signal_reached(signal, value))
        return;
    for (long nap = NAP_FIRST_NS; sleep_a_little(signal, value, nap); nap = NAP_NS) {
        /* A long wait: perhaps the neighbour needs a message of ours first. */
        for (int polls = 0; polls < POLLS_PER_NAP; polls++)
            make_progress(waiter);
        look(waiter, &watch);
    }
}

static void wait_alone(struct shunt_waiter *waiter, struct shunt_signal *signal, uint32_t value)
{
    struct shunt_watch watch = {0};
    uint32_t *spins = &waiter->spins, left = *spins;
    for (unsigned long polls = 1; !shunt_signal_reached(signal, value); polls++) {
        pause_processor();
        if (polls % POLLS_PER_PROGRESS == 0)
            make_progress(waiter);
        if (left-- > 0)
            continue;
        sched_yield();
        if (shunt_signal_reached(signal, value)) {
            *spins = *spins > SPINS_LEAST ? *spins / 2 : SPINS_LEAST;
            return;
        }
        look(waiter, &watch);
        left = *spins;
    }
    *spins = *spins < SPINS_MOST ? *spins + *spins / 8 + 1 : SPINS_MOST;
}

void shunt_signal_wait(struct shunt_waiter *waiter, struct shunt_signal *signal, uint32_t value)
{
    if (shunt_signal_reached(signal, value))
        return;
    if (waiter->oversubscribed)
        wait_oversubscribed(waiter, signal, value);
    else
        wait_alone(waiter, signal, value);
}

void shunt_signal_mark(struct shunt_signal *signal, uint32_t value)
{
    atomic_store_explicit(&signal->value, value, memory_order_release);
}

void shunt_signal_wait_mark(struct shunt_waiter *waiter, struct shunt_signal *signal,
                            uint32_t value)
{
    struct shunt_watch watch = {0};
    while (!shunt_signal_passed(signal, value)) {
        make_progress(waiter);
        sched_yield();
        look(waiter, &watch);
    }
}
