/* SPDX-License-Identifier: BSD-3-Clause */
/* sluggish.c: to be preloaded: the library's own exchanges take SLUGGISH_MS milliseconds more;
 * with SLUGGISH_TURNS=N only all but every Nth of them. What is faster is then known. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#include "dawdle.h"

static long setting(const char *name)
{
    const char *value = getenv(name);
    return value ? strtol(value, NULL, 10) : 0;
}

static void begin(void)
{
    static long calls;
    const long turns = setting("SLUGGISH_TURNS"), ms = setting("SLUGGISH_MS");
    if (turns == 0 || ++calls % turns != 0)
        dawdle(1000000LL * ms);
}

__attribute__((visibility("default"))) int PMPI_Alltoall(const void *sendbuf, int sendcount,
                                                         MPI_Datatype sendtype, void *recvbuf,
                                                         int recvcount, MPI_Datatype recvtype,
                                                         MPI_Comm comm)
{
    int (*real)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Alltoall");
    begin();
    return real(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

__attribute__((visibility("default"))) int PMPI_Alltoallv(const void *sendbuf,
                                                          const int *sendcounts, const int *sdispls,
                                                          MPI_Datatype sendtype, void *recvbuf,
                                                          const int *recvcounts, const int *rdispls,
                                                          MPI_Datatype recvtype, MPI_Comm comm)
{
    int (*real)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                const int *, MPI_Datatype, MPI_Comm);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Alltoallv");
    begin();
    return real(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                comm);
}
