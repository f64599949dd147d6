/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.c: a small allreduce, through shared memory inside nodes where there is any, and over
 * messages on the private communicator.
 *
 * Messages: recursive doubling; ranks beyond the largest power of two hand their values to a
 * partner first and get the result last. Our own and not MPI_Iallreduce because waiting must show
 * what it waits for, and because one message per step is all it takes: ceil(log2 P) steps
 * (+2), P counting nodes where these have shared memory.
 */
#include "communicator/agree.h"

#include "algorithms/events.h"
#include "communicator/node.h"
#include "communicator/wait.h"

_Static_assert(sizeof(struct shunt_agreement) == SHUNT_AGREEMENT_BYTES,
               "events promise messages of this length");

/* Sends `out` and/or receives `in` (either may be NULL) with one partner. */
static int meet(struct shunt_comm *comm, int peer, const struct shunt_agreement *out,
                struct shunt_agreement *in)
{
    MPI_Request requests[2];
    const int peers[2] = {peer, peer};
    int count = 0, status = MPI_SUCCESS;
    if (in)
        status = shunt_comm_receive(comm, in, (int)sizeof *in, MPI_BYTE, peer, SHUNT_TAG_AGREE,
                                    &requests[count++]);
    if (status == MPI_SUCCESS && out)
        status = shunt_comm_send(comm, out, (int)sizeof *out, MPI_BYTE, peer, SHUNT_TAG_AGREE,
                                 &requests[count++]);
    return status == MPI_SUCCESS ? shunt_wait_all(comm, count, requests, peers, NULL) : status;
}

/* Who takes part: all ranks, or the first rank of each node. */
struct group {
    int index, count;
    const struct shunt_layout *nodes; /* NULL: all ranks */
};

static int rank_of(const struct group *group, int index)
{
    return group->nodes ? shunt_layout_rank(group->nodes, index, 0) : index;
}

static int recursive_doubling(struct shunt_comm *comm, const struct group *group,
                              struct shunt_agreement *values)
{
    int power = 1;
    while (power <= group->count / 2)
        power *= 2;
    struct shunt_agreement received;
    int status = MPI_SUCCESS;
    if (group->index >= power) {
        const int partner = rank_of(group, group->index - power);
        status = meet(comm, partner, values, NULL);
        return status == MPI_SUCCESS ? meet(comm, partner, NULL, values) : status;
    }
    const int extra =
        group->index + power < group->count ? rank_of(group, group->index + power) : -1;
    if (extra >= 0) {
        status = meet(comm, extra, NULL, &received);
        if (status == MPI_SUCCESS)
            shunt_agreement_add(values, &received);
    }
    for (int mask = 1; mask < power && status == MPI_SUCCESS; mask *= 2) {
        const struct shunt_agreement sent = *values;
        status = meet(comm, rank_of(group, group->index ^ mask), &sent, &received);
        if (status == MPI_SUCCESS)
            shunt_agreement_add(values, &received);
    }
    if (extra >= 0 && status == MPI_SUCCESS)
        status = meet(comm, extra, values, NULL);
    return status;
}

int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values)
{
    const struct group first_ranks = {.index = comm->layout.node_of[comm->rank],
                                      .count = comm->layout.nodes,
                                      .nodes = &comm->layout};
    return recursive_doubling(comm, &first_ranks, values);
}

/* Through shared memory inside nodes, and over local rank 0 of each between them. */
static int agree_by_node(struct shunt_comm *comm, struct shunt_agreement *values)
{
    const uint32_t barrier = shunt_node_arrive(comm, values);
    struct shunt_node_news news;
    if (comm->layout.nodes == 1) {
        shunt_node_wait(comm, barrier, values);
        return MPI_SUCCESS;
    }
    if (comm->node.local == 0) {
        shunt_node_wait(comm, barrier, values);
        news.status = shunt_agree_between_nodes(comm, values);
        news.values = *values;
        shunt_node_tell(comm, barrier, &news);
    } else {
        shunt_trace_event(SHUNT_EVENT_AWAIT, shunt_layout_rank(&comm->layout, comm->node.index, 0),
                          0);
        shunt_node_learn(comm, barrier, &news);
        *values = news.values;
    }
    return news.status;
}

int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values)
{
    shunt_phase(comm, SHUNT_PHASE_AGREEMENT);
    const struct group all = {.index = comm->rank, .count = comm->size};
    const int status =
        comm->node.control ? agree_by_node(comm, values) : recursive_doubling(comm, &all, values);
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    return status;
}

bool shunt_agree_all(struct shunt_comm *comm, bool ok)
{
    struct shunt_agreement values = {.flags = ok ? 0 : SHUNT_FLAG_NO_MEMORY};
    return shunt_agree(comm, &values) == MPI_SUCCESS && values.flags == 0;
}
