/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h: the lock of the log, taken such that the application sees nothing of it.
 *
 * Nobody waits for it for ever: a signal handler that interrupted its owner may be asking.
 */
#ifndef SHUNT_LOG_GUARD_H
#define SHUNT_LOG_GUARD_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arithmetic.h"

/* What must be as before for the application: write() is a cancellation point and sets errno. */
struct shunt_log_guard {
    int error, cancel;
    struct shunt_arithmetic arithmetic;
};

void shunt_log_guard_prepare(pthread_mutex_t *lock);

/* False: this thread holds the lock, or another one did for seconds. Otherwise leave. */
bool shunt_log_enter(pthread_mutex_t *lock, struct shunt_log_guard *guard);
void shunt_log_leave(pthread_mutex_t *lock, const struct shunt_log_guard *guard);

#endif
