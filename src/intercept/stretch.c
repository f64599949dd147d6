/* SPDX-License-Identifier: BSD-3-Clause */
/* stretch.c: see stretch.h. */
#include "intercept/stretch.h"

#include "communicator/lifetime.h"
#include "communicator/process.h"
#include "communicator/wait.h"
#include "intercept/counts.h"
#include "intercept/intercept.h"
#include "log/log.h"

int shunt_stretch_pass(struct shunt_exchange *x, struct shunt_outcome *outcome)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_adapt *adapt = &comm->adapt;
    const bool timed = adapt->left <= SHUNT_ADAPT_TIMED;
    const uint32_t turn = comm->turn;
    const int64_t begin = timed ? shunt_now() : 0;
    outcome->algorithm = "native";
    outcome->reason = "most blocks were empty when the ranks last agreed";
    shunt_adapt_passed(adapt, 1); /* now: an error handler may make the next call within this one */
    const int status = shunt_exchange_native(x);
    if (status != MPI_SUCCESS && !shunt_comm_lives(comm, turn))
        return status;
    if (timed)
        shunt_adapt_passed_in(adapt, shunt_now() - begin);
    shunt_stretch_grant(comm); /* what it has may be from before this call */
    return status;
}

void shunt_stretch_grant(struct shunt_comm *comm)
{
    const uint32_t left = comm->adapt.left;
    const bool logged = shunt_process_settings()->log != SHUNT_LOG_OFF;
    const bool told = !shunt_pmpi_hides_errors(); /* what fails among them */
    comm->skips = left > SHUNT_ADAPT_TIMED && !logged && told ? left - SHUNT_ADAPT_TIMED : 0;
    comm->skips_granted = comm->skips;
}

void shunt_stretch_add(struct shunt_comm *comm)
{
    const uint32_t passed = comm->skips_granted - comm->skips;
    comm->skips_granted = comm->skips;
    comm->calls += passed;
    shunt_adapt_passed(&comm->adapt, passed);
}

int shunt_dispatch_skipped(struct shunt_comm *comm, uint32_t turn, int status)
{
    if (!shunt_comm_lives(comm, turn) || shunt_counts_rejected(status))
        return status;
    if (comm->skips > 0) {
        comm->skips--;
        return status;
    }
    /* An error handler has made the last of them meanwhile, so this one counts as one of the next.
     */
    shunt_stretch_count(comm);
    comm->calls++;
    if (comm->adapt.left > 0)
        shunt_adapt_passed(&comm->adapt, 1);
    return status;
}
