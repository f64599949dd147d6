/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.h: what the ranks of one node share: memory, and a way to meet in it.
 *
 * Each node of a communicator's layout has a control block in the memory that its processes share (segment.h). Meetings are numbered; every
 * rank takes part in every meeting, in the same order, because meetings follow from agreed values only. A meeting is one atomic addition
 * per rank; the last to arrive opens it for all.
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

#include "communicator/segment.h"

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

/* Memory for the blocks of the node's ranks, in two halves that exchanges use in turn. Its contents: execute/bundle.c. */
struct shunt_shared {
    char *data;        /* NULL: none yet, or (of what is being made) not known here yet */
    shunt_piece piece; /* 0: the only rank of its node has it to itself */
    size_t bytes, half_bytes, area_bytes;
    int64_t room;     /* largest block that fits */
    int64_t arriving; /* bundles from other nodes that fit */
};

/* Members of struct shunt_comm. control == NULL: this communicator has no shared memory. */
struct shunt_node {
    int index, local, ppn; /* node in the layout, local rank in it, ranks on it */
    bool attached;         /* all ranks have what shunt_node_prepare made */
    struct shunt_node_control *control;
    shunt_piece piece;                /* of the control block; 0: of the only rank of its node, or not known here yet */
    uint32_t notices;                 /* written, or read here */
    uint32_t meeting;                 /* number of the last meeting */
    uint32_t exchange;                /* number of the last exchange of bundles: the same on all ranks of the communicator */
    uint32_t spins;                   /* polls before a wait yields, see node.c */
    double yields;                    /* how many yields a wait has taken of late, see node.c */
    unsigned char nonce[16];          /* read by neighbours that prove that they reach this process */
    bool proving, proved;             /* whether neighbours' memory can be read was tried, and what came out: on all ranks alike */
    struct shunt_shared shared, next; /* next: being made, see shunt_node_offer */
};

/*
 * node.c: the first rank of the node takes memory for the control block; the others only see that there is some to be had. Local. False:
 * there is none here. When all ranks agreed that all succeeded, shunt_node_attach (local; cannot fail); otherwise shunt_node_close.
 */
bool shunt_node_prepare(struct shunt_comm *comm);
void shunt_node_attach(struct shunt_comm *comm);
/*
 * In place of another agreement and shunt_node_attach, where all ranks are processes of one node and have its context: after
 * shunt_node_prepare, whether that succeeded or was not even tried. *values become those of all ranks combined. False, on all ranks alike:
 * rank 0 has no memory.
 */
bool shunt_node_meet_first(struct shunt_comm *comm, struct shunt_agreement *values);

/*
 * Long before set-up, where all ranks are processes of one node and have its context (comm->board): rank 0 writes short notices in the
 * control block, which it makes with the first one, and the others read them, each at the same calls. Writing is local; reading waits until
 * the notice is there. False: there is no control block, on all ranks alike.
 */
struct shunt_notice {
    _Atomic uint32_t action; /* written last; not 0 */
    int32_t place;
    int64_t next;
};
enum { SHUNT_NOTICES = 32 };
bool shunt_node_write(struct shunt_comm *comm, uint32_t action, int64_t place, int64_t next);
bool shunt_node_read(struct shunt_comm *comm, uint32_t *action, int64_t *place, int64_t *next);
/* Instead of reading the first one, when the communicator is freed. */
void shunt_node_excuse(struct shunt_comm *comm);
/*
 * Memory of node->next.bytes for blocks, on its way to become node->shared: the first rank of the node takes it. Local. False: no memory
 * here. All ranks of the communicator then agree whether all succeeded, and tell shunt_node_commit.
 */
bool shunt_node_offer(struct shunt_comm *comm);
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
