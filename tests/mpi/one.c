/* SPDX-License-Identifier: BSD-3-Clause */
/* one: a single call on MPI_COMM_WORLD. usage: one alltoall|alltoallv BYTES [in-place] */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

int main(int argc, char **argv)
{
    int ranks;

    MPI_Init(&argc, &argv);
    EXCHANGE_REQUIRE(argc >= 3, "usage: one alltoall|alltoallv BYTES [in-place]");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int bytes = atoi(argv[2]);
    const size_t room = (size_t)ranks * (size_t)bytes;
    unsigned char *send = exchange_need(room), *recv = exchange_need(room);
    int *counts = exchange_need((size_t)ranks * sizeof *counts),
        *places = exchange_need((size_t)ranks * sizeof *places);
    for (int p = 0; p < ranks; p++) {
        counts[p] = bytes;
        places[p] = p * bytes;
    }
    memset(send, 1, room);
    memset(recv, 1, room);
    const void *from = argc > 3 ? MPI_IN_PLACE : send;
    if (strcmp(argv[1], "alltoall") == 0)
        MPI_Alltoall(from, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else
        MPI_Alltoallv(from, counts, places, MPI_BYTE, recv, counts, places, MPI_BYTE,
                      MPI_COMM_WORLD);
    EXCHANGE_REQUIRE(memcmp(send, recv, room) == 0, "wrong bytes");
    free(send);
    free(recv);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
