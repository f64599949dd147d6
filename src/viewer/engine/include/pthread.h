/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pthread.h: locks for a program of one thread, which is what WebAssembly runs here: nothing to
 * wait for. wasi-libc has none. Found instead of a system header by the build of the engine alone.
 */
#ifndef SHUNT_VIEWER_ENGINE_PTHREAD_H
#define SHUNT_VIEWER_ENGINE_PTHREAD_H

typedef char pthread_mutex_t;

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes)
{
    (void)attributes;
    *lock = 0;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

#endif
