/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c: looking for an attribute and making a key for one take 2 ms more; to be preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

#include "dawdle.h"

#define EXPORT __attribute__((visibility("default")))

static void rest(void)
{
    dawdle(2000000);
}

EXPORT int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                                   MPI_Comm_delete_attr_function *end, int *key, void *extra)
{
    static int (*next)(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *,
                       void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_create_keyval");
    rest();
    return next(copy, end, key, extra);
}

EXPORT int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found)
{
    static int (*next)(MPI_Comm, int, void *, int *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    const int status = next(comm, key, value, found);
    rest();
    return status;
}
