/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry.h: what entry points share. Only MPI_ symbols leave the library (see libshunt.map).
 */
#ifndef SHUNT_INTERCEPT_ENTRY_H
#define SHUNT_INTERCEPT_ENTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pmpi/pmpi.h"

#define SHUNT_EXPORT __attribute__((visibility("default")))
#define SHUNT_COLD __attribute__((noinline))
#define SHUNT_NAMED(symbol) __asm__(symbol)

/* One argument, as it comes in a register or a stack slot. */
typedef uintptr_t word;

/* What an entry point returns when the library lacks the function: MPICH's MPI_ERR_OTHER, an error
 * in every library. */
enum { SHUNT_NO_FUNCTION = 15 };

/* Set once an MPICH-ABI library was found. */
extern atomic_bool shunt_entry_known;
bool shunt_entry_find(void *caller);

/* Whether shunt_pmpi may be used; the library is looked for at the first call. */
static inline bool shunt_entry_ready(void *caller)
{
    return atomic_load_explicit(&shunt_entry_known, memory_order_acquire) ||
           shunt_entry_find(caller);
}

#endif
