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

/*
 * After how many times the limit this rank says that it waits; 0: it does not. Without a log few
 * say it, once in the life of their process: rank 0, rank 1 later, for rank 0 may be the one that
 * is missing, and still later some of those that wait for a message, for all others may be waiting
 * for them.
 */
static int64_t patience(const struct shunt_comm *comm, int peer)
{
    enum { SPEAKERS = 8 };
    if (comm->rank == 0 || shunt_process_settings()->log != SHUNT_LOG_OFF)
        return 1;
    if (comm->rank == 1)
        return 2;
    return peer >= 0 && comm->rank % (comm->size / SPEAKERS + 1) == 0 ? 3 : 0;
}

static bool is_first(void)
{
    static atomic_bool spoken;
    return shunt_process_settings()->log != SHUNT_LOG_OFF || !atomic_exchange(&spoken, true);
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
    const int64_t times = patience(comm, peer);
    if (watch->said || waited < times * limit)
        return;
    watch->said = true;
    if (times > 0 && is_first())
        report(comm, peer, waited);
}
