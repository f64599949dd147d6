/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yield.c: libshuntyield.so, for tests and measurements with more ranks than cores; to be preloaded
 * after libshunt.so. Installed beside shunt-table.so.
 *
 * MPICH 4 over UCX polls without ever giving up the processor: a rank that waits burns the time
 * slice of the rank it waits for, and a small exchange of 16 ranks on two cores takes 50 ms. Here a
 * rank yields after a few polls in a row that brought nothing. MPICH 5 and Open MPI need none: the
 * one yields by itself, the other has a setting (OMPI_MCA_mpi_yield_when_idle=1).
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* Polls without an event before the processor is given up: enough for a message that is already
 * under way between two cores. */
#define PATIENCE 20

typedef unsigned progress_function(void *worker);

/* As in ucp/api/ucp.h, which a build need not have. */
__attribute__((visibility("default"))) progress_function ucp_worker_progress;

static progress_function *find(void)
{
    progress_function *function = NULL;
    void *symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (!symbol) {
        /* libmpich and what it needs were loaded with RTLD_LOCAL: not in our scope. The handle is
         * kept: UCX must not go away under us. */
        void *library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
        if (library)
            symbol = dlsym(library, "ucp_worker_progress");
    }
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

unsigned ucp_worker_progress(void *worker)
{
    static progress_function *_Atomic real;
    static _Thread_local int idle;
    progress_function *function = atomic_load_explicit(&real, memory_order_relaxed);
    if (!function) {
        function = find();
        atomic_store_explicit(&real, function, memory_order_relaxed);
    }
    const unsigned events = function ? function(worker) : 0;
    if (events > 0) {
        idle = 0;
    } else if (++idle >= PATIENCE) {
        idle = 0;
        sched_yield();
    }
    return events;
}
