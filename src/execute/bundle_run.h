/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bundle_run.h: one exchange through shared memory, for its two parts: what ranks of a node do
 * among themselves (bundle.c), and the messages of its leaders (bundle_messages.c).
 */
#ifndef SHUNT_EXECUTE_BUNDLE_RUN_H
#define SHUNT_EXECUTE_BUNDLE_RUN_H

#include "comm/node.h"
#include "execute/bundle.h"
#include "execute/messages.h"
#include "schedule/bundle.h"

/* One per part of the bundle of each node, in each half: where it has arrived. */
struct shunt_arrival {
    uint64_t at; /* from the beginning of the half of the arrivals */
    struct shunt_agreement values;
    int32_t status;
};

/* Begins a bundle of an Alltoallv. */
struct shunt_bundle_header {
    struct shunt_agreement values;
    int64_t
        bytes; /* of the whole bundle, or part; the header alone when the blocks are not there */
};

_Static_assert(sizeof(struct shunt_arrival) <= SHUNT_BUNDLE_HEADER &&
                   sizeof(struct shunt_bundle_header) <= SHUNT_BUNDLE_HEADER,
               "room for it is reserved");

struct shunt_bundle_run {
    struct shunt_exchange *x;
    struct shunt_plan *plan;
    struct shunt_share_state *state; /* of the plan */
    const struct shunt_layout *layout;
    int half;       /* of the areas */
    char *arrivals; /* the half of these */
    bool uniform;   /* Alltoall */
    bool framed;    /* messages carry several bundles, and their sizes */
    bool present;   /* all blocks of this node are there, and (Alltoallv) fit, so its bundles carry
                       them */
    struct shunt_agreement node_values;
    int leaders;      /* of this node */
    int parts;        /* of each bundle, as many leaders send it */
    int64_t fragment; /* bytes of the first message of a bundle, at most; INT64_MAX: no bundle is
                         longer */
    char *out;        /* end of the messages built so far, in the scratch */
    char *in;         /* end of what has arrived, in the half */
    int transport;    /* first error of a message; without one, what arrived can be relied on */
    struct shunt_messages messages; /* its status: first error of any kind */
};

static inline char *shunt_bundle_area(const struct shunt_bundle_run *run, int local)
{
    return shunt_node_area(run->x->comm, run->half, local);
}

static inline struct shunt_arrival *shunt_bundle_arrival(const struct shunt_bundle_run *run,
                                                         int node, int part)
{
    return (struct shunt_arrival *)(void *)(run->arrivals +
                                            ((size_t)node * (size_t)run->parts + (size_t)part) *
                                                SHUNT_BUNDLE_HEADER);
}

/* The local ranks of `node` whose chunks a part of its bundles has. */
static inline struct shunt_bundle_range shunt_bundle_sources(const struct shunt_bundle_run *run,
                                                             int node, int part)
{
    return shunt_bundle_range(shunt_layout_ppn(run->layout, node), run->parts, part);
}

/* Most bytes in this call of what `sources` ranks have for a node of `targets`. */
static inline int64_t shunt_bundle_run_most(const struct shunt_bundle_run *run, int sources,
                                            int targets)
{
    if (run->uniform)
        return (int64_t)sources * targets * run->x->block;
    return shunt_bundle_most(sources, targets, run->plan->ready);
}

/*
 * This leader's messages to and from other nodes. Receives of the first round are posted before the
 * barrier; the exchange follows when the node's blocks are all copied in, and notes in the arrivals
 * of its node what came. Errors are in run->transport and run->messages.
 */
void shunt_bundle_post_receives(struct shunt_bundle_run *run, uint32_t first, uint32_t last);
void shunt_bundle_exchange_nodes(struct shunt_bundle_run *run);
/* In place of both, for a leader that leaves. */
void shunt_bundle_leave_nodes(struct shunt_bundle_run *run);

#endif
