/* SPDX-License-Identifier: BSD-3-Clause */
/* alone.c: see alone.h. */
#include "process/alone.h"

#include <sched.h>
#include <stdatomic.h>

#include "process/errors.h"

/* MPI_Comm_create_from_group, which takes the error handler; not in MPI-3. */
typedef int (*from_group)(MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *);

/* One thread at a time. What is waited for involves no other rank. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* In libraries before MPI-4, where a handler of MPI_COMM_SELF that was set is like one that was
 * not: theirs is not the one for errors without a communicator. */
static int create_quietly(MPI_Group group, MPI_Comm *comm)
{
    struct shunt_hush hush;
    shunt_hush_begin(&hush, MPI_COMM_SELF);
    int status = shunt_pmpi.Comm_create(MPI_COMM_SELF, group, comm);
    shunt_hush_end(&hush);
    if (status == MPI_SUCCESS)
        status = shunt_pmpi.Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    return status;
}

static int create(MPI_Comm *comm)
{
    MPI_Group group;
    from_group from = NULL;
    int status = shunt_pmpi.Comm_group(MPI_COMM_SELF, &group);
    if (status != MPI_SUCCESS)
        return status;
    *(void **)&from = shunt_pmpi_symbol("PMPI_Comm_create_from_group");
    status = from ? from(group, "shunt", MPI_INFO_NULL, MPI_ERRORS_RETURN, comm)
                  : create_quietly(group, comm);
    shunt_pmpi.Group_free(&group);
    return status;
}

/*
 * Open MPI: making a communicator waits for those that are being made on other threads, which may
 * wait for other ranks. So MPI_COMM_SELF is lent, with errors that are returned: what is asked
 * there sends nothing, and nothing of it is left.
 */
static struct shunt_hush lent;

static bool borrow(MPI_Comm *comm)
{
    shunt_hush_begin(&lent, MPI_COMM_SELF);
    *comm = MPI_COMM_SELF;
    return lent.active;
}

MPI_Comm shunt_alone_begin(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int initialized = 0;
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized)
        return MPI_COMM_NULL; /* Sessions: no MPI_COMM_SELF */
    while (atomic_flag_test_and_set(&busy))
        sched_yield();
    if (shunt_pmpi_is_open_mpi() ? borrow(&comm) : create(&comm) == MPI_SUCCESS)
        return comm;
    atomic_flag_clear(&busy);
    return MPI_COMM_NULL;
}

void shunt_alone_end(MPI_Comm comm)
{
    if (shunt_pmpi_is_open_mpi())
        shunt_hush_end(&lent);
    else
        shunt_pmpi.Comm_free(&comm);
    atomic_flag_clear(&busy);
}
