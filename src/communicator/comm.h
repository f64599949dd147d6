/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.h: what Shunt knows about a communicator of the application, attached to it as an attribute.
 *
 * Life: counted (the first calls are native, until rank 0 says that set-up pays) -> set up (collectively, once) -> routed, or native for
 * good. What its processes have in common with those of other communicators is in a context (context.h).
 * A communicator is used by one thread at a time for collectives (an MPI rule), so nothing here is locked.
 */
#ifndef SHUNT_COMMUNICATOR_COMM_H
#define SHUNT_COMMUNICATOR_COMM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "communicator/node.h"
#include "pmpi/pmpi.h"
#include "route/route.h"
#include "route/settings.h"

/* Tags on the private communicator, counted from the first one of a communicator that uses it. */
enum { SHUNT_TAG_AGREE = 1, SHUNT_TAG_LENGTHS, SHUNT_TAG_DATA, SHUNT_TAG_SELF, SHUNT_TAG_SEGMENT, SHUNT_TAG_BUNDLE, SHUNT_TAG_NOBODY };

/* Tags of what follows the first message of a bundle, one per exchange in turn; and of all this, for one communicator. */
enum { SHUNT_TAG_REST = 16, SHUNT_TAG_RESTS = 1008, SHUNT_TAGS = SHUNT_TAG_REST + SHUNT_TAG_RESTS };

enum shunt_stage {
    SHUNT_STAGE_COUNTING, /* not set up yet */
    SHUNT_STAGE_ROUTED,   /* maps and private communicator exist */
    SHUNT_STAGE_NATIVE    /* nothing is routed, for good */
};

/* What ranks exchange when they set something up; a number for all of it. */
enum { SHUNT_PROTOCOL = 4 };

/* Settings that count for every rank of a context: those of its rank 0 (disable: of any). */
struct shunt_agreed {
    int64_t id;     /* of the context */
    int64_t warmup; /* calls; -1: until set-up pays */
    int64_t memory; /* scratch cap in bytes */
    int64_t max_communicators;
    int64_t verify;
    int64_t table_state;      /* enum shunt_table_state */
    int64_t table_everywhere; /* it is the built-in one, which every process has */
    uint64_t table_bytes;     /* 0: no table */
    uint64_t table_fingerprint;
    uint64_t force_bytes; /* 0: SHUNT_FORCE not set */
    uint64_t force_fingerprint;
    int64_t layout_count;
    int64_t layout[SHUNT_LAYOUT_MAX];
    /* of a communicator, from the reduction of its set-up: */
    int64_t thread_level; /* highest of any rank */
    int64_t gpu;          /* some rank has a GPU runtime loaded */
    int64_t large_counts; /* every rank's library has the MPI-4 functions */
    int64_t no_world;     /* some rank has no MPI_COMM_WORLD (Sessions) */
};

enum shunt_table_state { SHUNT_TABLE_NONE, SHUNT_TABLE_READ, SHUNT_TABLE_BAD };

/* What a call spends its time on, for `shunt bench --phases` (Fan 2025, figure 10). */
enum shunt_phase {
    SHUNT_PHASE_OTHER,     /* outside of the ones below */
    SHUNT_PHASE_AGREEMENT, /* on sizes and memory */
    SHUNT_PHASE_METADATA,  /* lengths in messages of their own */
    SHUNT_PHASE_COPY,      /* packing, unpacking, copying */
    SHUNT_PHASE_NODE,      /* data messages, or waiting for neighbours in the segment, inside a node */
    SHUNT_PHASE_REMOTE,    /* data messages between nodes */
    SHUNT_PHASE_COUNT
};

struct shunt_stopwatch {
    enum shunt_phase now;
    double since; /* seconds, CLOCK_MONOTONIC */
    double seconds[SHUNT_PHASE_COUNT];
};

/* What rank 0 broadcasts about the set-up of a communicator: announce.c. */
struct shunt_announcement {
    int64_t protocol;
    int64_t action;  /* enum action */
    int64_t next;    /* number of the call with the next announcement, or with set-up */
    int64_t id;      /* of the communicator, and of a context that is made for it */
    int64_t context; /* that serves it; 0: one is to be made */
    int64_t place;   /* among the communicators of this rank 0: for tags; -1: none yet */
    int64_t reserved[2];
};

struct shunt_plan;
struct shunt_context;

/* Work in calls before set-up: a unit per call, and for each so many bytes of an MPI_Alltoall. */
enum { SHUNT_UNIT_BYTES = 1 << 15 };

struct shunt_comm {
    /* What most calls look at, and all that a call looks at which only counts or is handed on: a line of the processor's cache. */
    MPI_Comm user;
    int rank, size;
    enum shunt_stage stage;
    unsigned bypass;              /* bit (1 << op): hand the call to PMPI without looking at it */
    uint32_t idle_calls;          /* so many calls before set-up only count, see shunt_announce_idle */
    uint32_t idle_granted;        /* what idle_calls was when the counts below were right */
    int64_t quiet_from, quiet_to; /* Alltoall block sizes last found to be native; empty when to < from. Only while no log is kept */
    uint64_t calls;               /* intercepted calls so far, the current one included */
    uint64_t done;                /* calls before set-up that succeeded */
    int64_t units;                /* and the work in them: equal on all ranks */
    uint32_t untimed;             /* since the last one of which the time was taken */

    struct shunt_context *context; /* NULL until set up, except with a board */
    MPI_Comm private_comm;         /* the context's; MPI_COMM_NULL without */
    int *rank_there;               /* array of P: number of each rank on private_comm; NULL: the same */
    int first_tag;                 /* on private_comm: tags of other communicators that use it are others */
    uint64_t id;                   /* order of first use in this process */
    /* Until set up, see announce.c: */
    uint64_t next_announcement; /* number of the call with which rank 0 speaks, 0: it has said all */
    struct shunt_announcement told;
    MPI_Request announcing; /* of a broadcast that is under way, if its call succeeded with `posted` */
    int posted;
    bool board;               /* it is a notice in shared memory, and all ranks have the context: of one that lasts, on one node */
    bool announces;           /* one is under way */
    int64_t expected;         /* number of the call with the next one, if this one is lost */
    bool waits;               /* the next one is completed before its call: set-up may come with that call */
    uint64_t due;             /* number of the call before which set-up comes, 0: not known yet */
    bool failed;              /* something went wrong here: the set-up is to say so */
    int64_t proposed_id;      /* of this communicator; equal on all ranks */
    int64_t proposed_context; /* 0: none */
    int place;                /* among the communicators of its rank 0, -1: none yet */
    bool planned, by_work;    /* the first announcement has its place; it comes by units */
    double spent;             /* rank 0: seconds in these calls */
    bool early;               /* rank 0: this communicator may be set up early */
    bool deferred;            /* rank 0: has waited once for the context of another one */
    const char *reason;       /* why native for good, or NULL */
    struct shunt_agreed agreed;
    const struct shunt_table *table, *force; /* owned by the process, never freed */
    const struct shunt_table *given;         /* in place of table and SHUNT_FORCE; see shunt_comm_open. NULL: none */
    struct shunt_layout layout;
    struct shunt_map map[SHUNT_OP_COUNT];
    struct shunt_plan **plans[SHUNT_OP_COUNT]; /* array of map.count each */
    /*
     * The decision of the last agreed Alltoallv, if it shares memory: the next call tries it at once, its agreement travelling with the
     * blocks. NULL: calls agree first. Equal on all ranks.
     */
    const struct shunt_decision *hot;
    bool broken; /* a message could not be posted: what arrives may belong to earlier calls. Exchanges fail here, and tell the others */
    bool agrees[SHUNT_OP_COUNT]; /* calls of this operation begin with an agreement */
    bool oversubscribed;         /* more ranks on the host than processors: yield while waiting */
    /* Scratch, reused by every call; see execute/plan.c. */
    uint64_t *pair_keys;              /* array of 2P: multipliers of the checksum, for the block to and from each rank */
    int64_t *send_bytes, *recv_bytes; /* arrays of P: block lengths of the current Alltoallv */
    int64_t *staged;                  /* array of P: where each block lies in `staging` */
    void *scratch;
    size_t scratch_bytes;
    void *staging; /* copy of the receive blocks of an in-place call */
    size_t staging_bytes;
    int64_t staging_block; /* largest block for which all ranks have staging */
    struct shunt_node node;
    /* For messages of the watchdog. */
    const char *doing; /* algorithm or "set-up" */
    uint32_t round;
    char name[MPI_MAX_OBJECT_NAME + 1];
    void (*release_plans)(struct shunt_comm *); /* set by whoever made plans */
    struct shunt_stopwatch *stopwatch;          /* NULL: nobody measures phases */
};

/* Messages of this communicator: `peer` is a rank of it, `tag` one of SHUNT_TAG_. */
static inline int shunt_comm_there(const struct shunt_comm *comm, int peer)
{
    return comm->rank_there ? comm->rank_there[peer] : peer;
}

static inline int shunt_comm_send(const struct shunt_comm *comm, const void *from, int count, MPI_Datatype type, int peer, int tag,
                                  MPI_Request *request)
{
    return shunt_pmpi.Isend(from, count, type, shunt_comm_there(comm, peer), comm->first_tag + tag, comm->private_comm, request);
}

static inline int shunt_comm_receive(const struct shunt_comm *comm, void *to, int count, MPI_Datatype type, int peer, int tag,
                                     MPI_Request *request)
{
    return shunt_pmpi.Irecv(to, count, type, shunt_comm_there(comm, peer), comm->first_tag + tag, comm->private_comm, request);
}

/* wait.c: monotonic time in seconds, and charging the time that has passed to the phase that ends. */
double shunt_clock(void);
void shunt_stopwatch_turn(struct shunt_stopwatch *watch, enum shunt_phase next);

static inline void shunt_phase(const struct shunt_comm *comm, enum shunt_phase next)
{
    if (__builtin_expect(comm->stopwatch != NULL, 0))
        shunt_stopwatch_turn(comm->stopwatch, next);
}

/*
 * The state of `comm`, made at its first call. NULL with *error set when the library refuses (an invalid communicator: its error handler
 * has been called), or when memory is short (likewise).
 */
struct shunt_comm *shunt_comm_lookup(MPI_Comm comm, int *error);

/*
 * Communicators that this thread used lately, each at the place that its handle gives it: MPICH counts them in the lowest bits (three for
 * each that a program makes), twice: the highest byte tells the first few from the others. Handles are reused, so every release advances
 * the epoch.
 */
enum { SHUNT_COMM_CACHE = 256 };
struct shunt_comm_cache {
    MPI_Comm comm;
    unsigned long epoch;
    struct shunt_comm *state;
};
extern _Thread_local struct shunt_comm_cache shunt_comm_last[SHUNT_COMM_CACHE] __attribute__((tls_model("initial-exec")));
extern _Atomic unsigned long shunt_comm_epoch;

static inline struct shunt_comm_cache *shunt_comm_cache_place(MPI_Comm comm)
{
    const unsigned handle = (unsigned)comm;
    return &shunt_comm_last[(handle ^ handle >> 24) % SHUNT_COMM_CACHE];
}

/* The state of a communicator that this thread used lately, or NULL. */
static inline struct shunt_comm *shunt_comm_cached(MPI_Comm comm)
{
    const struct shunt_comm_cache *last = shunt_comm_cache_place(comm);
    const bool valid = last->comm == comm && last->epoch == atomic_load_explicit(&shunt_comm_epoch, memory_order_acquire);
    return valid ? last->state : NULL;
}

static inline struct shunt_comm *shunt_comm_find(MPI_Comm comm, int *error)
{
    struct shunt_comm *cached = shunt_comm_cached(comm);
    return cached ? cached : shunt_comm_lookup(comm, error);
}

/*
 * To be called once per intercepted call in stage COUNTING, after calls was advanced: sets the communicator up when its time has come.
 * Collective at calls that all ranks know. Afterwards stage tells. Never fails: trouble makes the communicator native on all ranks.
 */
void shunt_comm_settle(struct shunt_comm *comm);

/*
 * A state of its own for `user`, beside the one that the library keeps for the application and not attached to it: set up at once, routed
 * by `force` (as from SHUNT_FORCE; rank 0's counts, and it must outlive the state) and by nothing else. Collective. Afterwards stage and
 * reason tell. NULL with *error set when memory is short on this rank, before anything was communicated. Release with shunt_comm_close.
 */
struct shunt_comm *shunt_comm_open(MPI_Comm user, const struct shunt_table *force, int *error);
void shunt_comm_close(struct shunt_comm *comm);

/* Nothing is routed, for good: to be found by all ranks alike. `reason`: a constant string. */
void shunt_comm_native(struct shunt_comm *comm, const char *reason);

/* Raises `code` once on the user's communicator, through its own error handler, and returns it (MPI_SUCCESS: nothing). */
int shunt_comm_raise(struct shunt_comm *comm, int code);

/*
 * Between begin and end, errors on `on` are returned and not handed to its error handler. For single calls: another thread's errors on the
 * same communicator are returned as well, and it sees our handler. One that it sets meanwhile stays.
 */
struct shunt_hush {
    MPI_Comm on;
    MPI_Errhandler saved;
    bool active;
};
void shunt_hush_begin(struct shunt_hush *hush, MPI_Comm on);
/* The same unless other threads may be in MPI: then it does nothing, and the library raises its errors itself. */
void shunt_hush_begin_alone(struct shunt_hush *hush, MPI_Comm on);
void shunt_hush_end(struct shunt_hush *hush);

/* A name for messages: the user's name of the communicator and its size. Returns comm->name. */
const char *shunt_comm_describe(struct shunt_comm *comm);

/*
 * announce.c: rank 0 tells when set-up comes, or when it speaks again. At the beginning of every call, and where comm->announces then, at
 * its end. Collective at calls that all ranks know.
 */
void shunt_announce(struct shunt_comm *comm);
/* Whether something begins with this call if it is carried out: the first plan, an announcement, or set-up. */
bool shunt_announce_due(const struct shunt_comm *comm);
void shunt_announce_end(struct shunt_comm *comm);
/*
 * How many of the next calls only count, where one of MPI_Alltoall moves less than SHUNT_UNIT_BYTES: nothing begins or ends with them, and
 * this rank does not take their time.
 */
uint32_t shunt_announce_idle(const struct shunt_comm *comm);
/* A call before set-up was carried out. bytes: that an MPI_Alltoall sent, 0 for MPI_Alltoallv; seconds: that it took, on rank 0. */
void shunt_announce_done(struct shunt_comm *comm, int64_t bytes, double seconds);
/* setup.c: the collective set-up. Leaves stage ROUTED or NATIVE. */
void shunt_setup_run(struct shunt_comm *comm);
/*
 * Decides anew, after something in comm->layout was found not to work, by all ranks alike. Collective. All plans and decisions of before
 * are gone. False: the communicator is native from now on.
 */
bool shunt_comm_decide_anew(struct shunt_comm *comm);

/* tables.c: the tables of this process. */
/* The process's table, read from files at most once, or adopted from the first communicator that had one. *state tells. */
const struct shunt_table *shunt_tables_own(enum shunt_table_state *state);
/* Likewise for SHUNT_FORCE. */
const struct shunt_table *shunt_tables_force(enum shunt_table_state *state);
/* A table received or read before, by fingerprint; NULL when this process has none such. */
const struct shunt_table *shunt_tables_find(uint64_t fingerprint);
/* Takes over a malloc block that holds a valid table; returns the process's copy. Becomes the process's own table if it has none yet. */
const struct shunt_table *shunt_tables_adopt(struct shunt_table *table, bool as_own);

/* choice.c: the tables that count where this process is rank 0, NULL: none; and the warm-up in calls, -1: until set-up pays. */
void shunt_tables_choose(const struct shunt_table **table, const struct shunt_table **force, enum shunt_table_state *state);
int64_t shunt_tables_warmup(const struct shunt_table *table, const struct shunt_table *force);

/* process.c: settings of this process, read at first use. */
const struct shunt_settings *shunt_process_settings(void);
bool shunt_process_first_of_job(void);
int shunt_process_world_rank(void);
/* Hash of the settings that should be equal on all ranks. */
int64_t shunt_process_settings_hash(void);
/* A number that no other communicator or context of the job has: positive. */
int64_t shunt_process_new_id(void);
/*
 * The places of the communicators of which this process is rank 0. Two of them never have one place at the same time where threads could
 * use both at once: false when no place is left for that. Without threads the order of messages keeps them apart.
 */
bool shunt_process_take_place(struct shunt_comm *comm, const struct shunt_context *context);
void shunt_process_give_place(struct shunt_comm *comm);

/* wait.c: waiting with progress, watchdog and, when oversubscribed, yielding. */
/*
 * Completes `count` requests (array; entries of MPI_REQUEST_NULL are fine). peers: array of partner ranks for messages, or NULL. full:
 * array that is true for receives of messages that are never empty, or NULL: one that is empty all the same tells that its sender has
 * failed, and its error is MPI_ERR_OTHER. Returns MPI_SUCCESS or the error of the first request that has one; all are complete either way.
 */
int shunt_wait_all(struct shunt_comm *comm, int count, MPI_Request *requests, const int *peers, const bool *full);

/* The watchdog: says once, after the time of SHUNT_WATCHDOG, what a rank waits for. Looks at the clock at every call. */
struct shunt_watch {
    double since;
    bool said;
};
void shunt_watch_look(struct shunt_comm *comm, struct shunt_watch *watch, int peer);

/* agree.c: reductions over the private communicator. */
struct shunt_agreement {
    int64_t largest;   /* maximum */
    uint64_t total;    /* sum */
    uint64_t checksum; /* sum modulo 2^64 */
    uint64_t flags;    /* bitwise or */
};
static inline void shunt_agreement_add(struct shunt_agreement *all, const struct shunt_agreement *more)
{
    all->largest = more->largest > all->largest ? more->largest : all->largest;
    all->total += more->total;
    all->checksum += more->checksum;
    all->flags |= more->flags;
}
enum {
    SHUNT_FLAG_NATIVE = 1,
    SHUNT_FLAG_IN_PLACE = 2,
    SHUNT_FLAG_DEVICE = 4,
    SHUNT_FLAG_NO_MEMORY = 8,
    SHUNT_FLAG_REFUSED = 16,
    SHUNT_FLAG_FAILED = 32
};

/* Reduces *values over all ranks, in place. Returns MPI_SUCCESS or an error of the library. */
int shunt_agree(struct shunt_comm *comm, struct shunt_agreement *values);
/* The part between nodes, for the first rank of each: *values of the node becomes that of all. */
int shunt_agree_between_nodes(struct shunt_comm *comm, struct shunt_agreement *values);
/* Whether `ok` holds on every rank; an error of the library counts as no. */
bool shunt_agree_all(struct shunt_comm *comm, bool ok);

/* device.c: memory of accelerators. */
/* Whether a GPU runtime is loaded in this process. */
bool shunt_device_runtime(void);
/* Whether the pointer is (or may be) device memory. */
bool shunt_device_pointer(const void *pointer);

#endif
