/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi.h: read before anything else where files are compiled for SimGrid's SMPI, behind SMPI's own
 * helpers.
 *
 * These make a process number and the end of a program those of a simulated rank; whoever reads a
 * neighbour's memory means the real process. SMPI has no functions with large counts: they are
 * declared here; pmpi.c has those that blocks need.
 */
#ifndef SHUNT_SIMULATE_SMPI_H
#define SHUNT_SIMULATE_SMPI_H

#include <mpi.h>

#undef getpid

int PMPI_Alltoall_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Datatype,
                    MPI_Comm);
int PMPI_Alltoallv_c(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *,
                     const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm);
int PMPI_Pack_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Count *, MPI_Comm);
int PMPI_Unpack_c(const void *, MPI_Count, MPI_Count *, void *, MPI_Count, MPI_Datatype, MPI_Comm);
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *,
                             int *);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int *,
                             MPI_Aint *, MPI_Count *, MPI_Datatype *);
int PMPI_Ialltoall_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Datatype,
                     MPI_Comm, MPI_Request *);
int PMPI_Irecv_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Isend_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Sendrecv_c(const void *, MPI_Count, MPI_Datatype, int, int, void *, MPI_Count,
                    MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

#endif
