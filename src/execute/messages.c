/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c: nonblocking messages of an exchange: cut below 2 GiB, waited for together, errors
 * kept. */
#include "execute/messages.h"
#include "comm/wait.h"

int shunt_messages_post_one(struct shunt_messages *messages, bool receive, void *bytes, int count,
                            int peer, int tag)
{
    struct shunt_plan *plan = messages->plan;
    MPI_Request *request = &plan->requests[messages->requests];
    const int status =
        receive ? shunt_comm_receive(messages->comm, bytes, count, MPI_BYTE, peer, tag, request)
                : shunt_comm_send(messages->comm, bytes, count, MPI_BYTE, peer, tag, request);
    if (__builtin_expect(status != MPI_SUCCESS, 0)) {
        messages->comm->broken = true;
        shunt_messages_break(messages, status);
        return status;
    }
    plan->full[messages->requests] = receive && count > 0;
    plan->peers[messages->requests++] = peer;
    return status;
}

/* Messages over 2 GiB, in pieces. After a failure, what would be sent is empty. */
static __attribute__((noinline)) void post_pieces(struct shunt_messages *messages, bool receive,
                                                  bool empty, char *bytes, int64_t count, int peer,
                                                  int tag)
{
    for (int64_t at = 0; at < count; at += SHUNT_MESSAGE_MAX) {
        const int64_t rest = count - at;
        const int piece = (int)(rest < SHUNT_MESSAGE_MAX ? rest : SHUNT_MESSAGE_MAX);
        shunt_messages_post_one(messages, receive, bytes + at, empty ? 0 : piece, peer, tag);
    }
}

/* Nearly always one piece: without the loop it takes half the instructions. */
static inline void post(struct shunt_messages *messages, bool receive, bool empty, void *bytes,
                        int64_t count, int peer, int tag)
{
    if (__builtin_expect(count <= 0, 0))
        return;
    if (__builtin_expect(count <= SHUNT_MESSAGE_MAX, 1))
        shunt_messages_post_one(messages, receive, bytes, empty ? 0 : (int)count, peer, tag);
    else
        post_pieces(messages, receive, empty, bytes, count, peer, tag);
}

void shunt_messages_post(struct shunt_messages *messages, bool receive, void *bytes, int64_t count,
                         int peer, int tag)
{
    post(messages, receive, !receive && messages->comm->broken, bytes, count, peer, tag);
}

void shunt_messages_send(struct shunt_messages *messages, void *bytes, int64_t count, int peer)
{
    post(messages, false, messages->broken, bytes, count, peer, SHUNT_TAG_DATA);
}

int shunt_messages_wait_one(struct shunt_messages *messages, int index)
{
    const struct shunt_plan *plan = messages->plan;
    const int status = shunt_wait_all(messages->comm, 1, &plan->requests[index],
                                      &plan->peers[index], &plan->full[index]);
    shunt_messages_break(messages, status);
    return status;
}

int shunt_messages_wait(struct shunt_messages *messages)
{
    const struct shunt_plan *plan = messages->plan;
    const int status =
        shunt_wait_all(messages->comm, messages->requests, plan->requests, plan->peers, plan->full);
    messages->requests = 0;
    shunt_messages_break(messages, status);
    return status;
}

enum shunt_phase shunt_messages_phase(const struct shunt_messages *messages, uint32_t first,
                                      uint32_t last)
{
    const struct shunt_layout *layout = &messages->comm->layout;
    const int node = layout->node_of[messages->comm->rank];
    for (uint32_t i = first; i < last; i++) {
        const struct shunt_step *step = &messages->plan->schedule.steps[i];
        if ((step->send_to >= 0 && layout->node_of[step->send_to] != node) ||
            (step->recv_from >= 0 && layout->node_of[step->recv_from] != node))
            return SHUNT_PHASE_REMOTE;
    }
    return SHUNT_PHASE_NODE;
}

enum shunt_phase shunt_messages_gathering(const struct shunt_messages *messages, uint32_t first,
                                          uint32_t last)
{
    if (!shunt_algorithm_by_node(messages->plan->entry.key.algorithm) ||
        shunt_messages_phase(messages, first, last) != SHUNT_PHASE_REMOTE)
        return SHUNT_PHASE_COPY;
    for (uint32_t i = first; i < last; i++)
        if (messages->plan->schedule.steps[i].send_count > 1)
            return SHUNT_PHASE_REARRANGE;
    return SHUNT_PHASE_REMOTE;
}
