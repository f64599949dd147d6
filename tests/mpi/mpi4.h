/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi4.h: for tests that use names of MPI 4. A library of MPI 3.1, as Open MPI 4.1 is, has none of
 * them: they are declared so that a program is compiled and linked, which asks has_mpi4 before it
 * calls one.
 */
#ifndef SHUNT_TESTS_MPI4_H
#define SHUNT_TESTS_MPI4_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/* What the program was compiled for: libshunt.so has these names whatever the library is. */
static inline bool has_mpi4(void)
{
    return MPI_VERSION >= 4;
}

/* For the script, by which it knows that nothing was shown. */
static inline void lacks_mpi4(const char *what)
{
    printf("SKIP: this MPI library has no %s\n", what);
}

#if MPI_VERSION < 4
#define MPI4_WEAK __attribute__((weak))
int MPI_Alltoall_c(const void *send, MPI_Count count, MPI_Datatype type, void *recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm) MPI4_WEAK;
int MPI_Alltoallv_c(const void *send, const MPI_Count *counts, const MPI_Aint *places,
                    MPI_Datatype type, void *recv, const MPI_Count *recv_counts,
                    const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm) MPI4_WEAK;
int MPI_Ialltoall_c(const void *send, MPI_Count count, MPI_Datatype type, void *recv,
                    MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                    MPI_Request *request) MPI4_WEAK;
int MPI_Ialltoallv_c(const void *send, const MPI_Count *counts, const MPI_Aint *places,
                     MPI_Datatype type, void *recv, const MPI_Count *recv_counts,
                     const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                     MPI_Request *request) MPI4_WEAK;
int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype of, MPI_Datatype *type) MPI4_WEAK;
int MPI_Type_vector_c(MPI_Count count, MPI_Count block, MPI_Count stride, MPI_Datatype of,
                      MPI_Datatype *type) MPI4_WEAK;

/* Open MPI 5, which calls itself MPI 3.1, has these already. */
#if !defined(OMPI_MAJOR_VERSION) || OMPI_MAJOR_VERSION < 5
typedef struct mpi4_session *MPI_Session;
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) MPI4_WEAK;
int MPI_Session_finalize(MPI_Session *session) MPI4_WEAK;
int MPI_Group_from_session_pset(MPI_Session session, const char *name, MPI_Group *group) MPI4_WEAK;
int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                               MPI_Errhandler handler, MPI_Comm *comm) MPI4_WEAK;
#endif
#endif

#endif
