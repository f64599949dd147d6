/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * release.c: MPI_Comm_free and MPI_Comm_disconnect, seen and passed on.
 *
 * Delete callbacks of the application may call us on the communicator that is being freed, before
 * our own callback or after it. What would be remembered then is of a handle that soon is another
 * communicator's, so those calls are the library's (communicator/lifetime.h). Nothing else depends
 * on these functions being seen: mpi_f08 of MPICH frees by PMPI_ names.
 */
#include "communicator/lifetime.h"
#include "intercept/entry.h"

SHUNT_EXPORT int shunt_MPI_Comm_free(word) SHUNT_NAMED("MPI_Comm_free");
SHUNT_EXPORT int shunt_MPI_Comm_disconnect(word) SHUNT_NAMED("MPI_Comm_disconnect");

/* What the name would be without us: perhaps another tool's. */
static void *beneath(const char *name, void *caller, _Atomic(void *) *remembered)
{
    void *found = atomic_load_explicit(remembered, memory_order_acquire);
    if (found)
        return found;
    found = shunt_pmpi_beneath(name, caller);
    if (!found && shunt_entry_ready(caller))
        found = shunt_pmpi_symbol(name);
    atomic_store_explicit(remembered, found, memory_order_release);
    return found;
}

/* comm: a pointer to a handle, in every ABI. */
static int release(const char *name, void *caller, _Atomic(void *) *remembered, word comm)
{
    int (*function)(word) = NULL;
    *(void **)&function = beneath(name, caller, remembered);
    if (!function)
        return SHUNT_NO_FUNCTION;
    if (!comm || !atomic_load_explicit(&shunt_entry_known, memory_order_acquire))
        return function(comm);
    shunt_comm_leaves(*(const MPI_Comm *)comm);
    const int status = function(comm);
    shunt_comm_left();
    return status;
}

SHUNT_EXPORT int shunt_MPI_Comm_free(word comm)
{
    static _Atomic(void *) remembered;
    return release("MPI_Comm_free", __builtin_return_address(0), &remembered, comm);
}

SHUNT_EXPORT int shunt_MPI_Comm_disconnect(word comm)
{
    static _Atomic(void *) remembered;
    return release("MPI_Comm_disconnect", __builtin_return_address(0), &remembered, comm);
}
