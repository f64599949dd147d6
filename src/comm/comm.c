/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c: small questions about a communicator, and the one way by which it becomes native for
 * good. */
#include "comm/comm.h"

#include <stdio.h>

#include "log/log.h"
#include "process/errors.h"
#include "process/process.h"

_Static_assert(MPI_MAX_OBJECT_NAME < SHUNT_NAME_ROOM, "names of communicators fit");

void shunt_comm_native(struct shunt_comm *comm, const char *reason)
{
    comm->state = SHUNT_STATE_NATIVE;
    comm->reason = reason;
    comm->bypass = shunt_process_settings()->log == SHUNT_LOG_OFF ? ~0u : 0;
}

/* The library's last words name MPI_Comm_call_errhandler, which the program never called. */
static void say_fatal(struct shunt_comm *comm, enum shunt_op op, int code)
{
    int (*error_string)(int, char *, int *) = NULL, length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    *(void **)&error_string = shunt_pmpi_symbol("PMPI_Error_string");
    if (error_string && error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    shunt_log_say("MPI_%s on %s failed, and errors are fatal there: %s",
                  op == SHUNT_OP_ALLTOALL ? "Alltoall" : "Alltoallv", shunt_comm_describe(comm),
                  text);
}

int shunt_comm_raise(struct shunt_comm *comm, enum shunt_op op, int code)
{
    if (code == MPI_SUCCESS)
        return code;
    if (shunt_errors_are_fatal(comm->user))
        say_fatal(comm, op, code);
    shunt_pmpi.Comm_call_errhandler(comm->user, code);
    return code;
}

const char *shunt_comm_describe(struct shunt_comm *comm)
{
    int length = 0;
    if (shunt_pmpi.Comm_get_name(comm->user, comm->diag.name, &length) != MPI_SUCCESS)
        length = 0;
    if (length == 0)
        snprintf(comm->diag.name, sizeof comm->diag.name, "#%llu", (unsigned long long)comm->id);
    return comm->diag.name;
}
