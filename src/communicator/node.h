/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h: what the ranks of one node share: memory, and a way to meet in it.
 *
 * Each node of a communicator's layout has a control segment, attached by all its ranks. Meetings are numbered; every rank takes part in
 * every meeting, in the same order, because meetings follow from agreed values only. A meeting is one atomic addition per rank; the last to
 * arrive opens it for all.
 *
 * A rank that waits in the segment keeps MPI progressing (an earlier nonblocking operation of the application may need it), yields the
 * processor when ranks outnumber processors, and then sleeps in the kernel for short times.
 */
#ifndef SHUNT_COMMUNICATOR_NODE_H
#define SHUNT_COMMUNICATOR_NODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shunt_comm;
struct shunt_agreement;

enum { SHUNT_CACHE_LINE = 64 };

/* Number of the last meeting for which something was done, and how many sleep until it is. */
struct shunt_signal {
    _Alignas(SHUNT_CACHE_LINE) _Atomic uint32_t value;
    _Atomic uint32_t sleepers;
    _Atomic uint32_t asleep_until; /* meeting before which those who wait sleep at once, see node.c */
};

struct shunt_node_control;

/* Memory for the blocks of the node's ranks, in two halves that exchanges use in turn. Its contents: algorithms/bundle.c. */
struct shunt_shared {
    char *data; /* NULL: none yet */
    size_t bytes, half_bytes, area_bytes;
    int64_t room;     /* largest block that fits */
    int64_t arriving; /* bundles from other nodes that fit */
};

/* Members of struct shunt_comm. control == NULL: this communicator has no shared memory. */
struct shunt_node {
    int index, local, ppn; /* node in the layout, local rank in it, ranks on it */
    struct shunt_node_control *control;
    size_t control_bytes;
    uint32_t meeting;                 /* number of the last meeting */
    uint32_t exchange;                /* number of the last exchange of bundles: the same on all ranks of the communicator */
    double yields;                    /* how many yields a wait has taken of late, see node.c */
    unsigned char nonce[16];          /* read by neighbours that prove that they reach this process */
    struct shunt_shared shared, next; /* next: being made, see shunt_node_commit */
};

/*
 * segment.c: memory shared by the ranks of a node. Collective over the node; the caller then agrees over the communicator that all
 * succeeded, and calls shunt_segment_forget in any case. Returns the mapping, zeroed and backed by memory, or NULL. Release: munmap.
 */
void *shunt_segment_attach(struct shunt_comm *comm, size_t bytes);
/* Removes the name of the segment, so that nothing is left when the processes end, however they do. */
void shunt_segment_forget(struct shunt_comm *comm);

/* node.c: makes the control segment; collective over the communicator. False (on all ranks alike): there will be none. */
bool shunt_node_open(struct shunt_comm *comm);
/* After all ranks agreed whether everybody has `next`: it takes the place of `shared`, or is dropped. */
void shunt_node_commit(struct shunt_comm *comm, bool everywhere);
/* Local. */
void shunt_node_close(struct shunt_comm *comm);

/* Arrives at the next meeting, adding this rank's values. Does not wait. Returns the meeting's number. */
uint32_t shunt_node_arrive(struct shunt_comm *comm, const struct shunt_agreement *mine);
/* Waits until all ranks of the node have arrived at `meeting` (the latest one); *all receives their values combined, if not NULL. */
void shunt_node_meet(struct shunt_comm *comm, uint32_t meeting, struct shunt_agreement *all);

/* A signal per local rank, for algorithms: raised by its rank to the number of a meeting, awaited by others. */
struct shunt_signal *shunt_node_signal(struct shunt_comm *comm, int local);
void shunt_signal_raise(struct shunt_signal *signal, uint32_t value);
void shunt_signal_wait(struct shunt_comm *comm, struct shunt_signal *signal, uint32_t value);

/* What local ranks tell each other once, when a peer's memory is to be read. */
struct shunt_node_peer {
    int64_t pid;
    uint64_t nonce_at; /* address in that process of 16 bytes */
    unsigned char nonce[16];
};
struct shunt_node_peer *shunt_node_peer(struct shunt_comm *comm, int local);

/* The agreement, through the segment inside nodes and over local rank 0 of each between them. As shunt_agree. */
int shunt_node_agree(struct shunt_comm *comm, struct shunt_agreement *values);

#endif
