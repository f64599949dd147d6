/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: collectives of set-up on the user's communicator or on a context: nonblocking,
 * watched. */
#include "communicator/collective.h"

#include "communicator/errors.h"
#include "communicator/wait.h"

int shunt_collective_wait(struct shunt_comm *comm, int posted, MPI_Request *request)
{
    return posted == MPI_SUCCESS ? shunt_wait_all(comm, 1, request, NULL, NULL) : posted;
}

int shunt_collective_begin_max(struct shunt_comm *comm, int64_t *values, int count,
                               MPI_Request *request)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    const int posted = SHUNT_TWICE(shunt_pmpi.Iallreduce(MPI_IN_PLACE, values, count, MPI_INT64_T,
                                                         MPI_MAX, comm->user, request));
    shunt_hush_end(&hush);
    return posted;
}

int shunt_collective_begin_broadcast(struct shunt_comm *comm, void *bytes, int count,
                                     MPI_Request *request)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    const int posted =
        SHUNT_TWICE(shunt_pmpi.Ibcast(bytes, count, MPI_BYTE, 0, comm->user, request));
    shunt_hush_end(&hush);
    return posted;
}

int shunt_collective_max(struct shunt_comm *comm, int64_t *values, int count)
{
    MPI_Request request;
    const int posted = shunt_collective_begin_max(comm, values, count, &request);
    return shunt_collective_wait(comm, posted, &request);
}

int shunt_collective_broadcast(struct shunt_comm *comm, void *bytes, uint64_t count)
{
    enum { PIECE = 1 << 30 };
    for (uint64_t at = 0; at < count; at += PIECE) {
        MPI_Request request;
        const int now = (int)(count - at < PIECE ? count - at : PIECE);
        const int posted =
            shunt_collective_begin_broadcast(comm, (char *)bytes + at, now, &request);
        const int status = shunt_collective_wait(comm, posted, &request);
        if (status != MPI_SUCCESS)
            return status;
    }
    return MPI_SUCCESS;
}
