/* SPDX-License-Identifier: BSD-3-Clause */
/* Of the stand-in for an MPI library the part that has the MPI_ names. */
int PMPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                  void *recv_type, void *comm);
int MPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                 void *recv_type, void *comm);

int MPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                 void *recv_type, void *comm)
{
    return PMPI_Alltoall(send, count, type, recv, recv_count, recv_type, comm);
}
