/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry.c: the four entry points that are routed.
 *
 * Arguments arrive as machine words: until the library is known, handles may be ints (MPICH) or
 * pointers (others), and every supported calling convention passes either in one word. A foreign library gets exactly the words we got.
 * The functions have C names of their own, since mpi.h declares the MPI names with MPICH's types.
 */
#include "intercept/entry.h"

#include "intercept/intercept.h"
#include "log/log.h"

SHUNT_EXPORT int shunt_MPI_Alltoall(word, word, word, word, word, word, word) SHUNT_NAMED("MPI_Alltoall");
SHUNT_EXPORT int shunt_MPI_Alltoall_c(word, word, word, word, word, word, word) SHUNT_NAMED("MPI_Alltoall_c");
SHUNT_EXPORT int shunt_MPI_Alltoallv(word, word, word, word, word, word, word, word, word) SHUNT_NAMED("MPI_Alltoallv");
SHUNT_EXPORT int shunt_MPI_Alltoallv_c(word, word, word, word, word, word, word, word, word) SHUNT_NAMED("MPI_Alltoallv_c");

typedef int (*seven_words)(word, word, word, word, word, word, word);
typedef int (*nine_words)(word, word, word, word, word, word, word, word, word);

/* A function of the library, found by name; for calls outside the MPICH ABI. */
static int call_seven(const char *name, const word *w)
{
    seven_words function = NULL;
    *(void **)&function = shunt_pmpi_symbol(name);
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6]) : SHUNT_NO_FUNCTION;
}

static int call_nine(const char *name, const word *w)
{
    nine_words function = NULL;
    *(void **)&function = shunt_pmpi_symbol(name);
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]) : SHUNT_NO_FUNCTION;
}

static int alltoall_slow(struct shunt_comm *comm, const word *w, bool wide)
{
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALL, .wide = wide, .comm = comm};
    x.in_place = (void *)w[0] == MPI_IN_PLACE;
    x.send = (struct shunt_side){.buffer = (void *)w[0], .count = wide ? (int64_t)w[1] : (int)w[1], .type = (MPI_Datatype)w[2]};
    x.recv = (struct shunt_side){.buffer = (void *)w[3], .count = wide ? (int64_t)w[4] : (int)w[4], .type = (MPI_Datatype)w[5]};
    return shunt_dispatch(&x);
}

static int alltoallv_slow(struct shunt_comm *comm, const word *w, bool wide)
{
    struct shunt_exchange x = {.op = SHUNT_OP_ALLTOALLV, .wide = wide, .comm = comm};
    x.in_place = (void *)w[0] == MPI_IN_PLACE;
    x.send = (struct shunt_side){
        .wide = wide, .buffer = (void *)w[0], .counts = (void *)w[1], .displs = (void *)w[2], .type = (MPI_Datatype)w[3]};
    x.recv = (struct shunt_side){
        .wide = wide, .buffer = (void *)w[4], .counts = (void *)w[5], .displs = (void *)w[6], .type = (MPI_Datatype)w[7]};
    return shunt_dispatch(&x);
}

#define ALLTOALL_BIT (1u << SHUNT_OP_ALLTOALL)
#define ALLTOALLV_BIT (1u << SHUNT_OP_ALLTOALLV)

/* The state of a communicator; NULL with *error set when the library refused it. */
static inline struct shunt_comm *find(word comm, int *error)
{
    return shunt_comm_find((MPI_Comm)comm, error);
}

SHUNT_EXPORT int shunt_MPI_Alltoall(word sendbuf, word sendcount, word sendtype, word recvbuf, word recvcount, word recvtype, word comm)
{
    if (!shunt_entry_ready(__builtin_return_address(0)))
        return call_seven("PMPI_Alltoall", (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm});
    if ((MPI_Comm)comm != MPI_COMM_NULL) {
        int error = MPI_SUCCESS;
        struct shunt_comm *state = find(comm, &error);
        if (!state)
            return error;
        if (!(state->bypass & ALLTOALL_BIT))
            return alltoall_slow(state, (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype}, false);
    }
    return shunt_pmpi.Alltoall((void *)sendbuf, (int)sendcount, (MPI_Datatype)sendtype, (void *)recvbuf, (int)recvcount,
                               (MPI_Datatype)recvtype, (MPI_Comm)comm);
}

SHUNT_EXPORT int shunt_MPI_Alltoall_c(word sendbuf, word sendcount, word sendtype, word recvbuf, word recvcount, word recvtype, word comm)
{
    if (!shunt_entry_ready(__builtin_return_address(0)) || !shunt_pmpi.Alltoall_c)
        return call_seven("PMPI_Alltoall_c", (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm});
    if ((MPI_Comm)comm != MPI_COMM_NULL) {
        int error = MPI_SUCCESS;
        struct shunt_comm *state = find(comm, &error);
        if (!state)
            return error;
        if (!(state->bypass & ALLTOALL_BIT))
            return alltoall_slow(state, (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype}, true);
    }
    return shunt_pmpi.Alltoall_c((void *)sendbuf, (MPI_Count)sendcount, (MPI_Datatype)sendtype, (void *)recvbuf, (MPI_Count)recvcount,
                                 (MPI_Datatype)recvtype, (MPI_Comm)comm);
}

SHUNT_EXPORT int shunt_MPI_Alltoallv(word sendbuf, word sendcounts, word sdispls, word sendtype, word recvbuf, word recvcounts,
                                     word rdispls, word recvtype, word comm)
{
    if (!shunt_entry_ready(__builtin_return_address(0)))
        return call_nine("PMPI_Alltoallv", (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm});
    if ((MPI_Comm)comm != MPI_COMM_NULL) {
        int error = MPI_SUCCESS;
        struct shunt_comm *state = find(comm, &error);
        if (!state)
            return error;
        if (!(state->bypass & ALLTOALLV_BIT))
            return alltoallv_slow(state, (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype}, false);
    }
    return shunt_pmpi.Alltoallv((void *)sendbuf, (int *)sendcounts, (int *)sdispls, (MPI_Datatype)sendtype, (void *)recvbuf,
                                (int *)recvcounts, (int *)rdispls, (MPI_Datatype)recvtype, (MPI_Comm)comm);
}

SHUNT_EXPORT int shunt_MPI_Alltoallv_c(word sendbuf, word sendcounts, word sdispls, word sendtype, word recvbuf, word recvcounts,
                                       word rdispls, word recvtype, word comm)
{
    if (!shunt_entry_ready(__builtin_return_address(0)) || !shunt_pmpi.Alltoallv_c)
        return call_nine("PMPI_Alltoallv_c",
                         (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm});
    if ((MPI_Comm)comm != MPI_COMM_NULL) {
        int error = MPI_SUCCESS;
        struct shunt_comm *state = find(comm, &error);
        if (!state)
            return error;
        if (!(state->bypass & ALLTOALLV_BIT))
            return alltoallv_slow(state, (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype}, true);
    }
    return shunt_pmpi.Alltoallv_c((void *)sendbuf, (MPI_Count *)sendcounts, (MPI_Aint *)sdispls, (MPI_Datatype)sendtype, (void *)recvbuf,
                                  (MPI_Count *)recvcounts, (MPI_Aint *)rdispls, (MPI_Datatype)recvtype, (MPI_Comm)comm);
}
