/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi.h of Open MPI's ABI: what the library uses of it, with the values of Open MPI's mpi.h, alike
 * in 4.1, 5.0 and 6.0. It is ours so that this back end builds wherever the others do, whichever
 * MPI library a machine has; tests/unit/test_abi.sh holds it against the real one.
 *
 * A predefined handle is the address of a variable of the library. They are looked up when the
 * process runs, as the functions are: the library may be loaded where no link would find it, and a
 * process without any must start.
 */
#ifndef SHUNT_PMPI_OPEN_MPI_MPI_H
#define SHUNT_PMPI_OPEN_MPI_MPI_H

#include <stddef.h>

#define SHUNT_ABI_OPEN_MPI 1

/* Handles. */
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_group_t *MPI_Group;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int shunt_cancelled; /* these two are the library's own */
    size_t shunt_bytes;
} MPI_Status;

#include "pmpi/functions.h"

/* The library's variables whose addresses are handles. */
#define SHUNT_HANDLES(X)                                                                           \
    X(ompi_mpi_comm_null)                                                                          \
    X(ompi_mpi_comm_world)                                                                         \
    X(ompi_mpi_comm_self)                                                                          \
    X(ompi_mpi_group_null)                                                                         \
    X(ompi_request_null)                                                                           \
    X(ompi_mpi_info_null)                                                                          \
    X(ompi_mpi_errhandler_null)                                                                    \
    X(ompi_mpi_errors_are_fatal)                                                                   \
    X(ompi_mpi_errors_return)                                                                      \
    X(ompi_mpi_errors_abort) /* not in 4.1: NULL, which is no handler */                           \
    X(ompi_mpi_datatype_null)                                                                      \
    X(ompi_mpi_byte)                                                                               \
    X(ompi_mpi_packed)                                                                             \
    X(ompi_mpi_int64_t)                                                                            \
    X(ompi_mpi_op_max)                                                                             \
    X(ompi_mpi_op_min)                                                                             \
    X(ompi_mpi_op_sum)

#define SHUNT_HANDLE_MEMBER(name) void *name;

struct shunt_handles {
    SHUNT_HANDLES(SHUNT_HANDLE_MEMBER)
    MPI_Comm_copy_attr_function *null_copy; /* its function SHUNT_NULL_COPY */
};

#define SHUNT_NULL_COPY "OMPI_C_MPI_COMM_NULL_COPY_FN"

/* Filled with shunt_pmpi, and constant afterwards. */
extern struct shunt_handles shunt_handles;

/* Predefined handles. */
#define MPI_COMM_NULL ((MPI_Comm)shunt_handles.ompi_mpi_comm_null)
#define MPI_COMM_WORLD ((MPI_Comm)shunt_handles.ompi_mpi_comm_world)
#define MPI_COMM_SELF ((MPI_Comm)shunt_handles.ompi_mpi_comm_self)
#define MPI_GROUP_NULL ((MPI_Group)shunt_handles.ompi_mpi_group_null)
#define MPI_REQUEST_NULL ((MPI_Request)shunt_handles.ompi_request_null)
#define MPI_INFO_NULL ((MPI_Info)shunt_handles.ompi_mpi_info_null)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)shunt_handles.ompi_mpi_errhandler_null)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)shunt_handles.ompi_mpi_errors_are_fatal)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)shunt_handles.ompi_mpi_errors_return)
#define MPI_ERRORS_ABORT ((MPI_Errhandler)shunt_handles.ompi_mpi_errors_abort)
#define MPI_DATATYPE_NULL ((MPI_Datatype)shunt_handles.ompi_mpi_datatype_null)
#define MPI_BYTE ((MPI_Datatype)shunt_handles.ompi_mpi_byte)
#define MPI_PACKED ((MPI_Datatype)shunt_handles.ompi_mpi_packed)
#define MPI_INT64_T ((MPI_Datatype)shunt_handles.ompi_mpi_int64_t)
#define MPI_MAX ((MPI_Op)shunt_handles.ompi_mpi_op_max)
#define MPI_MIN ((MPI_Op)shunt_handles.ompi_mpi_op_min)
#define MPI_SUM ((MPI_Op)shunt_handles.ompi_mpi_op_sum)
#define MPI_COMM_NULL_COPY_FN (shunt_handles.null_copy)

/* Addresses that stand for something else. */
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

/* Error classes. */
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_COMM 5
#define MPI_ERR_ARG 13
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_OTHER 16
#define MPI_ERR_IN_STATUS 18
#define MPI_ERR_NO_MEM 39

/* Datatype constructors. */
#define MPI_COMBINER_NAMED 0
#define MPI_COMBINER_DUP 1
#define MPI_COMBINER_CONTIGUOUS 2
#define MPI_COMBINER_F90_REAL 14
#define MPI_COMBINER_F90_COMPLEX 15
#define MPI_COMBINER_F90_INTEGER 16

#define MPI_UNDEFINED (-32766)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_TAG_UB 0
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

/* Lengths of texts. */
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_OBJECT_NAME 64

#endif
