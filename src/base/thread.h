/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h: memory of one thread each. Variables of threads are few bytes: a library that is opened
 * while a program runs gets what is left of a small reserve for them.
 */
#ifndef SHUNT_BASE_THREAD_H
#define SHUNT_BASE_THREAD_H

#include <stddef.h>

/*
 * Zeroed memory of this thread, which is given back when the thread ends; before that `forget` is
 * called there, so that nothing refers to it. NULL: no memory.
 */
void *shunt_thread_memory(size_t bytes, void (*forget)(void));

#endif
