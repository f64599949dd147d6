/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmpi.h: the MPI library under us, found at run time.
 *
 * libshunt.so is not linked with any MPI: a preloaded shell must not load one, and one binary
 * serves every MPICH-ABI library. The functions are looked up at the first intercepted call, in the
 * MPI library that the caller uses.
 */
#ifndef SHUNT_PMPI_PMPI_H
#define SHUNT_PMPI_PMPI_H

#include <mpi.h>
#include <stdbool.h>

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

/* Filled when the process begins, if it has its library then, or by shunt_pmpi_resolve; constant
 * afterwards. */
extern struct shunt_pmpi shunt_pmpi;

enum shunt_pmpi_status {
    SHUNT_PMPI_UNRESOLVED,
    SHUNT_PMPI_READY,  /* an MPICH-ABI library: shunt_pmpi may be used */
    SHUNT_PMPI_FOREIGN /* another ABI, or incomplete: only shunt_pmpi_symbol may be used, with the
                          caller's arguments untouched */
};

/*
 * Finds the MPI library of the code at `caller` (a return address) and fills shunt_pmpi. Thread
 * safe, repeats cheaply; the first result stays. Says when the library is foreign, where `speaks`
 * tells that this process is the one to say so. Ends the process when there is none at all (the
 * call cannot be carried out).
 */
enum shunt_pmpi_status shunt_pmpi_resolve(void *caller, bool (*speaks)(void));

/* Whether an object named like an MPI library is loaded now, into whatever scope. Looks no symbol
 * up, so it costs next to nothing in a process that has none. */
bool shunt_pmpi_loaded(void);

/* Whether this process has any MPI library now. Looks for none, and may be asked at any time. */
bool shunt_pmpi_present(void);

/* Address of a function of the library found, by its full name ("PMPI_Ialltoall"), or NULL. */
void *shunt_pmpi_symbol(const char *name);

/* The same in the library of the code at `caller` (a return address), whether or not any was found
 * before: nothing is remembered. */
void *shunt_pmpi_symbol_for(void *caller, const char *name);

/* Whether a call that fails may return MPI_SUCCESS, after an error handler of the program that
 * returned: so in MPICH 5, which is told by what MPI 5 has. */
bool shunt_pmpi_hides_errors(void);

/* Whether large counts can be expressed in every operation Shunt uses. */
static inline int shunt_pmpi_has_large_counts(void)
{
    return shunt_pmpi.Irecv_c && shunt_pmpi.Isend_c && shunt_pmpi.Pack_c && shunt_pmpi.Unpack_c &&
           shunt_pmpi.Sendrecv_c && shunt_pmpi.Ialltoall_c;
}

#endif
