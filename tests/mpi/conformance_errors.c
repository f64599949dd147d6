/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Invalid arguments: which error comes back, how often the error handler is called and on which
 * communicator, and whether the communicator still works. On all ranks, then on one rank only,
 * which then makes the call that the others are in.
 */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "transcript.h"

#define MOST_RANKS 64

/* Open MPI does not look at buffers, nor whether a type is one, and dies of them. */
#ifdef OMPI_MAJOR_VERSION
#define MOST_WRONG NULL_SEND_BUFFER
#else
#define MOST_WRONG WRONGS
#endif

enum wrong {
    NOTHING,
    NEGATIVE_SEND_COUNT,
    NEGATIVE_RECV_COUNT,
    NULL_SEND_TYPE,
    NULL_RECV_TYPE,
    UNCOMMITTED_SEND_TYPE,
    UNCOMMITTED_RECV_TYPE,
    IN_PLACE_RECV,
    ALIASED,
    NULL_SEND_BUFFER,
    NULL_RECV_BUFFER,
    DERIVED_NULL_SEND_BUFFER,
    DERIVED_NULL_RECV_BUFFER,
    NULL_BUFFERS_ONE_LIST,
    NO_SEND_TYPE,
    NO_RECV_TYPE,
    WRONGS
};

static const char *const names[WRONGS] = {"nothing wrong",
                                          "negative send count",
                                          "negative receive count",
                                          "send type null",
                                          "receive type null",
                                          "send type uncommitted",
                                          "receive type uncommitted",
                                          "receive buffer MPI_IN_PLACE",
                                          "aliased buffers",
                                          "send buffer null",
                                          "receive buffer null",
                                          "send buffer null, derived type",
                                          "receive buffer null, derived type",
                                          "both buffers null, one list of counts",
                                          "send type no datatype",
                                          "receive type no datatype"};

struct arguments {
    int send[MOST_RANKS], recv[MOST_RANKS], counts[MOST_RANKS], places[MOST_RANKS];
};

static MPI_Datatype uncommitted, derived;

static int call(MPI_Comm comm, int v, enum wrong wrong, int count)
{
    struct arguments a;
    int ranks = 1;
    MPI_Datatype from = MPI_INT, to = MPI_INT;
    void *send = a.send, *recv = a.recv;

    if (comm != MPI_COMM_NULL)
        MPI_Comm_size(comm, &ranks);
    memset(&a, 0, sizeof a);
    for (int j = 0; j < ranks; j++) {
        a.counts[j] = count;
        a.places[j] = j;
    }
    from = wrong == NULL_SEND_TYPE             ? MPI_DATATYPE_NULL
           : wrong == UNCOMMITTED_SEND_TYPE    ? uncommitted
           : wrong == DERIVED_NULL_SEND_BUFFER ? derived
           : wrong == NO_SEND_TYPE             ? 0
                                               : from;
    to = wrong == NULL_RECV_TYPE             ? MPI_DATATYPE_NULL
         : wrong == UNCOMMITTED_RECV_TYPE    ? uncommitted
         : wrong == DERIVED_NULL_RECV_BUFFER ? derived
         : wrong == NO_RECV_TYPE             ? (MPI_Datatype)MPI_COMM_WORLD
                                             : to;
    send = wrong == ALIASED                                                 ? recv
           : wrong == NULL_SEND_BUFFER || wrong == DERIVED_NULL_SEND_BUFFER ? NULL
                                                                            : send;
    recv = wrong == NULL_RECV_BUFFER || wrong == DERIVED_NULL_RECV_BUFFER ? NULL
           : wrong == IN_PLACE_RECV                                       ? MPI_IN_PLACE
                                                                          : recv;
    if (wrong == NULL_BUFFERS_ONE_LIST) {
        send = recv = NULL;
        if (v)
            return MPI_Alltoallv(send, a.counts, a.places, from, recv, a.counts, a.places, to,
                                 comm);
    }
    if (v) {
        struct arguments b = a;

        if (wrong == NEGATIVE_SEND_COUNT)
            a.counts[ranks - 1] = -1;
        if (wrong == NEGATIVE_RECV_COUNT)
            b.counts[ranks - 1] = -1;
        return MPI_Alltoallv(send, a.counts, a.places, from, recv, b.counts, b.places, to, comm);
    }
    return MPI_Alltoall(send, wrong == NEGATIVE_SEND_COUNT ? -1 : count, from, recv,
                        wrong == NEGATIVE_RECV_COUNT ? -1 : count, to, comm);
}

/* `culprit`: the rank that is wrong, -1 for all; one that is makes the call again, in which nobody
 * has data. */
static void scenario(MPI_Comm comm, int v, enum wrong wrong, int culprit)
{
    const int before = transcript_noted();
    int me, error;

    MPI_Comm_rank(comm, &me);
    transcript("MPI_Alltoall%s, %s on %s", v ? "v" : "", names[wrong],
               culprit < 0 ? "all ranks" : "one rank");
    error = call(comm, v, culprit < 0 || culprit == me ? wrong : NOTHING, culprit < 0 ? 1 : 0);
    transcript("  %s", transcript_error(error));
    if ((error != MPI_SUCCESS || transcript_noted() > before) && culprit == me)
        transcript("  then %s", transcript_error(call(comm, v, NOTHING, 0)));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void stories(MPI_Comm comm)
{
    int ranks;

    MPI_Comm_size(comm, &ranks);
    for (int v = 0; v < 2; v++) {
        for (enum wrong wrong = NEGATIVE_SEND_COUNT; wrong < MOST_WRONG; wrong++) {
            scenario(comm, v, wrong, -1);
            exchange_both(comm, 1, (int)wrong);
            scenario(comm, v, wrong, 0);
            exchange_both(comm, 1, (int)wrong);
            scenario(comm, v, wrong, ranks - 1);
            exchange_both(comm, 2, (int)wrong);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int error;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "the user's own");
    MPI_Comm_set_errhandler(comm, transcript_handler());
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, transcript_handler());
    MPI_Type_contiguous(1, MPI_INT, &uncommitted);
    MPI_Type_contiguous(1, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    exchange_both(MPI_COMM_WORLD, 1, 0);
    stories(
        comm); /* from the first call on: errors before the communicator is set up count as calls */
    exchange_both(comm, 4, 1);
    stories(comm);
    stories(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    stories(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, transcript_handler());
    error = call(MPI_COMM_NULL, 0, NOTHING, 1);
    transcript("MPI_Alltoall on MPI_COMM_NULL: %s", transcript_error(error));
    error = call(MPI_COMM_NULL, 1, NOTHING, 1);
    transcript("MPI_Alltoallv on MPI_COMM_NULL: %s", transcript_error(error));
    MPI_Type_free(&uncommitted);
    MPI_Type_free(&derived);
    MPI_Comm_free(&comm);
    transcript_print();
    MPI_Finalize();
    return 0;
}
