/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leave.c: for programs that run over UCX's TCP transport (scripts/testbed); to be preloaded, never
 * installed.
 *
 * At the end of MPI each rank of MPICH 4.0 closes its endpoints, waits until each has told its
 * partner, and then waits in the launcher's barrier, where it answers nobody any more. Over TCP a
 * rank that is late waits for an answer for ever: a job of four ranks on two hosts hung in every
 * fourth run. Here endpoints are left open, and go with their worker after the barrier. What is on
 * its way is pushed out first.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Polls in a row that bring nothing before all is taken to be sent. */
#define QUIET 200

typedef unsigned progress_function(void *worker);

/* As in ucp/api/ucp.h and ucp_compat.h, which tests need not have. */
__attribute__((visibility("default"))) progress_function ucp_worker_progress;
__attribute__((visibility("default"))) void *ucp_disconnect_nb(void *endpoint);

/* MPI is used by one thread in the programs this is for. */
static void *last_worker;

unsigned ucp_worker_progress(void *worker)
{
    static progress_function *real;
    if (!real) {
        void *symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
        memcpy(&real, &symbol, sizeof(real));
    }
    last_worker = worker;
    return real ? real(worker) : 0;
}

/* NULL means done. */
void *ucp_disconnect_nb(void *endpoint)
{
    static bool pushed;
    (void)endpoint;
    for (int quiet = 0; !pushed && last_worker && quiet < QUIET; quiet++) {
        if (ucp_worker_progress(last_worker) > 0)
            quiet = 0;
        sched_yield();
    }
    pushed = true;
    return NULL;
}
