/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forgetful: a program that takes something away after MPI_Init, before its first call. usage:
 * forgetful environment|descriptors
 *
 * Rank 0 clears its environment; or every rank may open no file any more, but for the connections
 * of the library, which exist by then.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "exchange.h"

static void use_up_descriptors(void)
{
    struct rlimit limit;

    EXCHANGE_REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit can be read");
    limit.rlim_cur = 256;
    EXCHANGE_REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0, "the limit was refused");
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
}

int main(int argc, char **argv)
{
    int rank, ranks, value = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < ranks; i++) /* all connections */
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + i) % ranks, 0, (rank + ranks - i) % ranks,
                             0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXCHANGE_REQUIRE(argc > 1, "usage: forgetful environment|descriptors");
    if (strcmp(argv[1], "descriptors") == 0)
        use_up_descriptors();
    else if (rank == 0)
        clearenv();
    exchange_both(MPI_COMM_WORLD, 100, 1);
    if (rank == 0)
        printf("PASS: 200 calls\n");
    MPI_Finalize();
    return 0;
}
