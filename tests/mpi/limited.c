/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limited: exchanges on several communicators, with growing blocks, of a program that may write
 * files of a few KiB at most. usage: limited BYTES|none [die]: the limit comes after the first
 * calls; at the end every rank is killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exchange.h"

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comms[3];

    MPI_Init(&argc, &argv);
    EXCHANGE_REQUIRE(argc > 1, "usage: limited BYTES|none [die]");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange_both(MPI_COMM_WORLD, 4, 1);
    if (strcmp(argv[1], "none") != 0) {
        const struct rlimit limit = {.rlim_cur = (rlim_t)atol(argv[1]),
                                     .rlim_max = (rlim_t)atol(argv[1])};
        EXCHANGE_REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0, "the limit was refused");
    }
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        exchange_both(comms[i], 5, 10 + i);
        exchange_alltoall(comms[i], 5000 << i, 20 + i);
        exchange_alltoallv(comms[i], 5000 << i, 30 + i);
        exchange_both(MPI_COMM_WORLD, 2, 40 + i);
    }
    if (argc > 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        kill(getpid(), SIGKILL);
    }
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("PASS: exchanges with files of limited size\n");
    MPI_Finalize();
    return 0;
}
