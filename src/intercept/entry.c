/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry.c: the four entry points that are routed.
 *
 * Arguments arrive as machine words, as the front has got them.
 */
#include "intercept/entry.h"

#include "base/size.h"
#include "comm/lifetime.h"
#include "intercept/counts.h"
#include "intercept/intercept.h"
#include "log/log.h"

/* The library's own function; where it lacks the large-count form the program could not have been
 * linked, but it may have looked. */
static int pass_alltoall(const word *w, bool wide)
{
    int(*function) SHUNT_TYPES7 = NULL;
    *(void **)&function = wide ? *(void **)&shunt_pmpi.Alltoall_c : *(void **)&shunt_pmpi.Alltoall;
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6]) : SHUNT_NO_FUNCTION;
}

static int pass_alltoallv(const word *w, bool wide)
{
    int(*function) SHUNT_TYPES9 = NULL;
    *(void **)&function =
        wide ? *(void **)&shunt_pmpi.Alltoallv_c : *(void **)&shunt_pmpi.Alltoallv;
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
                    : SHUNT_NO_FUNCTION;
}

/* A communicator that is none of the library's: whoever calls has another library in mind, and gets
 * what it would call without us. */
static int strange_alltoall(const word *w, bool wide, const void *caller)
{
    int(*function) SHUNT_TYPES7 = NULL;
    *(void **)&function = shunt_pmpi_next(caller, wide ? "MPI_Alltoall_c" : "MPI_Alltoall");
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6]) : pass_alltoall(w, wide);
}

static int strange_alltoallv(const word *w, bool wide, const void *caller)
{
    int(*function) SHUNT_TYPES9 = NULL;
    *(void **)&function = shunt_pmpi_next(caller, wide ? "MPI_Alltoallv_c" : "MPI_Alltoallv");
    return function ? function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
                    : pass_alltoallv(w, wide);
}

/* Every field is named: what a compiler clears first takes as long as the rest of a small call. */
static inline struct shunt_side side_of(word buffer, bool wide, word counts, word displs,
                                        int64_t count, word type)
{
    return (struct shunt_side){.wide = wide,
                               .buffer = (void *)buffer,
                               .counts = (void *)counts,
                               .displs = (void *)displs,
                               .count = count,
                               .type = (MPI_Datatype)type,
                               .size = 0,
                               .extent = 0,
                               .plain = false};
}

static inline int call(struct shunt_comm *comm, enum shunt_op op, bool wide, bool in_place,
                       struct shunt_side send, struct shunt_side recv)
{
    struct shunt_exchange x = {.op = op,
                               .wide = wide,
                               .in_place = in_place,
                               .send = send,
                               .recv = recv,
                               .type_error = MPI_SUCCESS,
                               .declined = false,
                               .raised = false,
                               .matched = false,
                               .block = 0,
                               .blocks = 0,
                               .comm = comm};
    return shunt_dispatch(&x);
}

static SHUNT_COLD int alltoall_slow(struct shunt_comm *comm, const word *w, bool wide)
{
    return call(comm, SHUNT_OP_ALLTOALL, wide, (void *)w[0] == MPI_IN_PLACE,
                side_of(w[0], false, 0, 0, wide ? (int64_t)w[1] : (int)w[1], w[2]),
                side_of(w[3], false, 0, 0, wide ? (int64_t)w[4] : (int)w[4], w[5]));
}

static SHUNT_COLD int alltoallv_slow(struct shunt_comm *comm, const word *w, bool wide)
{
    return call(comm, SHUNT_OP_ALLTOALLV, wide, (void *)w[0] == MPI_IN_PLACE,
                side_of(w[0], wide, w[1], w[2], 0, w[3]), side_of(w[4], wide, w[5], w[6], 0, w[7]));
}

/*
 * Calls before set-up, which only count: most that a program with many communicators makes. The
 * arguments are ones that no library refuses, so that the call counts before it is made, whatever
 * becomes of it.
 */
static inline bool only_counts(const struct shunt_comm *state)
{
    return state->calls + 1 < state->look;
}

static inline bool plain_buffers(word sendbuf, word sendtype, word recvbuf, word recvtype)
{
    return sendbuf && recvbuf && sendbuf != recvbuf && (void *)sendbuf != MPI_IN_PLACE &&
           (void *)recvbuf != MPI_IN_PLACE && shunt_type_known((MPI_Datatype)sendtype) &&
           shunt_type_known((MPI_Datatype)recvtype);
}

static inline bool plain_lists(const int *sends, const int *receives, word sdispls, word rdispls,
                               int size)
{
    int all = 0; /* the bits of all counts: its sign is that of any negative one */
    if (!sends || !receives || !sdispls || !rdispls)
        return false;
    for (int p = 0; p < size; p++)
        all |= sends[p] | receives[p];
    return all >= 0;
}

/* Open MPI refuses a call whose own block differs in size between sending and receiving. */
static inline bool plain_own(word sendcount, word sendtype, word recvcount, word recvtype)
{
    return !shunt_pmpi_is_open_mpi() || ((int)sendcount == (int)recvcount && sendtype == recvtype);
}

/* Whether that is so of a call; then it has been counted. */
static inline bool count_alltoall(struct shunt_comm *state, word sendbuf, word sendcount,
                                  word sendtype, word recvbuf, word recvcount, word recvtype)
{
    const bool counts = only_counts(state) && (int)sendcount >= 0 && (int)recvcount >= 0 &&
                        plain_buffers(sendbuf, sendtype, recvbuf, recvtype) &&
                        plain_own(sendcount, sendtype, recvcount, recvtype);
    state->calls += counts;
    return counts;
}

static inline bool count_alltoallv(struct shunt_comm *state, word sendbuf, const int *sends,
                                   word sdispls, word sendtype, word recvbuf, const int *receives,
                                   word rdispls, word recvtype)
{
    const bool counts =
        only_counts(state) && plain_buffers(sendbuf, sendtype, recvbuf, recvtype) &&
        plain_lists(sends, receives, sdispls, rdispls, state->size) &&
        plain_own((word)sends[state->rank], sendtype, (word)receives[state->rank], recvtype);
    state->calls += counts;
    return counts;
}

/* Alltoall: blocks of this size were native before. Depends on nothing but the block size, which is
 * the same on all ranks. `size`: of an element; -1: not known. */
static inline bool is_quiet(const struct shunt_comm *state, int64_t count, int64_t size)
{
    if (state->quiet_to < state->quiet_from || count < 0 || size < 0)
        return false;
    const int64_t bytes = shunt_bytes_of(count, size);
    return bytes >= state->quiet_from && bytes <= state->quiet_to;
}

static bool is_quiet_derived(const struct shunt_comm *state, const word *w)
{
    const bool in_place = (void *)w[0] == MPI_IN_PLACE;
    return state->quiet_to >= state->quiet_from &&
           is_quiet(state, (int)(in_place ? w[4] : w[1]),
                    shunt_type_size((MPI_Datatype)(in_place ? w[5] : w[2])));
}

/* Everything but the fast path of an Alltoall. state: NULL: not found yet. w: the seven arguments.
 * caller: a return address. Kept out of line so that the fast path needs no stack. */
static SHUNT_COLD int alltoall_entry(struct shunt_comm *state, const word *w, bool wide,
                                     const void *caller)
{
    int error = MPI_SUCCESS;
    if (wide && !shunt_pmpi.Alltoall_c)
        return pass_alltoall(w, wide);
    if (!state && !shunt_pmpi_can_be_comm((MPI_Comm)w[6]))
        return strange_alltoall(w, wide, caller);
    if (!state)
        state = shunt_comm_find((MPI_Comm)w[6], &error);
    if (error != MPI_SUCCESS)
        return error;
    if (!state || state->bypass & 1u << SHUNT_OP_ALLTOALL ||
        (!wide &&
         (count_alltoall(state, w[0], w[1], w[2], w[3], w[4], w[5]) || is_quiet_derived(state, w))))
        return pass_alltoall(w, wide);
    return alltoall_slow(state, w, wide);
}

static SHUNT_COLD int alltoallv_entry(struct shunt_comm *state, const word *w, bool wide,
                                      const void *caller)
{
    int error = MPI_SUCCESS;
    if (wide && !shunt_pmpi.Alltoallv_c)
        return pass_alltoallv(w, wide);
    if (!state && !shunt_pmpi_can_be_comm((MPI_Comm)w[8]))
        return strange_alltoallv(w, wide, caller);
    if (!state)
        state = shunt_comm_find((MPI_Comm)w[8], &error);
    if (error != MPI_SUCCESS)
        return error;
    if (!state || state->bypass & 1u << SHUNT_OP_ALLTOALLV ||
        (!wide &&
         count_alltoallv(state, w[0], (int *)w[1], w[2], w[3], w[4], (int *)w[5], w[6], w[7])))
        return pass_alltoallv(w, wide);
    return alltoallv_slow(state, w, wide);
}

/*
 * The fast path: one of the thread's last communicators, and an answer that is known to be native.
 * The arguments are passed on where they are (a tail call).
 */
static inline struct shunt_comm *last_state(word comm)
{
    return shunt_comm_cached((MPI_Comm)comm);
}

static inline bool is_quiet_known(const struct shunt_comm *state, word sendbuf, word sendcount,
                                  word sendtype, word recvcount, word recvtype)
{
    const bool in_place = (void *)sendbuf == MPI_IN_PLACE;
    const struct shunt_type_facts *type =
        shunt_type_known((MPI_Datatype)(in_place ? recvtype : sendtype));
    return type && is_quiet(state, (int)(in_place ? recvcount : sendcount), type->size);
}

int shunt_entry_MPI_Alltoall(word sendbuf, word sendcount, word sendtype, word recvbuf,
                             word recvcount, word recvtype, word comm)
{
    struct shunt_comm *state = last_state(comm);
    if (state && (state->bypass & 1u << SHUNT_OP_ALLTOALL ||
                  is_quiet_known(state, sendbuf, sendcount, sendtype, recvcount, recvtype)))
        return shunt_pmpi.Alltoall((void *)sendbuf, (int)sendcount, (MPI_Datatype)sendtype,
                                   (void *)recvbuf, (int)recvcount, (MPI_Datatype)recvtype,
                                   (MPI_Comm)comm);
    return alltoall_entry(
        state, (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm}, false,
        __builtin_return_address(0));
}

int shunt_entry_MPI_Alltoall_c(word sendbuf, word sendcount, word sendtype, word recvbuf,
                               word recvcount, word recvtype, word comm)
{
    struct shunt_comm *state = last_state(comm);
    if (state && shunt_pmpi.Alltoall_c && state->bypass & 1u << SHUNT_OP_ALLTOALL)
        return shunt_pmpi.Alltoall_c((void *)sendbuf, (MPI_Count)sendcount, (MPI_Datatype)sendtype,
                                     (void *)recvbuf, (MPI_Count)recvcount, (MPI_Datatype)recvtype,
                                     (MPI_Comm)comm);
    return alltoall_entry(
        state, (word[]){sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm}, true,
        __builtin_return_address(0));
}

int shunt_entry_MPI_Alltoallv(word sendbuf, word sendcounts, word sdispls, word sendtype,
                              word recvbuf, word recvcounts, word rdispls, word recvtype, word comm)
{
    struct shunt_comm *state = last_state(comm);
    if (state && state->bypass & 1u << SHUNT_OP_ALLTOALLV)
        return shunt_pmpi.Alltoallv((void *)sendbuf, (int *)sendcounts, (int *)sdispls,
                                    (MPI_Datatype)sendtype, (void *)recvbuf, (int *)recvcounts,
                                    (int *)rdispls, (MPI_Datatype)recvtype, (MPI_Comm)comm);
    return alltoallv_entry(state,
                           (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                    rdispls, recvtype, comm},
                           false, __builtin_return_address(0));
}

int shunt_entry_MPI_Alltoallv_c(word sendbuf, word sendcounts, word sdispls, word sendtype,
                                word recvbuf, word recvcounts, word rdispls, word recvtype,
                                word comm)
{
    struct shunt_comm *state = last_state(comm);
    if (state && shunt_pmpi.Alltoallv_c && state->bypass & 1u << SHUNT_OP_ALLTOALLV)
        return shunt_pmpi.Alltoallv_c((void *)sendbuf, (MPI_Count *)sendcounts, (MPI_Aint *)sdispls,
                                      (MPI_Datatype)sendtype, (void *)recvbuf,
                                      (MPI_Count *)recvcounts, (MPI_Aint *)rdispls,
                                      (MPI_Datatype)recvtype, (MPI_Comm)comm);
    return alltoallv_entry(state,
                           (word[]){sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                    rdispls, recvtype, comm},
                           true, __builtin_return_address(0));
}
