/* SPDX-License-Identifier: BSD-3-Clause */
/* heavy.c: sending a message takes HEAVY_US microseconds more; to be preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#include "dawdle.h"

#define EXPORT __attribute__((visibility("default")))

static void rest(void)
{
    static long long time = -1;
    if (time < 0) {
        const char *value = getenv("HEAVY_US");
        time = value ? 1000 * strtoll(value, NULL, 10) : 0;
    }
    dawdle(time);
}

EXPORT int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int rank, int tag,
                      MPI_Comm comm, MPI_Request *request)
{
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    rest();
    return next(buffer, count, type, rank, tag, comm, request);
}

EXPORT int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int rank, int tag,
                     MPI_Comm comm)
{
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Send");
    rest();
    return next(buffer, count, type, rank, tag, comm);
}
