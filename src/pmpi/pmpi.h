/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmpi.h: the functions and facts of the MPI library under us. Which ABI it has is the business of
 * this folder alone.
 *
 * A back end is compiled for one ABI, with an mpi.h of our own (mpich, standard, open-mpi in this
 * folder). Programs that measure are compiled with that of the MPI library they are linked with.
 */
#ifndef SHUNT_PMPI_PMPI_H
#define SHUNT_PMPI_PMPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "pmpi/functions.h"
#include "pmpi/library.h"

/* With a library's own mpi.h; ours say it themselves. */
#if !defined(SHUNT_ABI_MPICH) && !defined(SHUNT_ABI_STANDARD) && !defined(SHUNT_ABI_OPEN_MPI)
#if defined(OMPI_MAJOR_VERSION)
#define SHUNT_ABI_OPEN_MPI 1
#elif defined(MPI_ABI_VERSION)
#define SHUNT_ABI_STANDARD 1
#else
#define SHUNT_ABI_MPICH 1
#endif
#endif

/* Every PMPI function that Shunt cannot work without: MPI-3.1 names only. */
#define SHUNT_PMPI_NEEDED(X)                                                                       \
    X(Abort)                                                                                       \
    X(Alltoall)                                                                                    \
    X(Alltoallv)                                                                                   \
    X(Comm_call_errhandler)                                                                        \
    X(Comm_create)                                                                                 \
    X(Comm_create_errhandler)                                                                      \
    X(Comm_create_keyval)                                                                          \
    X(Comm_free)                                                                                   \
    X(Comm_free_keyval)                                                                            \
    X(Comm_get_attr)                                                                               \
    X(Comm_get_errhandler)                                                                         \
    X(Comm_get_name)                                                                               \
    X(Comm_group)                                                                                  \
    X(Comm_rank)                                                                                   \
    X(Comm_remote_group)                                                                           \
    X(Comm_remote_size)                                                                            \
    X(Comm_set_attr)                                                                               \
    X(Comm_set_errhandler)                                                                         \
    X(Comm_size)                                                                                   \
    X(Comm_test_inter)                                                                             \
    X(Errhandler_free)                                                                             \
    X(Error_class)                                                                                 \
    X(Finalized)                                                                                   \
    X(Get_count)                                                                                   \
    X(Group_free)                                                                                  \
    X(Group_size)                                                                                  \
    X(Group_translate_ranks)                                                                       \
    X(Iallgather)                                                                                  \
    X(Iallreduce)                                                                                  \
    X(Ialltoall)                                                                                   \
    X(Ibcast)                                                                                      \
    X(Initialized)                                                                                 \
    X(Iprobe)                                                                                      \
    X(Irecv)                                                                                       \
    X(Isend)                                                                                       \
    X(Pack)                                                                                        \
    X(Query_thread)                                                                                \
    X(Request_free)                                                                                \
    X(Sendrecv)                                                                                    \
    X(Test)                                                                                        \
    X(Testsome)                                                                                    \
    X(Type_commit)                                                                                 \
    X(Type_create_hindexed_block)                                                                  \
    X(Type_free)                                                                                   \
    X(Type_get_contents)                                                                           \
    X(Type_get_envelope)                                                                           \
    X(Type_get_extent)                                                                             \
    X(Type_get_true_extent)                                                                        \
    X(Type_size_x)                                                                                 \
    X(Unpack)

/* MPI-4 large-count functions: NULL in older libraries. */
#define SHUNT_PMPI_OPTIONAL(X)                                                                     \
    X(Alltoall_c)                                                                                  \
    X(Alltoallv_c)                                                                                 \
    X(Ialltoall_c)                                                                                 \
    X(Irecv_c)                                                                                     \
    X(Isend_c)                                                                                     \
    X(Pack_c)                                                                                      \
    X(Sendrecv_c)                                                                                  \
    X(Type_get_contents_c)                                                                         \
    X(Type_get_envelope_c)                                                                         \
    X(Unpack_c)

#define SHUNT_PMPI_MEMBER(name) __typeof__(PMPI_##name) *name;

struct shunt_pmpi {
    SHUNT_PMPI_NEEDED(SHUNT_PMPI_MEMBER)
    SHUNT_PMPI_OPTIONAL(SHUNT_PMPI_MEMBER)
};

/* Filled once, before anything else of Shunt is called; constant afterwards. */
extern struct shunt_pmpi shunt_pmpi;

/* The ABI that this is compiled for. */
#if defined(SHUNT_ABI_OPEN_MPI)
#define SHUNT_PMPI_ABI SHUNT_LIBRARY_OPEN_MPI
#elif defined(SHUNT_ABI_STANDARD)
#define SHUNT_PMPI_ABI SHUNT_LIBRARY_STANDARD
#else
#define SHUNT_PMPI_ABI SHUNT_LIBRARY_MPICH
#endif

/* Fills shunt_pmpi from a library of that ABI. False: it lacks functions of MPI 3.1, and shunt_pmpi
 * must not be used. */
bool shunt_pmpi_use(const struct shunt_library *library);

/* For programs that are linked with MPI: the library is looked for as the code at `caller` (a
 * return address) sees it. False: none of this ABI, and it was said. */
bool shunt_pmpi_resolve(void *caller);

/* Address of a function of the library, by its full name ("PMPI_Ialltoall"), or NULL. */
void *shunt_pmpi_symbol(const char *name);

/* What the code at `caller` (a return address) would call by that name if libshunt.so were not
 * there ("MPI_Alltoall"), or NULL. */
void *shunt_pmpi_next(const void *caller, const char *name);

/* Whether a call that fails may return MPI_SUCCESS, after an error handler of the program that
 * returned: so in MPICH 5, which is told by what MPI 5 has. */
bool shunt_pmpi_hides_errors(void);

/*
 * Whether a handle can be one of a datatype, as far as handles tell: the library's functions for
 * types raise the error of any other handle on MPI_COMM_WORLD. Of MPICH's handles the bits tell the
 * kind; of the standard's, which are small numbers where they are predefined, likewise.
 */
static inline bool shunt_pmpi_can_be_type(MPI_Datatype type)
{
#if defined(SHUNT_ABI_MPICH)
    enum { KIND_DATATYPE = 3 };
    const unsigned handle = (unsigned)(uintptr_t)type;
    return sizeof type > sizeof handle || /* SMPI's are pointers */
           (handle >> 30 != 0 && (handle >> 26 & 15) == KIND_DATATYPE);
#elif defined(SHUNT_ABI_STANDARD)
    enum { FIRST = 0x201, AFTER_LAST = 0x400, PREDEFINED = 0x1000 };
    const uintptr_t handle = (uintptr_t)type;
    return handle >= PREDEFINED || (handle >= FIRST && handle < AFTER_LAST);
#else
    return type && type != MPI_DATATYPE_NULL;
#endif
}

/* The same of communicators: whoever calls with another handle means another MPI library, or one
 * that has handles of its own in front of this one; or it is an error. */
static inline bool shunt_pmpi_can_be_comm(MPI_Comm comm)
{
#if defined(SHUNT_ABI_MPICH)
    enum { KIND_COMM = 1 };
    const unsigned handle = (unsigned)(uintptr_t)comm;
    return sizeof comm > sizeof handle || (handle >> 30 != 0 && (handle >> 26 & 15) == KIND_COMM);
#elif defined(SHUNT_ABI_STANDARD)
    enum { AFTER_LAST = 0x108, PREDEFINED = 0x1000 };
    const uintptr_t handle = (uintptr_t)comm;
    return handle >= PREDEFINED || (handle > (uintptr_t)MPI_COMM_NULL && handle < AFTER_LAST);
#else
    enum { FIRST_PAGE = 4096 };
    return (uintptr_t)comm >= FIRST_PAGE && (uintptr_t)comm % sizeof(void *) == 0 &&
           comm != MPI_COMM_NULL;
#endif
}

/* Whether the library may take an address of data for a sentinel, as small ones are in the standard
 * ABI: data of MPI_BOTTOM with a displacement. */
static inline bool shunt_pmpi_is_sentinel(const void *at)
{
    return SHUNT_PMPI_ABI == SHUNT_LIBRARY_STANDARD && at != MPI_BOTTOM && (uintptr_t)at < 4096;
}

/* Filled with shunt_pmpi; asked by shunt_pmpi_is_open_mpi. */
extern bool shunt_pmpi_open_mpi;

/* Open MPI: nonblocking collectives of a communicator get mixed up with those of
 * MPI_Comm_idup on it, and it refuses calls whose own block differs in size between sending and
 * receiving. Of the standard ABI only the process tells whose library it is. */
static inline bool shunt_pmpi_is_open_mpi(void)
{
    return SHUNT_PMPI_ABI == SHUNT_LIBRARY_OPEN_MPI ||
           (SHUNT_PMPI_ABI == SHUNT_LIBRARY_STANDARD && shunt_pmpi_open_mpi);
}

/* Whether large counts can be expressed in every operation Shunt uses. */
static inline int shunt_pmpi_has_large_counts(void)
{
    return shunt_pmpi.Irecv_c && shunt_pmpi.Isend_c && shunt_pmpi.Pack_c && shunt_pmpi.Unpack_c &&
           shunt_pmpi.Sendrecv_c && shunt_pmpi.Ialltoall_c;
}

#endif
