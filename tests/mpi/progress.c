/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress: ranks enter an exchange with something unfinished that another rank needs first. Rank 0
 * sends a large message without waiting for it; rank 1 receives it before it joins the exchange.
 * While rank 0 waits in the exchange, MPI must go on delivering its message.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exchange.h"

#define LARGE (16 << 20)

int main(int argc, char **argv)
{
    int me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    unsigned char *message = exchange_need(LARGE);
    exchange_both(MPI_COMM_WORLD, 8, 1);
    for (int turn = 0; turn < 4; turn++) {
        MPI_Request request = MPI_REQUEST_NULL;
        for (int i = 0; me == 0 && i < LARGE; i++)
            message[i] = (unsigned char)(i * 7 + turn);
        if (me == 0)
            MPI_Isend(message, LARGE, MPI_BYTE, 1, turn, MPI_COMM_WORLD, &request);
        if (me == 1) {
            MPI_Recv(message, LARGE, MPI_BYTE, 0, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < LARGE; i++)
                EXCHANGE_REQUIRE(message[i] == (unsigned char)(i * 7 + turn),
                                 "byte %d of message %d", i, turn);
        }
        exchange_both(MPI_COMM_WORLD, 2, 2 + turn);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(message);
    if (me == 0)
        printf("PASS: four messages and the exchanges around them\n");
    MPI_Finalize();
    return 0;
}
