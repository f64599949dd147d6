/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c: small questions about a communicator, and the one way by which it becomes native for
 * good. */
#include "communicator/comm.h"

#include <stdio.h>

#include "communicator/process.h"
#include "log/log.h"

void shunt_comm_native(struct shunt_comm *comm, const char *reason)
{
    comm->state = SHUNT_STATE_NATIVE;
    comm->reason = reason;
    comm->bypass = shunt_process_settings()->log == SHUNT_LOG_OFF ? ~0u : 0;
}

int shunt_comm_raise(struct shunt_comm *comm, int code)
{
    if (code != MPI_SUCCESS)
        shunt_pmpi.Comm_call_errhandler(comm->user, code);
    return code;
}

const char *shunt_comm_describe(struct shunt_comm *comm)
{
    int length = 0;
    if (shunt_pmpi.Comm_get_name(comm->user, comm->name, &length) != MPI_SUCCESS)
        length = 0;
    if (length == 0)
        snprintf(comm->name, sizeof comm->name, "#%llu", (unsigned long long)comm->id);
    return comm->name;
}
