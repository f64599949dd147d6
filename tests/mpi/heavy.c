/* SPDX-License-Identifier: BSD-3-Clause */
/* heavy.c: sending a message takes HEAVY_US microseconds more, which it sleeps; to be preloaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* Asleep: what else runs on this machine delays that little, and work much. */
static void rest(void)
{
    static struct timespec time = {.tv_nsec = -1};
    if (time.tv_nsec < 0) {
        const char *value = getenv("HEAVY_US");
        time.tv_nsec = value ? 1000 * strtol(value, NULL, 10) : 0;
    }
    nanosleep(&time, NULL);
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
