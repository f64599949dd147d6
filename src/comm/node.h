/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h: what the ranks of one node share: memory, and barriers in it.
 *
 * Each node of a communicator's layout has a control block in the memory that its processes share
 * (segment.h). Barriers are numbered; every rank takes part in every one, in the same order,
 * because they follow from agreed values only.
 */
#ifndef SHUNT_COMM_NODE_H
#define SHUNT_COMM_NODE_H

#include "comm/comm.h"
#include "shm/barrier.h"

/* Local: how this rank waits for its neighbours. Once, for a new communicator. */
void shunt_node_init(struct shunt_comm *comm);
/*
 * The first rank of the node takes memory for the control block; the others only see that there is
 * some to be had. Local. False: there is none here. When all ranks agreed that all succeeded,
 * shunt_node_attach (local; cannot fail); otherwise shunt_node_close.
 */
bool shunt_node_prepare(struct shunt_comm *comm);
void shunt_node_attach(struct shunt_comm *comm);
/*
 * Areas of node->next.area_bytes a half, and a piece of node->next.bytes for arrivals, on their way
 * to become node->shared. Local. False: no memory here. All ranks of the communicator then agree
 * whether all succeeded, and tell shunt_node_commit: collective where there are arrivals, for the
 * others of the node map these then. Whether all ranks have it.
 */
bool shunt_node_offer(struct shunt_comm *comm);
bool shunt_node_commit(struct shunt_comm *comm, bool everywhere);
/* Local. */
void shunt_node_close(struct shunt_comm *comm);

/*
 * Begins the next exchange: returns which half of the areas, and of the arrivals, it uses. A rank
 * writes to a half again two exchanges later, and by then every neighbour has arrived at a barrier
 * of the one in between, and so has finished reading. Where another communicator has used this
 * rank's half since, waits until its exchange was over for all who could read there.
 */
int shunt_node_begin_exchange(struct shunt_comm *comm);
/* In its place, for a rank that leaves: which half the others use, who do not wait for this rank's
 * part of it. */
int shunt_node_skip_exchange(struct shunt_comm *comm);
/* This rank will read no area of the exchange any more. */
void shunt_node_end_exchange(struct shunt_comm *comm);
/* A half of a local rank's area. */
static inline char *shunt_node_area(const struct shunt_comm *comm, int half, int local)
{
    return comm->node.area[local] + (size_t)half * comm->node.area_half;
}

/* Arrives at the next barrier of the node, adding this rank's values. Does not wait. Returns the
 * barrier's number. */
uint32_t shunt_node_arrive(struct shunt_comm *comm, const struct shunt_agreement *mine);
/* Waits until all ranks of the node have arrived at `barrier` (the latest one); *all receives their
 * values combined, if not NULL. */
void shunt_node_wait(struct shunt_comm *comm, uint32_t barrier, struct shunt_agreement *all);

/* A signal per local rank, for algorithms: raised by its rank to the number of a barrier, awaited
 * by others. */
struct shunt_signal *shunt_node_signal(struct shunt_comm *comm, int local);
static inline void shunt_node_await(struct shunt_comm *comm, struct shunt_signal *signal,
                                    uint32_t value)
{
    shunt_signal_wait(&comm->waiter, signal, value);
}

static inline void shunt_node_await_rank(struct shunt_comm *comm, int local, uint32_t value)
{
    shunt_trace_event(SHUNT_EVENT_AWAIT, shunt_layout_rank(&comm->layout, comm->node.index, local),
                      0);
    shunt_node_await(comm, shunt_node_signal(comm, local), value);
}

/* What local ranks tell each other once, when a peer's memory is to be read. */
struct shunt_node_peer {
    int64_t pid;
    uint64_t nonce_at; /* address in that process of 16 bytes */
    unsigned char nonce[16];
};
struct shunt_node_peer *shunt_node_peer(struct shunt_comm *comm, int local);

/* Several nodes: local rank 0 gives its neighbours what it has learnt for them at `barrier`; they
 * wait for it. */
struct shunt_node_news {
    struct shunt_agreement values;
    int status; /* of the library, where it was learnt */
};
void shunt_node_tell(struct shunt_comm *comm, uint32_t barrier, const struct shunt_node_news *news);
void shunt_node_learn(struct shunt_comm *comm, uint32_t barrier, struct shunt_node_news *news);

#endif
