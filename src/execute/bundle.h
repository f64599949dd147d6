/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle.h: exchanges through the memory that the ranks of a node share, in the two halves of
 * struct shunt_executor: bundle.c and parlinna_shared.c.
 */
#ifndef SHUNT_EXECUTE_BUNDLE_H
#define SHUNT_EXECUTE_BUNDLE_H

#include "execute/share_state.h"

/* What a rank says in the barrier if it cannot copy its blocks in: an Alltoallv, which looks at all
 * that is said, can still be native. */
static inline uint32_t shunt_shared_failure(const struct shunt_exchange *x)
{
    return x->op == SHUNT_OP_ALLTOALLV && !x->comm->broken ? SHUNT_FLAG_NATIVE : SHUNT_FLAG_FAILED;
}

/* An MPI_Alltoall, which looks at what is said only here: a rank has left before it. On one node
 * all know that, and nothing has been touched. */
static inline bool shunt_shared_is_left(struct shunt_exchange *x,
                                        const struct shunt_agreement *values)
{
    x->declined = (values->flags & SHUNT_FLAG_LEFT) && x->comm->layout.nodes == 1;
    return x->declined;
}

/* With bundles of nodes between nodes: shared-segment, node-pair, node-bruck. */
int shunt_bundle_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values);
int shunt_bundle_copy_out(struct shunt_exchange *x, struct shunt_plan *plan);
void shunt_bundle_leave(struct shunt_comm *comm, struct shunt_plan *plan);

/* With messages from rank to rank between nodes: parlinna-shared. */
int shunt_collect_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                           struct shunt_agreement *values);
int shunt_collect_copy_out(struct shunt_exchange *x, struct shunt_plan *plan);
void shunt_collect_leave(struct shunt_comm *comm, struct shunt_plan *plan);

#endif
