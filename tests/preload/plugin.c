/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.c: MPI behind dlopen. A shared object made with MPICH's wrapper; host.c, which knows no
 * MPI, opens it with RTLD_LOCAL, so that neither MPI nor its profiling interface can be found in
 * the global scope.
 */
#include "plugin.h"
#include <stddef.h>

#include "exchange.h"

/* Communicators that come and go, by either function and either name of it; each is used so often.
 */
static long copies(int exchanges)
{
    static int (*const ends[])(MPI_Comm *) = {MPI_Comm_free, PMPI_Comm_free, MPI_Comm_disconnect,
                                              PMPI_Comm_disconnect};
    enum { ROUNDS = 5, ENDS = sizeof ends / sizeof ends[0] };
    long wrong = 0;
    for (int i = 0; i < ROUNDS * ENDS; i++) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        if (exchanges > 0)
            wrong += exchange_rounds(copy, exchanges, MPI_Alltoallv);
        wrong += ends[i % ENDS](&copy) != MPI_SUCCESS || copy != MPI_COMM_NULL;
    }
    return wrong;
}

int plugin_run(int *ranks, long *wrong)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    long mine = copies(0); /* before any call is intercepted */
    mine += exchange_rounds(MPI_COMM_WORLD, 6, MPI_Alltoallv);
    mine += copies(2);
    if (MPI_Allreduce(&mine, wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS)
        return 1;
    return MPI_Finalize() != MPI_SUCCESS;
}

int plugin_start(struct plugin_world *world)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->ranks);
    world->communicator = MPI_COMM_WORLD;
    world->int_type = MPI_INT;
    return 0;
}

int plugin_stop(void)
{
    return MPI_Finalize() != MPI_SUCCESS;
}

int plugin_exchange(const void *send, const int *send_counts, const int *send_at, int send_type,
                    void *receive, const int *receive_counts, const int *receive_at,
                    int receive_type, int communicator)
{
    return MPI_Alltoallv(send, send_counts, send_at, send_type, receive, receive_counts, receive_at,
                         receive_type, communicator);
}

int plugin_copy(int communicator, int *copy)
{
    return MPI_Comm_dup(communicator, copy);
}

int plugin_free(int *communicator)
{
    return MPI_Comm_free(communicator);
}
