/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * functions.h: the functions that pmpi.h names, which every ABI declares alike with its own types.
 * Read by the mpi.h of each ABI only. Those with large counts are of MPI-4; a library may lack
 * them.
 */
#ifndef SHUNT_PMPI_FUNCTIONS_H
#define SHUNT_PMPI_FUNCTIONS_H

/* Callbacks. */
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);

/* The process. */
int PMPI_Abort(MPI_Comm, int);
int PMPI_Error_class(int, int *);
int PMPI_Finalized(int *);
int PMPI_Initialized(int *);
int PMPI_Query_thread(int *);

/* Communicators and groups. */
int PMPI_Comm_call_errhandler(MPI_Comm, int);
int PMPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *, MPI_Errhandler *);
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *,
                            void *);
int PMPI_Comm_free(MPI_Comm *);
int PMPI_Comm_free_keyval(int *);
int PMPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int PMPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler *);
int PMPI_Comm_get_name(MPI_Comm, char *, int *);
int PMPI_Comm_group(MPI_Comm, MPI_Group *);
int PMPI_Comm_rank(MPI_Comm, int *);
int PMPI_Comm_remote_group(MPI_Comm, MPI_Group *);
int PMPI_Comm_remote_size(MPI_Comm, int *);
int PMPI_Comm_set_attr(MPI_Comm, int, void *);
int PMPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int PMPI_Comm_size(MPI_Comm, int *);
int PMPI_Comm_test_inter(MPI_Comm, int *);
int PMPI_Errhandler_free(MPI_Errhandler *);
int PMPI_Group_free(MPI_Group *);
int PMPI_Group_size(MPI_Group, int *);
int PMPI_Group_translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);

/* Messages. */
int PMPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int PMPI_Iprobe(int, int, MPI_Comm, int *, MPI_Status *);
int PMPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Irecv_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Isend_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int PMPI_Request_free(MPI_Request *);
int PMPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                  MPI_Comm, MPI_Status *);
int PMPI_Sendrecv_c(const void *, MPI_Count, MPI_Datatype, int, int, void *, MPI_Count,
                    MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int PMPI_Test(MPI_Request *, int *, MPI_Status *);
int PMPI_Testsome(int, MPI_Request *, int *, int *, MPI_Status *);

/* Collective operations. */
int PMPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int PMPI_Alltoall_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Datatype,
                    MPI_Comm);
int PMPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                   const int *, MPI_Datatype, MPI_Comm);
int PMPI_Alltoallv_c(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *,
                     const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm);
int PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                    MPI_Request *);
int PMPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int PMPI_Ialltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                   MPI_Request *);
int PMPI_Ialltoall_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Datatype,
                     MPI_Comm, MPI_Request *);
int PMPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);

/* Datatypes. */
int PMPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
int PMPI_Pack_c(const void *, MPI_Count, MPI_Datatype, void *, MPI_Count, MPI_Count *, MPI_Comm);
int PMPI_Type_commit(MPI_Datatype *);
int PMPI_Type_create_hindexed_block(int, int, const MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int PMPI_Type_free(MPI_Datatype *);
int PMPI_Type_get_contents(MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int *,
                             MPI_Aint *, MPI_Count *, MPI_Datatype *);
int PMPI_Type_get_envelope(MPI_Datatype, int *, int *, int *, int *);
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *,
                             int *);
int PMPI_Type_get_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
int PMPI_Type_get_true_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
int PMPI_Type_size_x(MPI_Datatype, MPI_Count *);
int PMPI_Unpack(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
int PMPI_Unpack_c(const void *, MPI_Count, MPI_Count *, void *, MPI_Count, MPI_Datatype, MPI_Comm);

#endif
