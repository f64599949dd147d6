/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c: what time is charged to, and the watchdog. */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

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

/* Whether this rank speaks, once in the life of its process where no log is kept. */
static bool is_speaker(const struct shunt_comm *comm, int64_t waited, int64_t limit)
{
    static atomic_bool spoken;
    if (shunt_process_settings()->log != SHUNT_LOG_OFF)
        return true;
    return (comm->rank == 0 || (comm->rank == 1 && waited >= 2 * limit)) &&
           !atomic_exchange(&spoken, true);
}

static void report(struct shunt_comm *comm, int peer, int64_t waited)
{
    char partner[48] = "", host[64] = "";
    if (peer >= 0)
        snprintf(partner, sizeof partner, ", round %u, waiting for rank %d", comm->diag.round + 1,
                 peer);
    gethostname(host, sizeof host - 1);
    shunt_log_say("rank %d (process %ld on %s) has been waiting for %lld s in call %llu on "
                  "communicator %s of %d ranks (%s%s): has every rank made this call, and are "
                  "LD_PRELOAD and the SHUNT_ variables the same on every rank?",
                  comm->rank, (long)getpid(), host, (long long)((waited + SECOND / 2) / SECOND),
                  (unsigned long long)comm->calls, shunt_comm_describe(comm), comm->size,
                  comm->diag.doing, partner);
}

void shunt_watch_look(struct shunt_comm *comm, struct shunt_watch *watch, int peer)
{
    const int64_t limit = shunt_process_watchdog();
    if (limit <= 0 || (watch->said && !comm->diag.patient))
        return;
    if (watch->since == 0) {
        watch->since = shunt_now();
        return;
    }
    const int64_t waited = shunt_now() - watch->since;
    comm->diag.gave_up = comm->diag.patient && waited >= SHUNT_COMM_PATIENCE * limit;
    if (waited < limit || watch->said)
        return;
    const bool last = comm->rank != 1 || waited >= 2 * limit;
    if (is_speaker(comm, waited, limit))
        report(comm, peer, waited);
    watch->said = last || shunt_process_settings()->log != SHUNT_LOG_OFF;
}
