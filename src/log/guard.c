/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c: the lock of the log. */
#include "log/guard.h"

#include <errno.h>
#include <time.h>

/* Seconds: longer than a full pipe may hold up a write. */
enum { PATIENCE = 3 };

void shunt_log_guard_prepare(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* The check for the own thread has gaps of a few instructions within the lock's own functions: then
 * the time limit helps. */
static bool take(pthread_mutex_t *lock)
{
    struct timespec limit;
    if (pthread_mutex_trylock(lock) == 0)
        return true;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += PATIENCE;
    return pthread_mutex_timedlock(lock, &limit) == 0;
}

bool shunt_log_enter(pthread_mutex_t *lock, struct shunt_log_guard *guard)
{
    guard->error = errno;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
    if (take(lock)) {
        shunt_arithmetic_enter(&guard->arithmetic);
        return true;
    }
    pthread_setcancelstate(guard->cancel, &guard->cancel);
    errno = guard->error;
    return false;
}

void shunt_log_leave(pthread_mutex_t *lock, const struct shunt_log_guard *guard)
{
    int ignored;
    shunt_arithmetic_leave(&guard->arithmetic);
    pthread_mutex_unlock(lock);
    pthread_setcancelstate(guard->cancel, &ignored);
    errno = guard->error;
}
