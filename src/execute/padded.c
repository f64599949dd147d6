/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * padded.c: MPI_Alltoallv as the library's own MPI_Alltoall of padded copies (padded-alltoall;
 * padded-bruck is executed by forward.c).
 *
 * Idea: the largest block is known from the agreement; every block is copied to a place of that
 * size, the library exchanges the places, and the real lengths are copied out. Cost: the library's
 * Alltoall of P * (S + 1) bytes, whatever the blocks really hold, and one copy in and one out. The
 * last byte of each place tells whether the sender could read its blocks: an error of one rank must
 * not be data to the others. Use: nearly equal blocks, where the library's Alltoall beats its
 * Alltoallv. Source: Fan 2022, section 4.1.
 *
 * The nonblocking form, because our own waiting tells when it takes too long, and yields.
 */
#include <limits.h>
#include <string.h>

#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/executor.h"
#include "process/errors.h"

/* Bytes from one place to the next, of `out` and `in`. */
static int64_t padded_bytes(const struct shunt_exchange *x)
{
    return x->block + 1;
}

static int pad(const struct shunt_exchange *x, char *out)
{
    int status = MPI_SUCCESS;
    for (int p = 0; p < x->comm->size; p++, out += padded_bytes(x)) {
        if (p == x->comm->rank)
            continue; /* stays, and is copied directly */
        const int64_t bytes = shunt_send_bytes(x, p);
        const int read = shunt_block_read(x, p, out);
        memset(out + bytes, 0, (size_t)(padded_bytes(x) - bytes));
        status = shunt_error_first(status, read);
    }
    return status;
}

static void mark_failed(const struct shunt_exchange *x, char *out)
{
    for (int p = 0; p < x->comm->size; p++, out += padded_bytes(x))
        out[x->block] = 1;
}

static int copy_out(const struct shunt_exchange *x, const char *in)
{
    int status = MPI_SUCCESS;
    for (int p = 0; p < x->comm->size; p++, in += padded_bytes(x)) {
        if (p == x->comm->rank)
            continue;
        const int64_t bytes = x->op == SHUNT_OP_ALLTOALLV ? shunt_recv_bytes(x, p) : x->block;
        const int written = in[x->block] ? MPI_ERR_OTHER : shunt_block_write(x, p, in, bytes);
        status = shunt_error_first(status, written);
    }
    return status;
}

static int exchange(struct shunt_exchange *x, const char *out, char *in)
{
    MPI_Request request;
    const MPI_Comm comm = x->comm->user; /* a collective, as the call that it stands for */
    const int64_t bytes = padded_bytes(x);
    const int posted = bytes <= INT_MAX
                           ? shunt_pmpi.Ialltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes,
                                                  MPI_BYTE, comm, &request)
                           : shunt_pmpi.Ialltoall_c(out, (MPI_Count)bytes, MPI_BYTE, in,
                                                    (MPI_Count)bytes, MPI_BYTE, comm, &request);
    x->raised = posted != MPI_SUCCESS;
    return posted == MPI_SUCCESS ? shunt_wait_all(x->comm, 1, &request, NULL, NULL) : posted;
}

/*
 * Every step is taken whatever the ones before said: the others wait for this rank. The first error
 * is returned; but first of all one that the library has raised.
 */
static int run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const struct shunt_comm *comm = x->comm;
    char *out = comm->buffers.scratch, *in = out + comm->size * padded_bytes(x);
    (void)plan;
    shunt_phase(comm, SHUNT_PHASE_PREPARE);
    int status[5] = {x->in_place ? shunt_stage_in_place(x) : MPI_SUCCESS};
    status[1] = shunt_block_self(x);
    if (comm->size > 1) {
        status[2] = pad(x, out);
        if (status[0] != MPI_SUCCESS || status[2] != MPI_SUCCESS)
            mark_failed(x, out);
        shunt_phase(comm, comm->layout.nodes > 1 ? SHUNT_PHASE_REMOTE : SHUNT_PHASE_NODE);
        status[3] = exchange(x, out, in);
        if (x->raised)
            return status[3]; /* the handler may have freed the communicator */
        shunt_phase(comm, SHUNT_PHASE_REARRANGE);
        status[4] = status[3] == MPI_SUCCESS ? copy_out(x, in) : MPI_SUCCESS;
    }
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    int first = MPI_SUCCESS;
    for (int i = 0; i < 5; i++)
        first = shunt_error_first(first, status[i]);
    return first;
}

/* Both copies, and a byte with each block that says whether it is there. */
static int64_t scratch(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block)
{
    const int64_t bytes = 2 * shunt_reserve_bytes((uint32_t)comm->size, block + 1);
    (void)plan;
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

const struct shunt_executor shunt_executor_library = {
    .scratch = scratch,
    .requests = shunt_executor_requests,
    .run = run,
};
