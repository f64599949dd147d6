/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts that do not match pairwise. Receivers with room to spare get their data and keep the rest
 * of their block; receivers with too little room get MPI_ERR_TRUNCATE, and not one byte is written
 * past the end of a receive block. "conformance_truncation fatal" ends by such an error.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "exchange.h"
#include "transcript.h"

#define MOST_RANKS 16
#define SIZE 4096 /* bytes per block, data and guard */
#define GUARD 0x5a

static bool fatal; /* errors end the program */
static unsigned char send[MOST_RANKS * SIZE], recv[MOST_RANKS * SIZE];

/* Every rank sends `out` bytes to each, and expects `in` from rank `from`, `out` from others (from
 * < 0: `in` from all). */
static void scenario(MPI_Comm comm, int out, int in, int from, int receiver)
{
    int sent[MOST_RANKS], received[MOST_RANKS], places[MOST_RANKS];
    int me, ranks, error, overrun = 0, wrong = 0;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    memset(recv, GUARD, sizeof recv);
    for (int j = 0; j < ranks; j++) {
        sent[j] = out;
        received[j] = (from < 0 || from == j) && (receiver < 0 || receiver == me) ? in : out;
        places[j] = j * SIZE;
        memset(send + places[j], me + 1, SIZE);
    }
    transcript("%d bytes for a block of %d%s%s", out, in, from < 0 ? " from all" : " from one",
               receiver < 0 ? "" : " on one rank");
    error = MPI_Alltoallv(send, sent, places, MPI_BYTE, recv, received, places, MPI_BYTE, comm);
    transcript("  %s", transcript_error(error));
    for (int j = 0; j < ranks; j++) {
        const unsigned char *block = recv + places[j];
        int whole = received[j] < out ? received[j] : out;

        for (int i = whole; i < SIZE; i++)
            overrun += block[i] != GUARD;
        for (int i = 0; i < whole && received[j] >= out; i++)
            wrong += block[i] != j + 1;
    }
    transcript("  %d bytes past the data changed", overrun);
    if (error == MPI_SUCCESS)
        transcript("  %d bytes of the data wrong", wrong);
    MPI_Barrier(MPI_COMM_WORLD);
}

/*
 * Messages that do not fit leave others behind in MPICH itself, so such a communicator is neither
 * used again nor freed (a later one would get its context id and its messages). `calls`: exchanges
 * before it.
 */
static void too_long(int calls, int out, int in, int from, int receiver)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "the user's own");
    if (!fatal)
        MPI_Comm_set_errhandler(comm, transcript_handler());
    exchange_both(comm, calls, 1);
    scenario(comm, out, in, from, receiver);
    exchange_both(MPI_COMM_WORLD, 1, 0);
}

static void room_to_spare(MPI_Comm comm)
{
    int ranks;

    MPI_Comm_size(comm, &ranks);
    scenario(comm, 100, 100, -1, -1);
    scenario(comm, 100, 300, -1, -1);
    scenario(comm, 100, 300, 0, ranks - 1);
    scenario(comm, 1, 64, ranks - 1, 0);
    exchange_both(comm, 2, 1);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, transcript_handler());
    exchange_both(MPI_COMM_WORLD, 1, 0);
    fatal = argc > 1;
    if (fatal)
        too_long(3, 300, 100, -1, -1);
    room_to_spare(comm);
    room_to_spare(comm);
    MPI_Comm_free(&comm);
    for (int calls = 0; calls < 4; calls += 3) {
        too_long(calls, 300, 100, -1, -1);
        too_long(calls, 300, 100, ranks - 1, 0);
        too_long(calls, 301, 300, 0, ranks - 1);
        too_long(calls, 8, 0, 0, 1);
    }
    transcript_print();
    MPI_Finalize();
    return 0;
}
