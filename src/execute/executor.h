/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * executor.h: what carries out the algorithms of one kind.
 *
 * One table of operations per kind, in the file that has the code; whoever needs an operation finds
 * it through the plan, and NULL means that the kind has nothing to do there. A kind keeps what it
 * needs between calls in a struct of its own, in plan->state.
 */
#ifndef SHUNT_EXECUTE_EXECUTOR_H
#define SHUNT_EXECUTE_EXECUTOR_H

#include "comm/setup.h"
#include "execute/plan.h"
#include "shm/agreement.h"

struct shunt_executor {
    size_t state_bytes;

    /* Collective, with every call that makes plans ready, whatever failed before: finds out what
     * can only be found together. */
    void (*prove)(struct shunt_comm *comm);

    /*
     * Kinds that share memory: makes what the node is to share for blocks of x->block bytes.
     * *covered is x->block on entry, and what calls may have without making it again on return.
     * Local; all ranks agree afterwards that all succeeded.
     */
    bool (*share)(struct shunt_exchange *x, struct shunt_plan *plan, int64_t *covered);

    /* Whether what the node shares is still enough for the plan. */
    bool (*fits)(const struct shunt_plan *plan, const struct shunt_comm *comm);

    /* What the communicator has not, where some rank could not make the plan ready: the next rule
     * takes over. SHUNT_LACKS_NOTHING: that call is native. */
    enum shunt_lack lacks;

    /* Fills the state once, when the schedule is built. Local. */
    bool (*prepare)(const struct shunt_comm *comm, struct shunt_plan *plan);

    /* What calls with such blocks need besides. Local. */
    bool (*grow)(struct shunt_plan *plan, int64_t block);

    /*
     * Bytes of this rank's scratch for blocks of at most `block` bytes; INT64_MAX when it does not
     * fit. A call touches no more than the row's memory().
     */
    int64_t (*scratch)(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block);

    /* Messages that can be in flight together. */
    size_t (*requests)(const struct shunt_plan *plan, int64_t block);

    /* The call. Returns MPI_SUCCESS or an error class or code that was raised nowhere (unless
     * x->raised). */
    int (*run)(struct shunt_exchange *x, struct shunt_plan *plan);

    /*
     * Kinds whose agreement can go with the blocks (shunt_kind_joins), run in two halves:
     *
     * exchange copies this rank's blocks in and brings those of all others to the node. values, for
     * Alltoallv: this rank's on entry, those of all ranks combined on return; blocks have been
     * moved only if flags are 0 and `largest` is at most plan->ready. For Alltoall: NULL, and
     * another rank's failure is an error here. Writes to no user buffer. Returns as run does.
     *
     * copy_out copies the blocks to the user's buffer; after an exchange that moved them. Whether
     * it comes or not, shunt_node_end_exchange does.
     */
    int (*exchange)(struct shunt_exchange *x, struct shunt_plan *plan,
                    struct shunt_agreement *values);
    int (*copy_out)(struct shunt_exchange *x, struct shunt_plan *plan);

    /* In place of an exchange of MPI_Alltoallv: this rank leaves (comm/agree.h), says so wherever
     * it would have said its values, and waits for nobody. */
    void (*leave)(struct shunt_comm *comm, struct shunt_plan *plan);

    /* Gives back what the state holds; the plan itself is the caller's. Local. */
    void (*release)(struct shunt_plan *plan);
};

extern const struct shunt_executor shunt_executor_native;   /* executor.c */
extern const struct shunt_executor shunt_executor_direct;   /* direct.c */
extern const struct shunt_executor shunt_executor_forward;  /* forward_plan.c */
extern const struct shunt_executor shunt_executor_padded;   /* forward_plan.c */
extern const struct shunt_executor shunt_executor_library;  /* padded.c */
extern const struct shunt_executor shunt_executor_datatype; /* datatype.c */
extern const struct shunt_executor shunt_executor_segment;  /* bundle_plan.c */
extern const struct shunt_executor shunt_executor_collect;  /* bundle_plan.c */
extern const struct shunt_executor shunt_executor_read;     /* peer_read.c */

/* The executor of a kind. */
const struct shunt_executor *shunt_executor_of(enum shunt_kind kind);

/* Messages of one round: each step's two, and more where those of over a gigabyte are cut. */
size_t shunt_executor_requests(const struct shunt_plan *plan, int64_t block);

#endif
