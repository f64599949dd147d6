/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercommunicators: both halves of the world exchange with each other, also when one side has
 * nothing to send and passes NULL.
 */
#include <stdio.h>
#include <string.h>

#include "exchange.h"
#include "transcript.h"

#define MOST_RANKS 64

struct data {
    int send[MOST_RANKS], recv[MOST_RANKS], sent[MOST_RANKS], received[MOST_RANKS],
        places[MOST_RANKS];
};

static void note(const char *call, int error, const int *recv, int count)
{
    char text[400] = "";
    size_t used = 0;

    for (int i = 0; i < count && used < sizeof text - 16; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %d", recv[i]);
    transcript("%s: %s:%s", call, transcript_error(error), text);
}

int main(int argc, char **argv)
{
    struct data d;
    MPI_Comm half, inter;
    int rank, me, remote, left, error;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    left = rank % 3 == 0; /* unequal halves */
    MPI_Comm_split(MPI_COMM_WORLD, left, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, left ? 1 : 0, 3, &inter);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_remote_size(inter, &remote);
    exchange_both(MPI_COMM_WORLD, 2, 0);
    for (int round = 0; round < 5; round++) {
        memset(&d, 0, sizeof d);
        for (int j = 0; j < remote; j++) {
            d.send[j] = 1000 * rank + 10 * j + round;
            d.sent[j] = round == 3 && left ? 0 : 1;
            d.received[j] = round == 3 && !left ? 0 : 1;
            d.places[j] = j;
        }
        error = MPI_Alltoall(d.send, 1, MPI_INT, d.recv, 1, MPI_INT, inter);
        note("MPI_Alltoall", error, d.recv, remote);
        memset(d.recv, 0, sizeof d.recv);
        error = MPI_Alltoallv(round == 3 && left ? NULL : d.send, d.sent, d.places, MPI_INT,
                              round == 3 && !left ? NULL : d.recv, d.received, d.places, MPI_INT,
                              inter);
        note("MPI_Alltoallv", error, d.recv, remote);
        error = MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, inter);
        note("MPI_Alltoall of nothing", error, d.recv, 0);
    }
    exchange_both(half, 4, 0);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    transcript_print();
    MPI_Finalize();
    return 0;
}
