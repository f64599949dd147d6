/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle.h: exchanges through the memory that the ranks of a node share. Two halves, because an
 * Alltoallv learns only on the way whether it may be delivered.
 */
#ifndef SHUNT_EXECUTE_BUNDLE_H
#define SHUNT_EXECUTE_BUNDLE_H

#include "execute/exchange.h"

/*
 * Either kind of exchange in shared memory (kinds SEGMENT and COLLECT): shunt_bundle_ or
 * shunt_collect_.
 */
/* What a rank says in the barrier if it cannot publish its blocks: an Alltoallv, which looks at all
 * that is said, can still be native. */
static inline uint64_t shunt_shared_failure(const struct shunt_exchange *x)
{
    return x->op == SHUNT_OP_ALLTOALLV && !x->comm->broken ? SHUNT_FLAG_NATIVE : SHUNT_FLAG_FAILED;
}

int shunt_shared_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values);
int shunt_shared_copy_out(struct shunt_exchange *x, struct shunt_plan *plan);

/*
 * Publishes this rank's blocks and brings those of all others to the node. values, for Alltoallv:
 * this rank's on entry, those of all ranks combined on return; blocks have travelled only if flags
 * are 0 and `largest` is at most plan->ready. For Alltoall: NULL, and another rank's failure is an
 * error here. Writes to no user buffer. Returns MPI_SUCCESS or an error raised nowhere.
 */
int shunt_bundle_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values);
/* Copies the blocks to the user's buffer; after an exchange that carried them. */
int shunt_bundle_copy_out(struct shunt_exchange *x, struct shunt_plan *plan);

/* The same for parlinna-shared (collect.c). */
int shunt_collect_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                           struct shunt_agreement *values);
int shunt_collect_copy_out(struct shunt_exchange *x, struct shunt_plan *plan);

/*
 * Makes shared memory for blocks of `block` bytes, in comm->node.next. Local. False: not here;
 * callers agree that all succeeded, and then call shunt_node_commit.
 */
bool shunt_bundle_prepare(struct shunt_exchange *x, struct shunt_plan *plan, int64_t block);
/*
 * peer_read.c: finds out, in comm->node.proved, whether this rank can read the memory of each of
 * its neighbours. Collective over the node, which must be the whole communicator.
 */
void shunt_peer_read_prove(struct shunt_comm *comm);
/* Whether the segment has room for what the plan was made ready for. */
bool shunt_bundle_fits(const struct shunt_plan *plan, const struct shunt_shared *shared);
/* Bytes of this rank's scratch for the messages of one round. INT64_MAX when it does not fit. */
int64_t shunt_bundle_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                             int64_t capacity);

#endif
