/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peer_read.c: blocks read straight from the memory of the process that has them (peer-read; Linux:
 * process_vm_readv).
 *
 * Idea: every rank writes into the node's segment where its block for each neighbour lies; after a
 * barrier all read; after another one the buffers belong to the program again. Cost: two barriers,
 * one system call per block, each byte copied once. Use: one node, large blocks. Source: ours;
 * cross-memory attach as MPI libraries use it for large messages.
 *
 * Ranks that seem to be neighbours may live in different process namespaces, where a process number
 * means somebody else. So before the first exchange each rank reads from each other a random number
 * at the address that this one told: all pairs, or the algorithm is infeasible. The system may
 * still refuse later (a process may forbid it, or drop a privilege): then the second barrier tells
 * everybody, and all blocks go as messages.
 */
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "comm/agree.h"
#include "comm/node.h"
#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/direct.h"
#include "execute/executor.h"
#include "execute/share_state.h"
#include "process/errors.h"
#include "process/process.h"
#include "schedule/bundle.h"

/* Reads all of it, or fails. */
static bool read_peer(int64_t pid, uint64_t from, void *to, int64_t bytes)
{
    while (bytes > 0) {
        struct iovec local = {.iov_base = to, .iov_len = (size_t)bytes};
        struct iovec remote = {.iov_base = (void *)(uintptr_t)from, .iov_len = (size_t)bytes};
        const ssize_t got = process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);
        if (got <= 0)
            return false;
        to = (char *)to + got;
        from += (uint64_t)got;
        bytes -= got;
    }
    return true;
}

/* Where the blocks of a rank lie: array of P, by local rank; in this call's half of its area. */
static uint64_t *offsets_of(const struct shunt_comm *comm, int half, int local)
{
    return (uint64_t *)(void *)shunt_node_area(comm, half, local);
}

static void prove_reading(struct shunt_comm *comm)
{
    unsigned char *nonce = comm->node.nonce;
    comm->node.proving = true;
    if (!comm->node.control)
        return;
    struct shunt_node_peer *mine = shunt_node_peer(comm, comm->node.local);
    const struct shunt_agreement nothing = {0};
    bool proved = true;
    if (shunt_process_settings()->ptracer)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0,
              0); /* without effect where the system has no such rule */
    if (getrandom(nonce, sizeof comm->node.nonce, GRND_NONBLOCK) !=
        (ssize_t)sizeof comm->node.nonce)
        memcpy(nonce, &mine, sizeof mine); /* an address of ours tells processes apart well enough,
                                              together with their numbers */
    *mine = (struct shunt_node_peer){.pid = getpid(), .nonce_at = (uint64_t)(uintptr_t)nonce};
    memcpy(mine->nonce, nonce, sizeof mine->nonce);
    shunt_node_wait(comm, shunt_node_arrive(comm, &nothing), NULL);
    for (int local = 0; local < comm->node.ppn; local++) {
        const struct shunt_node_peer *peer = shunt_node_peer(comm, local);
        unsigned char seen[sizeof peer->nonce];
        proved = proved && read_peer(peer->pid, peer->nonce_at, seen, sizeof seen) &&
                 memcmp(seen, peer->nonce, sizeof seen) == 0;
    }
    /* Nobody's number may change while somebody still reads it. */
    shunt_node_wait(comm, shunt_node_arrive(comm, &nothing), NULL);
    comm->node.proved = proved;
}

static void copy_in(const struct shunt_exchange *x, int half)
{
    const struct shunt_comm *comm = x->comm;
    uint64_t *offsets = offsets_of(comm, half, comm->node.local);
    for (int local = 0; local < comm->node.ppn; local++)
        offsets[local] = (uint64_t)(uintptr_t)shunt_side_address(
            x, &x->send, shunt_layout_rank(&comm->layout, 0, local));
}

/* Reads one block. *refused: the system did not let us; any other trouble is the result. */
static int fetch(struct shunt_exchange *x, int local, uint64_t from, bool *refused)
{
    const int source = shunt_layout_rank(&x->comm->layout, 0, local);
    const int64_t capacity = shunt_recv_bytes(x, source),
                  bytes = x->op == SHUNT_OP_ALLTOALL ? x->block : capacity;
    const bool straight = x->recv.plain && bytes <= capacity;
    void *to = straight ? shunt_side_address(x, &x->recv, source) : x->comm->buffers.scratch;
    if (bytes == 0)
        return MPI_SUCCESS;
    shunt_trace_event(SHUNT_EVENT_READ, source, bytes);
    if (!read_peer(shunt_node_peer(x->comm, local)->pid, from, to, bytes)) {
        *refused = true;
        return MPI_SUCCESS;
    }
    return straight ? MPI_SUCCESS : shunt_block_write(x, source, to, bytes);
}

static int fetch_all(struct shunt_exchange *x, int half, bool *refused)
{
    const struct shunt_node *node = &x->comm->node;
    int status = MPI_SUCCESS;
    for (int i = 1; i < node->ppn; i++) {
        const int local = (node->local + i) % node->ppn;
        status = shunt_error_first(
            status, fetch(x, local, offsets_of(x->comm, half, local)[node->local], refused));
    }
    return status;
}

static int run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct shunt_comm *comm = x->comm;
    const struct shunt_exchange original = *x;
    struct shunt_agreement values = {0};
    bool refused = false;
    int half = shunt_node_begin_exchange(comm);
    shunt_phase(comm, SHUNT_PHASE_COPY);
    const int staged = x->in_place     ? shunt_stage_in_place(x)
                       : x->send.plain ? MPI_SUCCESS
                                       : shunt_stage_send(x);
    values.flags = staged == MPI_SUCCESS ? 0 : SHUNT_FLAG_NO_MEMORY;
    if (staged == MPI_SUCCESS)
        copy_in(x, half);
    shunt_phase(comm, SHUNT_PHASE_NODE);
    shunt_node_wait(comm, shunt_node_arrive(comm, &values), &values);
    if (values.flags) { /* on all ranks: nothing has been read yet */
        shunt_agree_hear(comm, &values);
        shunt_node_end_exchange(comm);
        *x = original;
        x->declined = true;
        return MPI_SUCCESS;
    }
    shunt_phase(comm, SHUNT_PHASE_COPY);
    const int own = original.in_place ? MPI_SUCCESS : shunt_block_self(&original);
    int status = fetch_all(x, half, &refused);
    shunt_node_end_exchange(comm);
    values.flags = refused ? SHUNT_FLAG_REFUSED : 0;
    shunt_phase(comm, SHUNT_PHASE_NODE);
    shunt_node_wait(comm, shunt_node_arrive(comm, &values), &values);
    if (values.flags) /* on all ranks: once more, as messages; what was staged is still there */
        status = shunt_error_first(status, shunt_direct_messages(x, plan, comm->broken));
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    return shunt_error_first(own, status);
}

static void prove(struct shunt_comm *comm)
{
    if (!comm->node.proving)
        prove_reading(comm);
}

/* Blocks are read where they lie: shared are only their addresses. */
static bool share(struct shunt_exchange *x, struct shunt_plan *plan, int64_t *covered)
{
    (void)covered;
    return shunt_share_make(x->comm, plan, SHUNT_CAPACITY_LEAST, 0) && x->comm->node.proved;
}

/* One block, where the user's are not plain memory. */
static int64_t scratch(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block)
{
    (void)comm;
    (void)plan;
    return block;
}

/* What messages need is made as well, should the system refuse to read. */
static size_t requests(const struct shunt_plan *plan, int64_t block)
{
    (void)block;
    return 2 * (size_t)plan->schedule.max_round_steps + 2;
}

const struct shunt_executor shunt_executor_read = {
    .state_bytes = sizeof(struct shunt_share_state),
    .prove = prove,
    .share = share,
    .fits = shunt_share_fits,
    .lacks = SHUNT_LACKS_READING,
    .scratch = scratch,
    .requests = requests,
    .run = run,
};
