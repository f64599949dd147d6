/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * passthrough.c: relatives of the routed operations. They are counted for the summary, so that a
 * user sees what is not routed, and passed on.
 */
#include <stdatomic.h>

#include "intercept/entry.h"
#include "log/log.h"
#include "pmpi/pmpi.h"
#include "process/process.h"

/* The library's function `name` (with its P); counts the call when a log is kept. Each caller
 * remembers the result. */
static void *passed(const char *name, _Atomic(void *) *function)
{
    void *found = atomic_load_explicit(function, memory_order_acquire);
    if (!found) {
        found = shunt_pmpi_symbol(name);
        atomic_store_explicit(function, found, memory_order_release);
    }
    if (shunt_process_settings()->log != SHUNT_LOG_OFF)
        shunt_log_passed(name + 1);
    return found;
}

#define PASS(name, n)                                                                              \
    int shunt_entry_##name SHUNT_LIST##n                                                           \
    {                                                                                              \
        static _Atomic(void *) remembered;                                                         \
        int(*function) SHUNT_TYPES##n = NULL;                                                      \
        *(void **)&function = passed("P" #name, &remembered);                                      \
        return function ? function SHUNT_VALUES##n : SHUNT_NO_FUNCTION;                            \
    }
SHUNT_PASSED(PASS)
