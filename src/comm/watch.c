/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c: what time is charged to, and the watchdog. */
#include <stdio.h>

#include "base/clock.h"
#include "comm/wait.h"
#include "log/log.h"
#include "process/process.h"

enum { SECOND = 1000000000 };

void shunt_stopwatch_turn(struct shunt_stopwatch *watch, enum shunt_phase next)
{
    const int64_t now = shunt_now();
    watch->nanoseconds[watch->now] += now - watch->since;
    watch->since = now;
    watch->now = next;
}

static void report(struct shunt_comm *comm, int peer, int64_t waited)
{
    char partner[48] = "";
    if (peer >= 0)
        snprintf(partner, sizeof partner, ", round %u, waiting for rank %d", comm->diag.round + 1,
                 peer);
    shunt_log_say("rank %d has been waiting for %lld s in call %llu on communicator %s of %d ranks "
                  "(%s%s): has every rank made this call, and "
                  "are LD_PRELOAD and the SHUNT_ variables the same on every rank?",
                  comm->rank, (long long)((waited + SECOND / 2) / SECOND),
                  (unsigned long long)comm->calls, shunt_comm_describe(comm), comm->size,
                  comm->diag.doing, partner);
}

void shunt_watch_look(struct shunt_comm *comm, struct shunt_watch *watch, int peer)
{
    const int64_t limit = shunt_process_watchdog();
    if (limit <= 0 || watch->said)
        return;
    if (watch->since == 0) {
        watch->since = shunt_now();
        return;
    }
    const int64_t waited = shunt_now() - watch->since;
    if (waited >= limit) {
        watch->said = true;
        report(comm, peer, waited);
    }
}
