/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * duplicate.c: MPI_Comm_idup. Under Open MPI what goes on within it gets mixed up with other
 * nonblocking collectives of the communicator, natively as well; set-up uses such ones. So the back
 * end is told before, on all ranks alike: MPI_Comm_idup is collective.
 *
 * Open MPI's Fortran bindings call the PMPI_ names.
 */
#include <stdatomic.h>

#include "front/front.h"

#define EXPORT __attribute__((visibility("default")))
#define NAMED(symbol) __asm__(symbol)

/* The function to call: what the caller would without us. */
static void *duplicates(word comm, const void *caller, const char *name)
{
    const struct shunt_back_end *back_end = shunt_front_back_end(caller, name);
    if (back_end)
        back_end->duplicates(comm);
    return shunt_library_next(caller, name);
}

#define DUPLICATE(name, suffix)                                                                    \
    EXPORT int idup_##suffix(word comm, word to, word request) NAMED(name);                        \
    EXPORT int idup_##suffix(word comm, word to, word request)                                     \
    {                                                                                              \
        int (*function)(word, word, word) = NULL;                                                  \
        *(void **)&function = duplicates(comm, __builtin_return_address(0), name);                 \
        return function ? function(comm, to, request) : SHUNT_NO_FUNCTION;                         \
    }

#define DUPLICATE_WITH_INFO(name, suffix)                                                          \
    EXPORT int idup_info_##suffix(word comm, word info, word to, word request) NAMED(name);        \
    EXPORT int idup_info_##suffix(word comm, word info, word to, word request)                     \
    {                                                                                              \
        int (*function)(word, word, word, word) = NULL;                                            \
        *(void **)&function = duplicates(comm, __builtin_return_address(0), name);                 \
        return function ? function(comm, info, to, request) : SHUNT_NO_FUNCTION;                   \
    }

DUPLICATE("MPI_Comm_idup", c)
DUPLICATE("PMPI_Comm_idup", fortran)
DUPLICATE_WITH_INFO("MPI_Comm_idup_with_info", c)
DUPLICATE_WITH_INFO("PMPI_Comm_idup_with_info", fortran)
