/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct.c: executes schedules in which every message is one user block.
 *
 * Buffers, counts and types of the user go straight to the library, on the private communicator: no
 * copy, no packing, and shorter or longer messages than expected behave as in any MPI exchange
 * (longer ones: MPI_ERR_TRUNCATE, nothing written past the block). Blocks without data are skipped,
 * by the sender and the receiver alike, as the library's own implementation does.
 */
#include <limits.h>

#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/direct.h"
#include "execute/executor.h"
#include "process/errors.h"

static int receive(const struct shunt_exchange *x, const struct shunt_place *place, int peer,
                   MPI_Request *request)
{
    if (place->count <= INT_MAX)
        return shunt_comm_receive(x->comm, place->at, (int)place->count, place->type, peer,
                                  SHUNT_TAG_DATA, request);
    if (!shunt_pmpi.Irecv_c)
        return MPI_ERR_COUNT;
    return shunt_pmpi.Irecv_c(place->at, (MPI_Count)place->count, place->type,
                              shunt_comm_there(x->comm, peer), x->comm->first_tag + SHUNT_TAG_DATA,
                              x->comm->private_comm, request);
}

static int send(const struct shunt_exchange *x, const struct shunt_place *place, int peer,
                MPI_Request *request)
{
    if (place->count <= INT_MAX)
        return shunt_comm_send(x->comm, place->at, (int)place->count, place->type, peer,
                               SHUNT_TAG_DATA, request);
    if (!shunt_pmpi.Isend_c)
        return MPI_ERR_COUNT;
    return shunt_pmpi.Isend_c(place->at, (MPI_Count)place->count, place->type,
                              shunt_comm_there(x->comm, peer), x->comm->first_tag + SHUNT_TAG_DATA,
                              x->comm->private_comm, request);
}

static int post_data(const struct shunt_exchange *x, int peer, bool receives, MPI_Request *request)
{
    const struct shunt_side *side = receives ? &x->recv : &x->send;
    struct shunt_place place;
    int status = shunt_place_begin(&place, shunt_side_address(x, side, peer),
                                   shunt_side_count(x, side, peer), side->type);
    if (status != MPI_SUCCESS)
        return status;
    status = receives ? receive(x, &place, peer, request) : send(x, &place, peer, request);
    shunt_place_end(&place);
    return status;
}

struct run {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    bool broken; /* nothing can be sent: empty messages tell the receivers */
    int requests, status;
};

/* Posts one message; a failure is kept, the others go on (their partners wait for them). */
static void post(struct run *run, int peer, bool receives)
{
    const struct shunt_exchange *x = run->x;
    struct shunt_plan *plan = run->plan;
    if (peer < 0 || (receives ? shunt_recv_bytes(x, peer) : shunt_send_bytes(x, peer)) == 0)
        return;
    MPI_Request *request = &plan->requests[run->requests];
    const int posted = run->broken && !receives ? shunt_comm_send(x->comm, NULL, 0, MPI_BYTE, peer,
                                                                  SHUNT_TAG_DATA, request)
                                                : post_data(x, peer, receives, request);
    if (posted == MPI_SUCCESS) {
        plan->full[run->requests] = receives;
        plan->peers[run->requests++] = peer;
        return;
    }
    x->comm->broken = run->broken = true;
    run->status = shunt_error_first(run->status, posted);
}

/* For the stopwatch: between nodes if any partner is on another one. */
static enum shunt_phase data_phase(const struct shunt_comm *comm, const struct shunt_step *steps,
                                   uint32_t count)
{
    const int *node_of = comm->layout.node_of;
    for (uint32_t i = 0; i < count; i++) {
        if ((steps[i].send_to >= 0 && node_of[steps[i].send_to] != node_of[comm->rank]) ||
            (steps[i].recv_from >= 0 && node_of[steps[i].recv_from] != node_of[comm->rank]))
            return SHUNT_PHASE_REMOTE;
    }
    return SHUNT_PHASE_NODE;
}

static void run_round(struct run *run, uint32_t round)
{
    struct shunt_comm *comm = run->x->comm;
    const struct shunt_plan *plan = run->plan;
    const struct shunt_schedule *s = &plan->schedule;
    const uint32_t first = s->round_first[round], last = s->round_first[round + 1];
    run->requests = 0;
    if (comm->diag.stopwatch)
        shunt_phase(comm, data_phase(comm, s->steps + first, last - first));
    for (uint32_t i = first; i < last; i++)
        post(run, s->steps[i].recv_from, true);
    for (uint32_t i = first; i < last; i++)
        post(run, s->steps[i].send_to, false);
    run->status = shunt_error_first(
        run->status, shunt_wait_all(comm, run->requests, plan->requests, plan->peers, plan->full));
}

static int run_rounds(struct shunt_exchange *x, struct shunt_plan *plan, bool broken)
{
    struct run run = {
        .x = x, .plan = plan, .broken = broken, .status = broken ? MPI_ERR_OTHER : MPI_SUCCESS};
    for (uint32_t k = 0; k < plan->schedule.round_count; k++) {
        x->comm->diag.round = k;
        run_round(&run, k);
    }
    return run.status;
}

/*
 * MPICH raises the error of a completed request on MPI_COMM_WORLD, whatever the communicator of the
 * message. Where messages may turn out too long, that handler is silenced meanwhile, and the error
 * raised later, once, where it belongs. (With several threads, or without a world, calls come here
 * with sizes agreed: matched.)
 */
int shunt_direct_messages(struct shunt_exchange *x, struct shunt_plan *plan, bool broken)
{
    struct shunt_hush hush;
    const bool careful = !x->matched && !x->comm->agreed.no_world;
    if (careful)
        shunt_hush_begin(&hush, MPI_COMM_WORLD);
    const int status = run_rounds(x, plan, broken);
    if (careful)
        shunt_hush_end(&hush);
    return status;
}

static int run_messages(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const int staged = x->in_place ? shunt_stage_in_place(x) : MPI_SUCCESS;
    shunt_phase(x->comm, SHUNT_PHASE_COPY);
    const int self = shunt_block_self(x);
    const int status = shunt_direct_messages(x, plan, staged != MPI_SUCCESS || x->comm->broken);
    shunt_phase(x->comm, SHUNT_PHASE_OTHER);
    return shunt_error_first(staged, shunt_error_first(self, status));
}

/* User blocks need no scratch of ours; an in-place call's lie in staging. */
const struct shunt_executor shunt_executor_direct = {
    .requests = shunt_executor_requests,
    .run = run_messages,
};
