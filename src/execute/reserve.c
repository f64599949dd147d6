/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reserve.c: memory that calls on a communicator take turns in: scratch, staging, requests. It only
 * grows, with the first call that needs more; calls in between allocate nothing.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "execute/plan.h"

enum { SCRATCH_LARGE = 1 << 20 };

int64_t shunt_reserve_bytes(uint32_t blocks, int64_t block)
{
    return blocks > 0 && block > (INT64_MAX >> 2) / (int64_t)blocks ? INT64_MAX >> 2
                                                                    : (int64_t)blocks * block;
}

/* What is large is address space: it is made for the largest case, and what no call touches costs
 * nothing. */
static void *map_pages(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void scratch_free(struct shunt_comm *comm)
{
    if (comm->buffers.scratch_bytes < SCRATCH_LARGE)
        free(comm->buffers.scratch);
    else
        munmap(comm->buffers.scratch, comm->buffers.scratch_bytes);
    comm->buffers.scratch = NULL;
    comm->buffers.scratch_bytes = 0;
}

/* Not realloc: nothing in it outlives a call, and other plans rely on the old one. */
bool shunt_reserve_scratch(struct shunt_comm *comm, int64_t bytes)
{
    if (bytes == INT64_MAX)
        return false;
    if ((size_t)bytes <= comm->buffers.scratch_bytes)
        return true;
    void *larger = bytes < SCRATCH_LARGE ? malloc((size_t)bytes) : map_pages((size_t)bytes);
    if (!larger)
        return false;
    scratch_free(comm);
    comm->buffers.scratch = larger;
    comm->buffers.scratch_bytes = (size_t)bytes;
    return true;
}

/* Few programs stage anything, and with thousands of ranks these are large. */
static bool reserve_lists(struct shunt_comm *comm)
{
    const size_t P = (size_t)comm->size;
    if (!comm->buffers.staged)
        comm->buffers.staged = calloc(P, sizeof *comm->buffers.staged);
    if (!comm->buffers.staged_bytes)
        comm->buffers.staged_bytes = calloc(P, sizeof *comm->buffers.staged_bytes);
    return comm->buffers.staged && comm->buffers.staged_bytes;
}

bool shunt_reserve_staging(struct shunt_comm *comm, int64_t bytes)
{
    if (!reserve_lists(comm))
        return false;
    if ((uint64_t)bytes <= comm->buffers.staging_bytes)
        return true;
    void *larger = map_pages((size_t)bytes);
    if (!larger)
        return false;
    if (comm->buffers.staging)
        munmap(comm->buffers.staging, comm->buffers.staging_bytes);
    comm->buffers.staging = larger;
    comm->buffers.staging_bytes = (size_t)bytes;
    return true;
}

bool shunt_reserve_requests(struct shunt_plan *plan, size_t count)
{
    if (count <= plan->request_capacity)
        return true;
    MPI_Request *requests = realloc(plan->requests, count * sizeof *requests);
    if (requests)
        plan->requests = requests;
    int *peers = realloc(plan->peers, count * sizeof *peers);
    if (peers)
        plan->peers = peers;
    bool *full = realloc(plan->full, count * sizeof *full);
    if (full)
        plan->full = full;
    if (!requests || !peers || !full)
        return false;
    plan->request_capacity = count;
    return true;
}

void shunt_reserve_release(struct shunt_comm *comm)
{
    scratch_free(comm);
    if (comm->buffers.staging)
        munmap(comm->buffers.staging, comm->buffers.staging_bytes);
    comm->buffers.staging = NULL;
    comm->buffers.staging_bytes = 0;
}
