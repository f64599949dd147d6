/* SPDX-License-Identifier: BSD-3-Clause */
/* corrupt.c: an MPI_Alltoallv that gets the last byte on rank 1 wrong in its fourth call; to be
 * preloaded. A check must find it. */
#include <mpi.h>

__attribute__((visibility("default"))) int MPI_Alltoallv(const void *sendbuf, const int *sendcounts,
                                                         const int *sdispls, MPI_Datatype sendtype,
                                                         void *recvbuf, const int *recvcounts,
                                                         const int *rdispls, MPI_Datatype recvtype,
                                                         MPI_Comm comm)
{
    static int calls;
    int rank, size;
    const int status = PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, comm);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (++calls == 4 && rank == 1 && recvcounts[size - 1] > 0)
        ((char *)recvbuf)[rdispls[size - 1] + recvcounts[size - 1] - 1] ^= 1;
    return status;
}
