/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * farewell: MPI_Finalize calls the delete callbacks of MPI_COMM_SELF, the last one first; one of
 * them makes exchanges on a communicator that has been in use for long. Even ranks have registered
 * it before their first exchange, odd ones after it. usage: farewell even|all|none: the ranks that
 * register early; farewell world|half|turned: the callback is one of MPI_COMM_WORLD, which comes
 * last, and has the first exchange of the job, or of half of its ranks; "turned": odd ranks
 * register it after exchanges of all
 */
#include <stdio.h>
#include <stdlib.h>
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

static void subscribe(MPI_Comm comm)
{
    int key;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_calls, &key, NULL);
    MPI_Comm_set_attr(comm, key, NULL);
}

/* The callback of MPI_COMM_WORLD, and what comes before it. */
static void leave(int rank, const char *how)
{
    const int turned = strcmp(how, "turned") == 0, odd = rank % 2;
    MPI_Comm parity;

    used = MPI_COMM_WORLD;
    if (!turned || !odd)
        subscribe(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &parity);
    if (strcmp(how, "half") == 0 && !odd)
        exchange_both(parity, 3, 1);
    if (turned)
        exchange_both(MPI_COMM_WORLD, 6, 2);
    if (turned && odd)
        subscribe(MPI_COMM_WORLD);
    MPI_Comm_free(&parity);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank, provided;

    MPI_Init_thread(&argc, &argv,
                    getenv("FAREWELL_THREADS") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    EXCHANGE_REQUIRE(argc == 2, "usage: farewell even|all|none|world|half|turned");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "world") == 0 || strcmp(argv[1], "half") == 0 ||
        strcmp(argv[1], "turned") == 0) {
        leave(rank, argv[1]);
        return 0;
    }
    const int early =
        strcmp(argv[1], "all") == 0 || (strcmp(argv[1], "even") == 0 && rank % 2 == 0);
    if (early)
        subscribe(MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &used);
    exchange_both(used, 8, 1);
    if (!early)
        subscribe(MPI_COMM_SELF);
    exchange_both(used, 2, 2);
    MPI_Finalize();
    return 0;
}
