/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "communicator/comm.h"
#include "log/log.h"

/* Polls between two looks at the clock, and polls before the processor is yielded. */
enum { POLLS_PER_CLOCK = 4096, POLLS_BEFORE_YIELD = 1 };

double shunt_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void shunt_stopwatch_turn(struct shunt_stopwatch *watch, enum shunt_phase next)
{
    const double now = shunt_clock();
    watch->seconds[watch->now] += now - watch->since;
    watch->since = now;
    watch->now = next;
}

static void report(struct shunt_comm *comm, int peer, double seconds)
{
    char partner[48] = "";
    if (peer >= 0)
        snprintf(partner, sizeof partner, ", round %u, waiting for rank %d", comm->round + 1, peer);
    shunt_log_say(
        "rank %d has been waiting for %.0f s in call %llu on communicator %s of %d ranks (%s%s): has every rank made this call, and "
        "is LD_PRELOAD set on every rank?",
        comm->rank, seconds, (unsigned long long)comm->calls, shunt_comm_describe(comm), comm->size, comm->doing, partner);
}

void shunt_watch_look(struct shunt_comm *comm, struct shunt_watch *watch, int peer)
{
    const double limit = shunt_process_settings()->watchdog;
    if (limit <= 0 || watch->said)
        return;
    if (watch->since == 0.0) {
        watch->since = shunt_clock();
        return;
    }
    const double waited = shunt_clock() - watch->since;
    if (waited >= limit) {
        watch->said = true;
        report(comm, peer, waited);
    }
}

static int wait_one(struct shunt_comm *comm, MPI_Request *request, int peer, unsigned long *looks, struct shunt_watch *watch)
{
    int done = 0;
    for (unsigned long polls = 1;; polls++) {
        const int status = shunt_pmpi.Test(request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || done)
            return status;
        if (comm->oversubscribed && polls % POLLS_BEFORE_YIELD == 0)
            sched_yield();
        if (++*looks % POLLS_PER_CLOCK == 0)
            shunt_watch_look(comm, watch, peer);
    }
}

int shunt_wait_all(struct shunt_comm *comm, int count, MPI_Request *requests, const int *peers)
{
    struct shunt_watch watch = {0};
    unsigned long looks = 0;
    int first = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        const int status = wait_one(comm, &requests[i], peers ? peers[i] : -1, &looks, &watch);
        if (first == MPI_SUCCESS)
            first = status;
    }
    return first;
}
