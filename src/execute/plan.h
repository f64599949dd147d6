/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h: what depends only on communicator, algorithm and parameters, kept with the communicator:
 * schedule, scratch and whatever else an executor keeps between calls.
 */
#ifndef SHUNT_EXECUTE_PLAN_H
#define SHUNT_EXECUTE_PLAN_H

#include <stdalign.h>
#include <stddef.h>

#include "execute/exchange.h"
#include "execute/plan_cache.h"

struct shunt_executor;

struct shunt_plan {
    struct shunt_plan_entry entry; /* first: found by algorithm and parameters */
    const struct shunt_executor *executor;
    struct shunt_schedule schedule;
    bool built;
    int64_t ready;         /* largest block for which every rank has scratch; -1: none */
    int64_t ready_staging; /* likewise for staging */
    int64_t memory_cap;    /* bytes, of the rule for which memory was last made */
    MPI_Request *requests; /* array of request_capacity */
    int *peers;            /* array of request_capacity: partner of each request */
    bool *full; /* array of request_capacity: a receive of a message that is never empty */
    size_t request_capacity;
    alignas(max_align_t) char state[]; /* the executor's own, its state_bytes, zeroed */
};

static inline const struct shunt_params *shunt_plan_params(const struct shunt_plan *plan)
{
    return &plan->entry.key.params;
}

/*
 * The plan of a decision, with schedule and scratch for blocks of x->block bytes on every rank (and
 * staging, if `staging`; equal on all ranks). Collective when something must be made: then all
 * ranks make it and agree that all succeeded. NULL: no memory somewhere; all ranks get NULL
 * together.
 */
struct shunt_plan *shunt_plan_get(struct shunt_exchange *x, const struct shunt_decision *decision,
                                  bool staging);

/* The plan of a decision, ready or not; NULL: none yet. Local. */
const struct shunt_plan *shunt_plan_known(struct shunt_comm *comm, enum shunt_op op,
                                          const struct shunt_decision *decision);

/* reserve.c: memory of this rank, kept until the communicator is released. False: there is none. */
bool shunt_reserve_scratch(struct shunt_comm *comm, int64_t bytes);
bool shunt_reserve_requests(struct shunt_plan *plan, size_t count);
/* Copies of in-place calls. Address space only: pages cost nothing until such a call touches them.
 */
bool shunt_reserve_staging(struct shunt_comm *comm, int64_t bytes);
void shunt_reserve_release(struct shunt_comm *comm);
/* Bytes of so many blocks; more than INT64_MAX / 4 counts as that. */
int64_t shunt_reserve_bytes(uint32_t blocks, int64_t block);

#endif
