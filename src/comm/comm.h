/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.h: what Shunt knows about a communicator of the application, attached to it as an attribute
 * at its first call.
 *
 * Life: counted (the first calls are native, until rank 0 says that set-up pays) -> set up
 * (collectively, once) -> routed, or native for good. What its processes have in common with those
 * of other communicators is in a team (team.h). A communicator is used by one thread at a
 * time for collectives (an MPI rule), so nothing here is locked.
 */
#ifndef SHUNT_COMM_COMM_H
#define SHUNT_COMM_COMM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "comm/adapt.h"
#include "comm/trace.h"
#include "pmpi/pmpi.h"
#include "route/route.h"
#include "route/settings.h"
#include "shm/agreement.h"
#include "shm/barrier.h"
#include "shm/shared.h"

/* Tags on the private communicator, counted from the first one of a communicator that uses it. */
enum {
    SHUNT_TAG_AGREE = 1,
    SHUNT_TAG_LENGTHS,
    SHUNT_TAG_DATA,
    SHUNT_TAG_SELF,
    SHUNT_TAG_SEGMENT,
    SHUNT_TAG_BUNDLE,
    SHUNT_TAG_CLOCK,
    SHUNT_TAG_NOBODY
};

/* Tags of what follows the first message of a bundle, one per exchange in turn; and of all this,
 * for one communicator. */
enum { SHUNT_TAG_REST = 16, SHUNT_TAG_RESTS = 1008, SHUNT_TAGS = SHUNT_TAG_REST + SHUNT_TAG_RESTS };

enum shunt_state {
    SHUNT_STATE_COUNTING, /* not set up yet */
    SHUNT_STATE_ROUTED,   /* maps and private communicator exist */
    SHUNT_STATE_NATIVE,   /* nothing is routed, for good */
    SHUNT_STATE_ENDED     /* its communicator is no more: nobody's memory */
};

/* What ranks exchange when they set something up; a number for all of it. */
enum { SHUNT_PROTOCOL = 16 };

/* Settings that count for every rank of a team: those of its rank 0 (disable: of any). */
struct shunt_agreed {
    int64_t id;     /* of the team */
    int64_t warmup; /* calls; -1: until set-up pays */
    int64_t memory; /* scratch cap in bytes */
    int64_t max_communicators;
    int64_t verify;
    int64_t learn;            /* enum shunt_learning */
    int64_t guard;            /* rules prove themselves: learn/lessons.h */
    int64_t table_state;      /* enum shunt_table_state */
    int64_t table_everywhere; /* it is the built-in one, which every process has */
    uint64_t table_bytes;     /* 0: no table */
    uint64_t table_fingerprint;
    uint64_t force_bytes; /* 0: SHUNT_FORCE not set */
    uint64_t force_fingerprint;
    int64_t layout_count, layout_cyclic;
    int64_t layout[SHUNT_LAYOUT_MAX];
    int64_t log_calls;  /* calls are logged there, so that clocks are compared */
    int64_t clock_base; /* shunt_log_clock_base there */
    /* of a communicator, from the reduction of its set-up: */
    int64_t thread_level; /* highest of any rank */
    int64_t gpu;          /* enum shunt_device, the most of any rank */
    int64_t large_counts; /* every rank's library has the MPI-4 functions */
    int64_t no_world;     /* some rank has no MPI_COMM_WORLD (Sessions) */
};

/* What a call spends its time on, for `shunt bench --phases` (Fan 2025, figure 10) and the log. */
enum shunt_phase {
    SHUNT_PHASE_OTHER,     /* outside of the ones below */
    SHUNT_PHASE_AGREEMENT, /* on sizes and memory */
    SHUNT_PHASE_PREPARE,   /* before the first round: buffers, the own block, a first rotation,
                              padding */
    SHUNT_PHASE_METADATA,  /* lengths in messages of their own */
    SHUNT_PHASE_COPY,      /* packing and unpacking in the rounds, copying */
    SHUNT_PHASE_NODE, /* data messages, or waiting for neighbours in the segment, inside a node */
    SHUNT_PHASE_REARRANGE, /* blocks of neighbours put together for messages between nodes; a last
                              rotation or scan */
    SHUNT_PHASE_REMOTE,    /* data messages between nodes */
    SHUNT_PHASE_COUNT
};

struct shunt_stopwatch {
    enum shunt_phase now;
    int64_t since; /* nanoseconds, CLOCK_MONOTONIC */
    int64_t nanoseconds[SHUNT_PHASE_COUNT];
};

/*
 * Calls of an operation about which no lesson has anything to decide (learn/lessons.h): they go by
 * the map and are only counted. Equal on all ranks.
 */
struct shunt_calm {
    uint32_t calls;   /* so many more */
    uint32_t granted; /* what `calls` was when lessons were last told */
    uint64_t proven;  /* bit per class of sizes (shunt_class): a rule of the map has all of it */
};

/* The class of a block size: 0 for 0 and 1, n for what lies above 2^(n-1), up to 2^n. */
static inline int shunt_class(int64_t block)
{
    return block < 2 ? 0 : 64 - __builtin_clzll((unsigned long long)block - 1);
}

/* Until set up: warm_up.c. */
struct shunt_warm_up {
    uint64_t next_word;    /* number of the call before which rank 0 speaks; 0: not known yet */
    int64_t spent;         /* rank 0: nanoseconds in these calls */
    bool early;            /* rank 0: this communicator may be set up early */
    bool failed;           /* something went wrong here: the set-up is to say so */
    int64_t proposed_team; /* that serves it; 0: none */
};

/* Memory that calls take turns in; it only grows: execute/reserve.c. */
struct shunt_buffers {
    uint64_t *pair_keys; /* array of 2P: multipliers of the checksum, for the block to and from each
                            rank */
    void *scratch;
    size_t scratch_bytes;
    void *staging; /* copy of the blocks to be sent, of an in-place call for example */
    size_t staging_bytes;
    int64_t *staged, *staged_bytes; /* arrays of P: where each of them lies, and its length; NULL:
                                       nothing was staged so far */
};

/* Room for the name of a communicator, in any ABI and of any library: the measuring programs share
 * struct shunt_comm with the core, and are compiled with another mpi.h. */
enum { SHUNT_NAME_ROOM = 256 };

/* For messages of the watchdog, and the log. */
struct shunt_diag {
    const char *doing; /* algorithm or "set-up" */
    bool patient;      /* the wait for the others ends without them after a while: collective.h */
    bool gave_up;      /* it has */
    uint32_t round;
    bool inter; /* an intercommunicator */
    char name[SHUNT_NAME_ROOM];
    struct shunt_stopwatch *stopwatch; /* NULL: nobody measures phases */
    struct shunt_stopwatch watch;      /* here and not with the call, which an exception may end */
    int64_t arrival;                   /* of this rank at the current call, by shunt_now */
    uint64_t log_id;                   /* the same on all ranks; 0: not found yet */
    uint64_t natives; /* exchanges that the library made on it; only while a log is kept */
};

struct shunt_lessons;
struct shunt_named;
struct shunt_plan;
struct shunt_plan_cache;
struct shunt_team;

struct shunt_comm {
    /* What most calls look at, and all that a call looks at which only counts or is handed on: a
     * line of the processor's cache. */
    MPI_Comm user;
    int rank, size;
    enum shunt_state state;
    unsigned bypass;       /* bit (1 << op): hand the call to PMPI without looking at it */
    uint32_t found;        /* times that it was found as its communicator's attribute: lifetime.c */
    _Atomic uint32_t turn; /* how many had this memory before: states.h; of any thread */
    int64_t quiet_from, quiet_to; /* Alltoall block sizes last found to be native; empty when to <
                                     from. Only while no log is kept */
    uint64_t calls; /* so far that the library did not refuse, the current one included */
    uint64_t look;  /* calls before set-up only count as long as their numbers are below this:
                       warm_up.h */

    uint64_t id;         /* order of first use in this process */
    int64_t proposed_id; /* by rank 0; equal on all ranks */
    int tag_index;       /* among the communicators of its rank 0, -1: none yet */
    const char *reason;  /* why native for good, or NULL */
    struct shunt_warm_up warm;
    uint64_t calls_before;         /* its set-up */
    struct shunt_comm *next_ended; /* its memory is to be used again */

    /* Routed: where its messages go, */
    struct shunt_team *team; /* NULL until set up */
    MPI_Comm private_comm;   /* the team's; MPI_COMM_NULL without */
    int *rank_there;         /* array of P: number of each rank on private_comm; NULL: the same */
    int first_tag; /* on private_comm: tags of other communicators that use it are others */
    bool broken;   /* a message could not be posted: what arrives may belong to earlier calls.
                      Exchanges fail here, and tell the others */
    struct shunt_waiter waiter; /* how this rank waits for its neighbours, and for messages */
    struct shunt_node node;
    /* what is decided, */
    struct shunt_agreed agreed;
    const struct shunt_table *table, *force; /* owned by the process, never freed */
    const struct shunt_table *given;         /* in place of both; see shunt_comm_open. NULL: none */
    struct shunt_named *named;               /* during set-up, for tests; NULL: nothing */
    struct shunt_layout layout;
    struct shunt_map map[SHUNT_OP_COUNT];
    bool routes[SHUNT_OP_COUNT]; /* not all calls of this operation are native */
    bool agrees[SHUNT_OP_COUNT]; /* calls of this operation begin with an agreement */
    struct shunt_adapt adapt;    /* of MPI_Alltoallv */
    /* Calls of MPI_Alltoallv were native since the last agreement, and nobody asked: equal on all
     * ranks. */
    bool unasked;
    /* The library may have refused a call of this rank alone, so that nobody knows whether the
     * others count it: this rank leaves with its next call (comm/agree.h). */
    bool refused;
    /* what is learned, */
    struct shunt_lessons *lessons; /* src/learn's; NULL: nothing */
    int64_t known[SHUNT_OP_COUNT]; /* to all ranks, when learning begins: learning.h */
    struct shunt_calm calm[SHUNT_OP_COUNT];
    /* and what is ready: execute/plan.c. */
    struct shunt_plan_cache *plans;             /* NULL: none yet */
    void (*release_plans)(struct shunt_comm *); /* set by whoever made plans */
    /*
     * The decision of the last agreed Alltoallv, if it shares memory: the next call tries it at
     * once, its agreement travelling with the blocks. NULL: calls agree first. Equal on all ranks.
     */
    const struct shunt_decision *hot;
    struct shunt_plan *hot_plan;
    struct shunt_buffers buffers;
    struct shunt_diag diag;
};

/* Messages of this communicator: `peer` is a rank of it, `tag` one of SHUNT_TAG_. */
static inline int shunt_comm_there(const struct shunt_comm *comm, int peer)
{
    return comm->rank_there ? comm->rank_there[peer] : peer;
}

static inline int shunt_comm_send(const struct shunt_comm *comm, const void *from, int count,
                                  MPI_Datatype type, int peer, int tag, MPI_Request *request)
{
    shunt_trace_message(false, count, type, peer, tag, request);
    return shunt_pmpi.Isend(from, count, type, shunt_comm_there(comm, peer), comm->first_tag + tag,
                            comm->private_comm, request);
}

static inline int shunt_comm_receive(const struct shunt_comm *comm, void *to, int count,
                                     MPI_Datatype type, int peer, int tag, MPI_Request *request)
{
    shunt_trace_message(true, count, type, peer, tag, request);
    return shunt_pmpi.Irecv(to, count, type, shunt_comm_there(comm, peer), comm->first_tag + tag,
                            comm->private_comm, request);
}

/* Whether SHUNT_FORCE says how to route an operation, once set up. */
static inline bool shunt_comm_forced(const struct shunt_comm *comm, enum shunt_op op)
{
    return comm->force && comm->force->rule_count[op];
}

/* Why, where some rank has left: comm/agree.h. */
#define SHUNT_COMM_LEFT "a rank made a call with invalid arguments"
/* Why, where some rank did not come to the set-up. */
#define SHUNT_COMM_ALONE "some rank did not come to the set-up"
/* Nothing is routed, for good: to be found by all ranks alike. `reason`: a constant string. */
void shunt_comm_native(struct shunt_comm *comm, const char *reason);

/* Raises `code` of a call once on the user's communicator, through its own error handler, and
 * returns it (MPI_SUCCESS: nothing). One that ends the program is told before. */
int shunt_comm_raise(struct shunt_comm *comm, enum shunt_op op, int code);

/* A name for messages: the user's name of the communicator and its size. Returns comm->diag.name.
 */
const char *shunt_comm_describe(struct shunt_comm *comm);

#endif
