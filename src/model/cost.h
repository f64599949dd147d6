/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.h: what one call costs: all ranks' events run against each other.
 *
 * Time is the critical path: all ranks begin together, a rank goes on when what it waits for has
 * come, ranks of a node share its cards and, where they outnumber them, its processors; the call
 * ends with its last rank. Blocks may all be equal, or have sizes of their own.
 *
 * Every rank is run where they are few (SHUNT_COST_EXACT); else, where nodes are alike and every
 * node's events are those of node 0 moved on by whole nodes, node 0 alone, whose messages then come
 * from itself (SHUNT_COST_SYMMETRIC): that is no approximation.
 */
#ifndef SHUNT_MODEL_COST_H
#define SHUNT_MODEL_COST_H

#ifdef __FAST_MATH__
#error "build without -ffast-math: ranks would predict, and so choose, differently"
#endif

#include "events/events.h"
#include "model/machine.h"

enum shunt_cost_method { SHUNT_COST_EXACT, SHUNT_COST_SYMMETRIC };

struct shunt_cost {
    double time;                        /* seconds until the last rank is done */
    double energy;                      /* joules of the whole job: static and dynamic */
    double dynamic_energy;              /* of messages and bytes alone */
    int64_t memory;                     /* bytes of scratch: the most of any rank */
    int64_t descriptors;                /* bytes of an offloaded schedule: the most of any rank */
    uint64_t messages, remote_messages; /* of all ranks; of these between nodes */
    int64_t bytes, remote_bytes;        /* in them; INT64_MAX: more than a number can say */
    uint32_t rounds;                    /* of messages, the most of any rank */
    enum shunt_cost_method method;
};

enum shunt_cost_result {
    SHUNT_COST_OK,
    SHUNT_COST_MEMORY, /* too short */
    SHUNT_COST_LARGE,  /* more events than `most`, or blocks in messages than 16 times as many,
                          and no symmetry to make them fewer; or bundles of more bytes than a number
                          can say */
    SHUNT_COST_STUCK   /* ranks wait for messages that nobody sends: the schedule is wrong */
};

#define SHUNT_COST_MOST UINT64_C(200000000)

/* A call and where it runs. */
struct shunt_cost_call {
    const struct shunt_machine *machine;
    struct shunt_event_call call; /* native: the row without a schedule is allowed here */
    /* Bytes from each rank to each, at source * ranks + destination, `call.block` the largest; of
     * an MPI_Alltoallv. NULL: all have call.block. Not owned. */
    const int64_t *counts;
    uint64_t most; /* events that may be run; 0: SHUNT_COST_MOST */
    bool exact;    /* run every rank, also where one node would do */
};

enum shunt_cost_result shunt_cost_predict(struct shunt_cost *cost,
                                          const struct shunt_cost_call *call);

/* What native runs on that machine: a row with a schedule, and its parameters. */
const struct shunt_algorithm *shunt_cost_native(struct shunt_params *params,
                                                const struct shunt_machine *machine,
                                                enum shunt_op op, const struct shunt_layout *layout,
                                                int64_t block);

/* "exact", "symmetric". */
const char *shunt_cost_method_name(enum shunt_cost_method method);

#endif
