/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * free.c: what frees communicators, passed on.
 *
 * Delete callbacks of the application may use the communicator that is being freed; whoever keeps
 * anything by its handle has to know when (communicator/lifetime.h). Fortran's functions and other
 * tools call the PMPI names, so these are ours as well. Whatever the ABI, the argument is a
 * pointer.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "communicator/lifetime.h"
#include "intercept/entry.h"

SHUNT_EXPORT int shunt_MPI_Comm_free(word) SHUNT_NAMED("MPI_Comm_free");
SHUNT_EXPORT int shunt_MPI_Comm_disconnect(word) SHUNT_NAMED("MPI_Comm_disconnect");
SHUNT_EXPORT int shunt_PMPI_Comm_free(word) SHUNT_NAMED("PMPI_Comm_free");
SHUNT_EXPORT int shunt_PMPI_Comm_disconnect(word) SHUNT_NAMED("PMPI_Comm_disconnect");

typedef int (*one_word)(word);

/* Whoever comes after `own`: a tool or the library; where MPI is hidden (RTLD_LOCAL), the library
 * of the caller. */
static one_word next_function(const char *name, one_word own, void *caller, _Atomic(void *) *known)
{
    one_word function = NULL;
    void *found = atomic_load_explicit(known, memory_order_acquire);
    if (!found)
        found = dlsym(RTLD_NEXT, name);
    if (!found)
        found = shunt_pmpi_symbol_for(caller, name);
    atomic_store_explicit(known, found, memory_order_release);
    *(void **)&function = found;
    return function == own ? NULL : function;
}

/* Which one, as far as it is one of ours: before the first call, and under a foreign library, there
 * is nothing of any. */
static MPI_Comm named(word comm)
{
    const MPI_Comm *handle = (const void *)comm;
    return handle && atomic_load_explicit(&shunt_entry_known, memory_order_acquire) ? *handle
                                                                                    : MPI_COMM_NULL;
}

static int freed(one_word function, word comm)
{
    if (!function)
        return SHUNT_NO_FUNCTION;
    const MPI_Comm outer = shunt_comm_free_begin(named(comm));
    const int status = function(comm);
    shunt_comm_free_end(outer);
    return status;
}

#define FREE(name)                                                                                 \
    SHUNT_EXPORT int shunt_##name(word comm)                                                       \
    {                                                                                              \
        static _Atomic(void *) known;                                                              \
        return freed(next_function(#name, shunt_##name, __builtin_return_address(0), &known),      \
                     comm);                                                                        \
    }

FREE(MPI_Comm_free)
FREE(MPI_Comm_disconnect)
FREE(PMPI_Comm_free)
FREE(PMPI_Comm_disconnect)

/* A tool before us that has these names itself may free what we do not see. The other two names it
 * may have: it calls one of ours then. Whoever opens the MPI library while the program runs may ask
 * that for its functions, past us; of a program that is linked with it nobody does. */
__attribute__((constructor)) static void look_who_frees(void)
{
    one_word free_function = shunt_PMPI_Comm_free, disconnect = shunt_PMPI_Comm_disconnect;
    if (dlsym(RTLD_DEFAULT, "PMPI_Comm_free") == *(void **)&free_function &&
        dlsym(RTLD_DEFAULT, "PMPI_Comm_disconnect") == *(void **)&disconnect && shunt_pmpi_loaded())
        shunt_comm_see_frees();
}
