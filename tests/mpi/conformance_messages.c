/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's own messages around a call: wildcard receives posted before it, probes while others
 * are in it, sends and receives pending across it. What Shunt sends must be invisible to all of
 * them.
 */
#include <stdio.h>

#include "exchange.h"
#include "transcript.h"

static void no_message(MPI_Comm comm)
{
    MPI_Status status;
    MPI_Message message;
    int flag = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    if (flag)
        transcript("  MPI_Iprobe sees a message from %d with tag %d", status.MPI_SOURCE,
                   status.MPI_TAG);
    flag = 0;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, &status);
    if (flag)
        transcript("  MPI_Improbe sees a message from %d with tag %d", status.MPI_SOURCE,
                   status.MPI_TAG);
}

/* Ranks arrive late one after the other and look around before they join: early ones have sent
 * already. */
static void probes(MPI_Comm comm)
{
    int me, ranks;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    for (int late = 0; late < ranks; late++) {
        for (int i = 0; me == late && i < 200; i++)
            no_message(comm);
        exchange_alltoallv(comm, 3, late);
        no_message(comm);
        for (int i = 0; me == late && i < 200; i++)
            no_message(comm);
        exchange_alltoall(comm, 3, late);
        no_message(comm);
    }
    MPI_Barrier(comm); /* nobody sends anything before all have probed */
    transcript("probes are done");
}

static void pending(MPI_Comm comm, int source, int tag)
{
    int me, ranks, number, got = -1, flag = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    MPI_Irecv(&got, 1, MPI_INT, source, tag, comm, &requests[0]);
    exchange_both(comm, 5, 1);
    MPI_Test(&requests[0], &flag, &statuses[0]);
    transcript("receive from %d with tag %d: %s", source, tag,
               flag ? "filled too early" : "still waiting");
    if (flag)
        return;
    MPI_Barrier(comm); /* nobody sends before all have looked */
    number = 100 + me;
    MPI_Isend(&number, 1, MPI_INT, (me + 1) % ranks, 9, comm, &requests[1]);
    exchange_both(comm, 5, 2);
    MPI_Waitall(2, requests, statuses);
    transcript("  %d from %d with tag %d", got, statuses[0].MPI_SOURCE, statuses[0].MPI_TAG);
}

/* A synchronous send that nobody has received yet, over calls. */
static void rendezvous(MPI_Comm comm)
{
    static int big[100000], capacity[100000];
    int me, ranks;
    MPI_Request request;
    MPI_Status status;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 100000; i++)
        big[i] = me + i;
    MPI_Issend(big, 100000, MPI_INT, (me + 1) % ranks, 8, comm, &request);
    exchange_both(comm, 5, 3);
    MPI_Recv(capacity, 100000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Wait(&request, &status);
    MPI_Barrier(comm); /* nobody sends anything else before all have received */
    transcript("rendezvous: %d and %d", capacity[0], capacity[99999]);
}

static void stories(MPI_Comm comm)
{
    int me, ranks;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    pending(comm, MPI_ANY_SOURCE, MPI_ANY_TAG);
    pending(comm, MPI_ANY_SOURCE, 9);
    pending(comm, (me + ranks - 1) % ranks, MPI_ANY_TAG);
    probes(comm);
    rendezvous(comm);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[2];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[1]);
    stories(MPI_COMM_WORLD); /* from the very first call */
    stories(comms[0]);
    stories(comms[1]);
    stories(MPI_COMM_WORLD);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    transcript_print();
    MPI_Finalize();
    return 0;
}
