/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * release.c: MPI_Comm_free and MPI_Comm_disconnect, seen and passed on.
 *
 * Handles are reused, so whatever is known by a handle alone (communicator/newcomers.h) must be
 * forgotten before the library frees it. The PMPI_ names are here as well: tools, and MPICH's own
 * Fortran library for mpi_f08, use them.
 */
#include "intercept/release.h"

#include <dlfcn.h>

#include "communicator/lifetime.h"
#include "intercept/entry.h"

SHUNT_EXPORT int shunt_MPI_Comm_free(word) SHUNT_NAMED("MPI_Comm_free");
SHUNT_EXPORT int shunt_PMPI_Comm_free(word) SHUNT_NAMED("PMPI_Comm_free");
SHUNT_EXPORT int shunt_MPI_Comm_disconnect(word) SHUNT_NAMED("MPI_Comm_disconnect");
SHUNT_EXPORT int shunt_PMPI_Comm_disconnect(word) SHUNT_NAMED("PMPI_Comm_disconnect");

/* comm: a pointer to a handle, in every ABI. */
static int release(const char *name, void *caller, _Atomic(void *) *remembered, word comm)
{
    int (*function)(word) = NULL;
    void *found = atomic_load_explicit(remembered, memory_order_acquire);
    if (!found) {
        found = shunt_pmpi_beneath(name, caller);
        atomic_store_explicit(remembered, found, memory_order_release);
    }
    *(void **)&function = found;
    if (!function)
        return SHUNT_NO_FUNCTION;
    if (!comm || !atomic_load_explicit(&shunt_entry_known, memory_order_acquire))
        return function(comm);
    struct shunt_newcomer was;
    const MPI_Comm user = *(const MPI_Comm *)comm;
    const bool departs = shunt_comm_depart(user, &was);
    const int status = function(comm);
    if (departs && status != MPI_SUCCESS)
        shunt_comm_remain(user, &was);
    return status;
}

#define RELEASE(name)                                                                              \
    SHUNT_EXPORT int shunt_##name(word comm)                                                       \
    {                                                                                              \
        static _Atomic(void *) remembered;                                                         \
        return release(#name, __builtin_return_address(0), &remembered, comm);                     \
    }

RELEASE(MPI_Comm_free)
RELEASE(PMPI_Comm_free)
RELEASE(MPI_Comm_disconnect)
RELEASE(PMPI_Comm_disconnect)

static bool is_first(const char *name, int (*ours)(word))
{
    int (*first)(word) = NULL;
    *(void **)&first = dlsym(RTLD_DEFAULT, name);
    return first == ours;
}

/* A library that is not in the global scope may be asked by handle, past everybody. */
bool shunt_release_is_seen(void)
{
    return is_first("PMPI_Comm_free", shunt_PMPI_Comm_free) &&
           is_first("PMPI_Comm_disconnect", shunt_PMPI_Comm_disconnect) &&
           dlsym(RTLD_NEXT, "PMPI_Alltoall") == *(void **)&shunt_pmpi.Alltoall;
}
