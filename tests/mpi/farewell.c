/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * farewell: MPI_Finalize calls the delete callbacks of MPI_COMM_SELF, the last one first; one of
 * them makes exchanges on a communicator that has been in use for long. Even ranks have registered
 * it before their first exchange, odd ones after it. usage: farewell even|all|none: the ranks that
 * register early
 */
#include <stdio.h>
#include <string.h>

#include "exchange.h"

static MPI_Comm used;

static int last_calls(MPI_Comm self, int key, void *value, void *extra)
{
    int rank;

    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    exchange_both(used, 5, 9);
    MPI_Comm_rank(used, &rank);
    if (rank == 0)
        printf("PASS: exchanges while MPI ends\n");
    return MPI_SUCCESS;
}

static void subscribe(void)
{
    int key;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_calls, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    EXCHANGE_REQUIRE(argc == 2, "usage: farewell even|all|none");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int early =
        strcmp(argv[1], "all") == 0 || (strcmp(argv[1], "even") == 0 && rank % 2 == 0);
    if (early)
        subscribe();
    MPI_Comm_dup(MPI_COMM_WORLD, &used);
    exchange_both(used, 8, 1);
    if (!early)
        subscribe();
    exchange_both(used, 2, 2);
    MPI_Finalize();
    return 0;
}
