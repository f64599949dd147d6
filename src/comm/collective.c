/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: collectives of set-up on the user's communicator or on a team: nonblocking,
 * watched. */
#include "comm/collective.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "comm/wait.h"
#include "process/errors.h"

struct waiting {
    struct shunt_comm *comm;
    MPI_Request *request;
    int status;
};

/* Its steps, of which one may be a reduction, are taken while it is waited for. */
static void wait_for(void *context)
{
    struct waiting *waiting = context;
    waiting->status = shunt_wait_all(waiting->comm, 1, waiting->request, NULL, NULL);
}

int shunt_collective_wait(struct shunt_comm *comm, int posted, MPI_Request *request)
{
    struct waiting waiting = {.comm = comm, .request = request, .status = posted};
    if (posted == MPI_SUCCESS)
        shunt_room_run(wait_for, &waiting);
    return waiting.status;
}

struct posting {
    bool max; /* or a broadcast of rank 0 */
    void *values;
    int count, status;
    MPI_Comm on;
    MPI_Request *request;
};

static void post(void *context)
{
    struct posting *p = context;
    p->status =
        p->max
            ? SHUNT_TWICE(shunt_pmpi.Iallreduce(MPI_IN_PLACE, p->values, p->count, MPI_INT64_T,
                                                MPI_MAX, p->on, p->request))
            : SHUNT_TWICE(shunt_pmpi.Ibcast(p->values, p->count, MPI_BYTE, 0, p->on, p->request));
}

static int begin(struct posting posting)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, posting.on);
    shunt_room_run(post, &posting);
    shunt_hush_end(&hush);
    return posting.status;
}

int shunt_collective_begin_max(struct shunt_comm *comm, int64_t *values, int count,
                               MPI_Request *request)
{
    return begin((struct posting){
        .max = true, .values = values, .count = count, .on = comm->user, .request = request});
}

int shunt_collective_begin_broadcast(struct shunt_comm *comm, void *bytes, int count,
                                     MPI_Request *request)
{
    return begin(
        (struct posting){.values = bytes, .count = count, .on = comm->user, .request = request});
}

int shunt_collective_max(struct shunt_comm *comm, int64_t *values, int count)
{
    MPI_Request request;
    const int posted = shunt_collective_begin_max(comm, values, count, &request);
    return shunt_collective_wait(comm, posted, &request);
}

/* After giving up, the library may still write to the values: they stay until the process ends. */
int shunt_collective_meet(struct shunt_comm *comm, int64_t *values, int count)
{
    int64_t *lasting = malloc((size_t)count * sizeof *lasting);
    if (!lasting)
        return shunt_collective_max(comm, values, count);
    memcpy(lasting, values, (size_t)count * sizeof *lasting);
    comm->diag.patient = true;
    const int status = shunt_collective_max(comm, lasting, count);
    comm->diag.patient = false;
    if (comm->diag.gave_up)
        return status;
    memcpy(values, lasting, (size_t)count * sizeof *lasting);
    free(lasting);
    return status;
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
