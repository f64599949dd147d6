/* SPDX-License-Identifier: BSD-3-Clause */
/* clockwork.c: to be preloaded: each process has a monotonic clock of its own, which goes on by a
 * microsecond when it is asked and by what dawdle.h tells it. Decisions that rest on times are then
 * the same on a busy machine as on an idle one. */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { STEP = 1000 };
static const long long second = 1000000000;
static atomic_llong now = 1000000000000;

EXPORT void clockwork_pass(long long nanoseconds);

EXPORT void clockwork_pass(long long nanoseconds)
{
    atomic_fetch_add(&now, nanoseconds);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, time);
    const long long at = atomic_fetch_add(&now, STEP) + STEP;
    *time = (struct timespec){.tv_sec = (time_t)(at / second), .tv_nsec = (long)(at % second)};
    return 0;
}
