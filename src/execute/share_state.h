/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share_state.h: what is kept between calls of algorithms that share memory inside nodes
 * (bundle.c, parlinna_shared.c, peer_read.c), and how that memory is made.
 */
#ifndef SHUNT_EXECUTE_SHARE_STATE_H
#define SHUNT_EXECUTE_SHARE_STATE_H

#include "execute/plan.h"

struct shunt_share_state {
    int64_t *bundle_bytes; /* arrays of slots (parlinna_shared.c: of nodes): length and place of
                              each bundle that is on its way */
    char **bundle_at;
    int half;         /* of areas and arrivals, that the current exchange uses */
    int stored;       /* parlinna_shared.c: first error of blocks that reached the user before the
                         exchange was over */
    int64_t capacity; /* largest block that this plan's part of the segment and its scratch are made
                         for */
    int64_t arriving; /* and bundles that arrive in one call */
};

static inline struct shunt_share_state *shunt_share_state(struct shunt_plan *plan)
{
    return (struct shunt_share_state *)(void *)plan->state;
}

/*
 * Makes shared memory for blocks of `block` bytes and so many arriving bundles, in
 * comm->node.next. Local. False: not here; callers agree that all succeeded, and then call
 * shunt_node_commit.
 */
bool shunt_share_make(struct shunt_comm *comm, struct shunt_plan *plan, int64_t block,
                      int64_t arriving);
/* Operations of struct shunt_executor that these kinds have in common. */
bool shunt_share_fits(const struct shunt_plan *plan, const struct shunt_comm *comm);
bool shunt_share_prepare(struct shunt_plan *plan, size_t bundles);
void shunt_share_release(struct shunt_plan *plan);

#endif
