/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.c: MPI behind dlopen. A shared object made with the MPI library's wrapper; host.c, which
 * knows no MPI, opens it with RTLD_LOCAL, so that neither MPI nor its profiling interface can be
 * found in the global scope.
 */
#include "plugin.h"
#include <stddef.h>

#include "exchange.h"

int plugin_run(int *ranks, long *wrong)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    const long mine = exchange_rounds(MPI_COMM_WORLD, 6, MPI_Alltoallv);
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
    world->communicator = (intptr_t)MPI_COMM_WORLD;
    world->int_type = (intptr_t)MPI_INT;
    return 0;
}

int plugin_stop(void)
{
    return MPI_Finalize() != MPI_SUCCESS;
}

int plugin_exchange(const void *send, const int *send_counts, const int *send_at,
                    intptr_t send_type, void *receive, const int *receive_counts,
                    const int *receive_at, intptr_t receive_type, intptr_t communicator)
{
    return MPI_Alltoallv(send, send_counts, send_at, (MPI_Datatype)send_type, receive,
                         receive_counts, receive_at, (MPI_Datatype)receive_type,
                         (MPI_Comm)communicator);
}
