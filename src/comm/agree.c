/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.c: a small allreduce, through shared memory inside nodes where there is any, and over
 * messages on the private communicator.
 *
 * Messages: recursive doubling (doubling.h). Our own and not MPI_Iallreduce because waiting must
 * show what it waits for, and because one message per step is all it takes: floor(log2 P) steps
 * (+2), P counting nodes where these have shared memory.
 */
#include "comm/agree.h"

#include <stdlib.h>

#include "comm/node.h"
#include "comm/team.h"
#include "comm/wait.h"
#include "events/events.h"
#include "shm/doubling.h"

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
    struct shunt_doubling doubling = shunt_doubling_begin(group->index, group->count);
    struct shunt_meeting meeting;
    int status = MPI_SUCCESS;
    while (status == MPI_SUCCESS && shunt_doubling_next(&doubling, &meeting)) {
        const struct shunt_agreement sent = *values;
        struct shunt_agreement received;
        status = meet(comm, rank_of(group, meeting.partner), meeting.sends ? &sent : NULL,
                      meeting.receives ? &received : NULL);
        if (status != MPI_SUCCESS || !meeting.receives)
            continue;
        if (meeting.result)
            *values = received;
        else
            shunt_agreement_add(values, &received);
    }
    return status;
}

static struct group first_ranks(const struct shunt_comm *comm)
{
    return (struct group){.index = comm->layout.node_of[comm->rank],
                          .count = comm->layout.nodes,
                          .nodes = &comm->layout};
}

int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values)
{
    const struct group group = first_ranks(comm);
    return recursive_doubling(comm, &group, values);
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

const struct shunt_agreement shunt_agree_last = {.flags = SHUNT_FLAG_LEFT};

void shunt_agree_send_last(struct shunt_comm *comm, const void *bytes, int count, int peer, int tag)
{
    MPI_Request request;
    if (shunt_comm_send(comm, bytes, count, MPI_BYTE, peer, tag, &request) == MPI_SUCCESS)
        shunt_pmpi.Request_free(&request);
}

void shunt_agree_drop(struct shunt_comm *comm, int64_t most, int peer, int tag)
{
    MPI_Request request;
    void *dropped = malloc((size_t)most);
    if (dropped &&
        shunt_comm_receive(comm, dropped, (int)most, MPI_BYTE, peer, tag, &request) == MPI_SUCCESS)
        shunt_pmpi.Request_free(&request);
}

/* Every message that this rank owes others in the reduction. Theirs to this rank stay unread. */
static void leave_group(struct shunt_comm *comm, const struct group *group)
{
    struct shunt_doubling doubling = shunt_doubling_begin(group->index, group->count);
    struct shunt_meeting meeting;
    while (shunt_doubling_next(&doubling, &meeting))
        if (meeting.sends)
            shunt_agree_send_last(comm, &shunt_agree_last, (int)sizeof shunt_agree_last,
                                  rank_of(group, meeting.partner), SHUNT_TAG_AGREE);
}

void shunt_agree_left(struct shunt_comm *comm)
{
    shunt_team_note_stale(comm->team, comm->first_tag);
    shunt_comm_native(comm, SHUNT_COMM_LEFT);
}

void shunt_agree_leave(struct shunt_comm *comm)
{
    const struct group all = {.index = comm->rank, .count = comm->size}, first = first_ranks(comm);
    const struct shunt_node_news news = {.values = shunt_agree_last, .status = MPI_SUCCESS};
    if (!comm->node.control) {
        leave_group(comm, &all);
    } else {
        shunt_node_skip_exchange(comm); /* of an MPI_Alltoall that comes first */
        const uint32_t barrier = shunt_node_arrive(comm, &shunt_agree_last);
        if (comm->layout.nodes > 1 && comm->node.local == 0) {
            shunt_node_tell(comm, barrier, &news);
            leave_group(comm, &first);
        }
    }
    shunt_agree_left(comm);
}

void shunt_agree_hear(struct shunt_comm *comm, const struct shunt_agreement *values)
{
    comm->unasked = false;
    if (values->flags & SHUNT_FLAG_LEFT)
        shunt_comm_native(comm, SHUNT_COMM_LEFT);
}

int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values)
{
    shunt_phase(comm, SHUNT_PHASE_AGREEMENT);
    const struct group all = {.index = comm->rank, .count = comm->size};
    const int status =
        comm->node.control ? agree_by_node(comm, values) : recursive_doubling(comm, &all, values);
    shunt_phase(comm, SHUNT_PHASE_OTHER);
    if (status == MPI_SUCCESS)
        shunt_agree_hear(comm, values);
    return status;
}

bool shunt_agree_all(struct shunt_comm *comm, bool ok)
{
    struct shunt_agreement values = {.flags = ok ? 0 : SHUNT_FLAG_NO_MEMORY};
    return shunt_agree(comm, &values) == MPI_SUCCESS && values.flags == 0;
}
