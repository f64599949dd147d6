/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call of the matrix: its arguments, the call itself in each of its forms, and what must be
 * true afterwards.
 */
#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"
#include "mpi4.h"

static void vectors_make(struct matrix_vectors *vectors, const struct matrix_side *side)
{
    size_t ranks = (size_t)side->ranks;

    vectors->ranks = side->ranks;
    vectors->counts = matrix_need(ranks * sizeof *vectors->counts);
    vectors->places = matrix_need(ranks * sizeof *vectors->places);
    vectors->large_counts = matrix_need(ranks * sizeof *vectors->large_counts);
    vectors->large_places = matrix_need(ranks * sizeof *vectors->large_places);
    for (size_t j = 0; j < ranks; j++) {
        vectors->counts[j] = (int)side->count[j];
        vectors->places[j] = (int)side->first[j];
        vectors->large_counts[j] = side->count[j];
        vectors->large_places[j] = side->first[j];
    }
}

static bool vectors_same(const struct matrix_vectors *vectors, const struct matrix_side *side)
{
    for (int j = 0; j < side->ranks; j++) {
        if (vectors->counts[j] != side->count[j] || vectors->places[j] != side->first[j] ||
            vectors->large_counts[j] != side->count[j] ||
            vectors->large_places[j] != side->first[j])
            return false;
    }
    return true;
}

static void vectors_clear(struct matrix_vectors *vectors)
{
    free(vectors->counts);
    free(vectors->places);
    free(vectors->large_counts);
    free(vectors->large_places);
}

void matrix_call_make(struct matrix_call *call, const struct matrix_case *c, MPI_Comm comm)
{
    int ranks, me;

    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &me);
    call->c = c;
    matrix_side_make(&call->send, c, ranks, me, true);
    matrix_side_make(&call->recv, c, ranks, me, false);
    vectors_make(&call->from, &call->send);
    vectors_make(&call->to, &call->recv);
}

/* Arguments of the send side. In place they are ignored by MPI: NULL and nonsense, as programs pass
 * it. */
struct arguments {
    void *buffer;
    MPI_Datatype type;
    const int *counts, *places;
    const MPI_Count *large_counts;
    const MPI_Aint *large_places;
};

static struct arguments arguments_of(const struct matrix_call *call)
{
    static const MPI_Count zero;
    static const int none;

    if (!call->c->in_place)
        return (struct arguments){call->send.argument,     call->send.type,
                                  call->from.counts,       call->from.places,
                                  call->from.large_counts, call->from.large_places};
    return matrix_is_v(call->c)
               ? (struct arguments){MPI_IN_PLACE, MPI_DATATYPE_NULL, NULL, NULL, NULL, NULL}
               : (struct arguments){MPI_IN_PLACE, MPI_DATATYPE_NULL, &none, NULL, &zero, NULL};
}

int matrix_call_run(const struct matrix_call *call, MPI_Comm comm)
{
    const struct arguments from = arguments_of(call);
    const struct matrix_side *recv = &call->recv;
    const struct matrix_vectors *to = &call->to;

    switch (call->c->op) {
    case MATRIX_ALLTOALL:
        return MPI_Alltoall(from.buffer, from.counts[0], from.type, recv->argument, to->counts[0],
                            recv->type, comm);
    case MATRIX_ALLTOALL_C:
        return MPI_Alltoall_c(from.buffer, from.large_counts[0], from.type, recv->argument,
                              to->large_counts[0], recv->type, comm);
    case MATRIX_ALLTOALLV:
        return MPI_Alltoallv(from.buffer, from.counts, from.places, from.type, recv->argument,
                             to->counts, to->places, recv->type, comm);
    default:
        return MPI_Alltoallv_c(from.buffer, from.large_counts, from.large_places, from.type,
                               recv->argument, to->large_counts, to->large_places, recv->type,
                               comm);
    }
}

int matrix_call_begin(const struct matrix_call *call, MPI_Comm comm, MPI_Request *request)
{
    const struct arguments from = arguments_of(call);
    const struct matrix_side *recv = &call->recv;
    const struct matrix_vectors *to = &call->to;

    switch (call->c->op) {
    case MATRIX_ALLTOALL:
        return MPI_Ialltoall(from.buffer, from.counts[0], from.type, recv->argument, to->counts[0],
                             recv->type, comm, request);
    case MATRIX_ALLTOALL_C:
        return MPI_Ialltoall_c(from.buffer, from.large_counts[0], from.type, recv->argument,
                               to->large_counts[0], recv->type, comm, request);
    case MATRIX_ALLTOALLV:
        return MPI_Ialltoallv(from.buffer, from.counts, from.places, from.type, recv->argument,
                              to->counts, to->places, recv->type, comm, request);
    default:
        return MPI_Ialltoallv_c(from.buffer, from.large_counts, from.large_places, from.type,
                                recv->argument, to->large_counts, to->large_places, recv->type,
                                comm, request);
    }
}

bool matrix_call_check(const struct matrix_call *call, int error, char *text, size_t capacity)
{
    if (error != MPI_SUCCESS) {
        char name[MPI_MAX_ERROR_STRING];
        int length;

        MPI_Error_string(error, name, &length);
        snprintf(text, capacity, "%s", name);
        return false;
    }
    if (!matrix_side_check(&call->recv, "receive buffer", text, capacity) ||
        !matrix_side_check(&call->send, "send buffer", text, capacity))
        return false;
    if (vectors_same(&call->from, &call->send) && vectors_same(&call->to, &call->recv))
        return true;
    snprintf(text, capacity, "counts or displacements of the caller were changed");
    return false;
}

void matrix_call_clear(struct matrix_call *call)
{
    vectors_clear(&call->from);
    vectors_clear(&call->to);
    matrix_side_clear(&call->send);
    matrix_side_clear(&call->recv);
}
