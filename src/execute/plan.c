/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c: the plans of a communicator.
 *
 * A plan is made at the first call that needs it, and made ready again when a call has larger
 * blocks than any before. Both moments follow from agreed values, so all ranks get there together;
 * each makes what it needs, then all agree that everybody could.
 */
#include <errno.h>
#include <stdlib.h>

#include "comm/agree.h"
#include "comm/node.h"
#include "execute/executor.h"

static void plan_free(struct shunt_plan *plan)
{
    if (plan->built && plan->executor->release)
        plan->executor->release(plan);
    shunt_schedule_clear(&plan->schedule);
    free(plan->requests);
    free(plan->peers);
    free(plan->full);
    free(plan);
}

static struct shunt_plan *plan_of(struct shunt_plan_entry *entry)
{
    return (struct shunt_plan *)(void *)entry;
}

static void release_plans(struct shunt_comm *comm)
{
    struct shunt_plan_cache *cache = comm->plans;
    while (cache && cache->first) {
        struct shunt_plan *plan = plan_of(cache->first);
        cache->first = plan->entry.next;
        plan_free(plan);
    }
    free(cache);
    comm->plans = NULL;
    comm->hot = NULL;
    shunt_reserve_release(comm);
}

/* What was made when memory was short is given back, so that the next try begins anew. */
static bool build(struct shunt_comm *comm, struct shunt_plan *plan)
{
    const struct shunt_algorithm *algorithm = plan->entry.key.algorithm;
    if (plan->built)
        return true;
    if (algorithm->build &&
        algorithm->build(&plan->schedule, &comm->layout, comm->rank, shunt_plan_params(plan)))
        return false;
    if (plan->executor->prepare && !plan->executor->prepare(comm, plan)) {
        plan->executor->release(plan);
        shunt_schedule_clear(&plan->schedule);
        return false;
    }
    plan->built = true;
    return true;
}

static bool reserve(struct shunt_comm *comm, struct shunt_plan *plan, int64_t block)
{
    const struct shunt_executor *e = plan->executor;
    return (!e->grow || e->grow(plan, block)) &&
           (!e->scratch || shunt_reserve_scratch(comm, e->scratch(comm, plan, block))) &&
           (!e->requests || shunt_reserve_requests(plan, e->requests(plan, block)));
}

static bool reserve_staging(struct shunt_comm *comm, int64_t block)
{
    const int64_t all = shunt_reserve_bytes((uint32_t)comm->size, block);
    return all < INT64_MAX >> 2 && shunt_reserve_staging(comm, all);
}

/* This rank's part of making a plan ready. */
static bool make_ready(struct shunt_exchange *x, struct shunt_plan *plan, bool staging,
                       int64_t *covered)
{
    const bool shared =
        !plan->executor->share || plan->executor->share(x, plan, covered); /* even if all fails */
    return shared && build(x->comm, plan) && reserve(x->comm, plan, x->block) &&
           (!staging || reserve_staging(x->comm, x->block));
}

static struct shunt_plan *plan_make(const struct shunt_plan_key *key)
{
    const struct shunt_executor *executor = shunt_executor_of(key->algorithm->kind);
    struct shunt_plan *plan = calloc(1, sizeof *plan + executor->state_bytes);
    if (plan) {
        plan->entry.key = *key;
        plan->executor = executor;
        plan->ready = plan->ready_staging = -1;
    }
    return plan;
}

/* The rule's cap or the common one. */
static int64_t cap_of(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    const int64_t rule = decision->rule ? decision->rule->memory : INT64_MAX;
    return rule < comm->agreed.memory ? rule : comm->agreed.memory;
}

/* The decision's plan; NULL: none yet. Out of the way of calls that repeat the last one. */
static __attribute__((noinline)) struct shunt_plan *find(struct shunt_comm *comm, enum shunt_op op,
                                                         const struct shunt_decision *decision)
{
    struct shunt_plan_cache *cache = comm->plans;
    struct shunt_plan_entry *entry = cache ? shunt_plan_cache_last(cache, op, decision) : NULL;
    if (!cache || entry)
        return plan_of(entry);
    const struct shunt_plan_key key = shunt_plan_key(decision, cap_of(comm, decision));
    entry = shunt_plan_cache_find(cache, &key);
    if (entry)
        shunt_plan_cache_note(cache, op, decision, entry);
    return plan_of(entry);
}

/* The decision's plan, made if there is none; NULL: no memory. */
static struct shunt_plan *find_or_make(struct shunt_exchange *x,
                                       const struct shunt_decision *decision)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_plan *plan = find(comm, x->op, decision);
    const struct shunt_plan_key key = shunt_plan_key(decision, cap_of(comm, decision));
    comm->release_plans = release_plans;
    if (!comm->plans)
        comm->plans = calloc(1, sizeof *comm->plans);
    if (plan || !comm->plans)
        return plan;
    plan = plan_make(&key);
    if (!plan)
        return NULL;
    shunt_plan_cache_add(comm->plans, &plan->entry);
    shunt_plan_cache_note(comm->plans, x->op, decision, &plan->entry);
    return plan;
}

static bool is_ready(const struct shunt_plan *plan, const struct shunt_exchange *x, bool staging)
{
    return plan->ready >= x->block &&
           (!plan->executor->fits || plan->executor->fits(plan, x->comm)) &&
           (!staging || plan->ready_staging >= x->block);
}

const struct shunt_plan *shunt_plan_known(struct shunt_comm *comm, enum shunt_op op,
                                          const struct shunt_decision *decision)
{
    return find(comm, op, decision);
}

/*
 * Whether a plan is there is the same on all ranks, except where one failed to make it; but then no
 * rank's is ready. What is ready is the same everywhere, so all ranks get here together.
 */
static struct shunt_plan *get_ready(struct shunt_exchange *x, const struct shunt_decision *decision,
                                    bool staging)
{
    struct shunt_comm *comm = x->comm;
    const struct shunt_executor *executor = shunt_executor_of(decision->algorithm->kind);
    const int error = errno;
    struct shunt_plan *plan = find_or_make(x, decision);
    int64_t covered = x->block;
    if (plan)
        plan->memory_cap = cap_of(comm, decision);
    if (executor->prove && !comm->node.proving)
        (void)shunt_agree_all(comm, true);
    if (comm->state == SHUNT_STATE_NATIVE) /* a rank has left */
        return NULL;
    if (executor->prove)
        executor->prove(comm);
    bool everywhere = shunt_agree_all(comm, plan && make_ready(x, plan, staging, &covered));
    if (executor->share) {
        everywhere = shunt_node_commit(comm, everywhere);
        comm->hot = NULL; /* its plan may have to be made ready again */
    }
    errno = error;
    if (!everywhere || !plan)
        return NULL;
    if (executor->exchange) /* shared memory may have become smaller */
        plan->ready = covered;
    else
        plan->ready = covered > plan->ready ? covered : plan->ready;
    if (staging)
        plan->ready_staging = x->block > plan->ready_staging ? x->block : plan->ready_staging;
    return plan;
}

struct shunt_plan *shunt_plan_get(struct shunt_exchange *x, const struct shunt_decision *decision,
                                  bool staging)
{
    const struct shunt_plan_cache *cache = x->comm->plans;
    struct shunt_plan_entry *last = cache ? shunt_plan_cache_last(cache, x->op, decision) : NULL;
    struct shunt_plan *plan = last ? plan_of(last) : find(x->comm, x->op, decision);
    /* What is copied into shared memory need not be staged. */
    staging = staging && !shunt_kind_joins(decision->algorithm->kind);
    if (plan && is_ready(plan, x, staging))
        return plan;
    return get_ready(x, decision, staging);
}
