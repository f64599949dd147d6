/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c: schedules and scratch memory of a communicator.
 *
 * A plan is made at the first call that needs it, and scratch grows when a call has larger blocks than any before. Both moments follow from
 * agreed values, so all ranks get there together; each makes what it needs, then all agree that everybody could. Calls in between allocate
 * nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "algorithms/exchange.h"

static void plan_free(struct shunt_plan *plan)
{
    if (!plan || --plan->users > 0)
        return;
    shunt_schedule_clear(&plan->schedule);
    free(plan->requests);
    free(plan->peers);
    free(plan->slot_bytes);
    shunt_types_free(plan->types);
    free(plan);
}

static void release_plans(struct shunt_comm *comm)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (size_t i = 0; comm->plans[op] && i < comm->map[op].count; i++)
            plan_free(comm->plans[op][i]);
        free(comm->plans[op]);
        comm->plans[op] = NULL;
    }
    free(comm->scratch);
    if (comm->staging)
        munmap(comm->staging, comm->staging_bytes);
}

/* A plan of another decision with the same algorithm and parameters serves as well. */
static struct shunt_plan *find_twin(const struct shunt_comm *comm, const struct shunt_decision *decision)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (size_t i = 0; i < comm->map[op].count; i++) {
            struct shunt_plan *plan = comm->plans[op][i];
            if (plan && plan->algorithm == decision->algorithm && memcmp(&plan->params, &decision->params, sizeof plan->params) == 0)
                return plan;
        }
    }
    return NULL;
}

static int64_t forward_bytes(uint32_t blocks, int64_t block)
{
    return blocks > 0 && block > (INT64_MAX >> 2) / (int64_t)blocks ? INT64_MAX >> 2 : (int64_t)blocks * block;
}

static int64_t forward_scratch(const struct shunt_schedule *s, int64_t block)
{
    const int64_t data = forward_bytes(s->slots, block) + forward_bytes(s->max_round_send, block) + forward_bytes(s->max_round_recv, block);
    const int64_t lengths = ((int64_t)s->max_round_send + s->max_round_recv) * (int64_t)sizeof(int64_t);
    return data >= INT64_MAX >> 2 ? INT64_MAX : data + lengths;
}

static int64_t datatype_scratch(const struct shunt_schedule *s, int64_t block)
{
    const int64_t bytes =
        forward_bytes(s->slots, block) + forward_bytes((uint32_t)s->ranks, block) + forward_bytes(s->max_round_send, block);
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

int64_t shunt_plan_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block)
{
    switch (plan->algorithm->kind) {
    case SHUNT_KIND_FORWARD:
    case SHUNT_KIND_PADDED:
        return forward_scratch(&plan->schedule, block);
    case SHUNT_KIND_LIBRARY: {
        const int64_t bytes = 2 * forward_bytes((uint32_t)comm->size, block);
        return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
    }
    case SHUNT_KIND_DATATYPE:
        return datatype_scratch(&plan->schedule, block);
    case SHUNT_KIND_NATIVE:
    case SHUNT_KIND_DIRECT:
        break;
    }
    return 0;
}

/* Requests of one round: each step's two messages, and more where messages of over a gigabyte are cut. */
static size_t requests_needed(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t bytes = forward_bytes(s->max_round_send, block) + forward_bytes(s->max_round_recv, block);
    return 2 * (size_t)s->max_round_steps + (size_t)(bytes / SHUNT_MESSAGE_MAX) + 2;
}

static bool reserve_requests(struct shunt_plan *plan, size_t count)
{
    if (count <= plan->request_room)
        return true;
    MPI_Request *requests = realloc(plan->requests, count * sizeof *requests);
    if (requests)
        plan->requests = requests;
    int *peers = realloc(plan->peers, count * sizeof *peers);
    if (peers)
        plan->peers = peers;
    if (!requests || !peers)
        return false;
    plan->request_room = count;
    return true;
}

static bool reserve_scratch(struct shunt_comm *comm, int64_t bytes)
{
    if (bytes == INT64_MAX)
        return false;
    if ((size_t)bytes <= comm->scratch_bytes)
        return true;
    void *larger = malloc((size_t)bytes); /* not realloc: nothing in it outlives a call, and other plans rely on the old one */
    if (!larger)
        return false;
    free(comm->scratch);
    comm->scratch = larger;
    comm->scratch_bytes = (size_t)bytes;
    return true;
}

static bool build(struct shunt_comm *comm, struct shunt_plan *plan)
{
    if (plan->built)
        return true;
    if (plan->algorithm->build && plan->algorithm->build(&plan->schedule, &comm->layout, comm->rank, &plan->params))
        return false;
    plan->slot_bytes = calloc((size_t)plan->schedule.slots + 1, sizeof *plan->slot_bytes);
    plan->types = plan->algorithm->kind == SHUNT_KIND_DATATYPE ? shunt_types_make(&plan->schedule) : NULL;
    if (!plan->slot_bytes || (plan->algorithm->kind == SHUNT_KIND_DATATYPE && !plan->types)) {
        shunt_types_free(plan->types);
        free(plan->slot_bytes);
        plan->types = NULL;
        plan->slot_bytes = NULL;
        shunt_schedule_clear(&plan->schedule);
        return false;
    }
    plan->built = true;
    return true;
}

/* This rank's part of making a plan ready. */
static bool make_ready(struct shunt_exchange *x, struct shunt_plan *plan, bool staging)
{
    struct shunt_comm *comm = x->comm;
    if (!build(comm, plan) || !reserve_scratch(comm, shunt_plan_scratch(comm, plan, x->block)) ||
        !reserve_requests(plan, requests_needed(plan, x->block)))
        return false;
    const int64_t all = forward_bytes((uint32_t)comm->size, x->block);
    return !staging || (all < INT64_MAX >> 2 && shunt_staging_reserve(comm, all));
}

struct shunt_plan *shunt_plan_get(struct shunt_exchange *x, const struct shunt_decision *decision, bool staging)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_plan **place = &comm->plans[x->op][decision - comm->map[x->op].decisions];
    struct shunt_plan *plan = *place;
    if (plan && plan->ready >= x->block && (!staging || plan->ready_staging >= x->block))
        return plan;
    comm->release_plans = release_plans;
    if (!plan) {
        plan = find_twin(comm, decision);
        if (plan) {
            plan->users++;
        } else {
            plan = calloc(1, sizeof *plan);
            if (plan)
                *plan = (struct shunt_plan){
                    .algorithm = decision->algorithm, .params = decision->params, .ready = -1, .ready_staging = -1, .users = 1};
        }
        *place = plan;
    }
    /* Not skipped when a twin is ready already: whether a rank has a twin is the same everywhere, but one rule is easier to trust. */
    const bool everywhere = shunt_agree_all(comm, plan && make_ready(x, plan, staging));
    if (!everywhere || !plan)
        return NULL;
    plan->ready = x->block > plan->ready ? x->block : plan->ready;
    if (staging)
        plan->ready_staging = x->block > plan->ready_staging ? x->block : plan->ready_staging;
    return plan;
}

int shunt_plan_run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    switch (plan->algorithm->kind) {
    case SHUNT_KIND_DIRECT:
        return shunt_direct_run(x, plan);
    case SHUNT_KIND_FORWARD:
    case SHUNT_KIND_PADDED:
        return shunt_forward_run(x, plan);
    case SHUNT_KIND_LIBRARY:
        return shunt_library_run(x, plan);
    case SHUNT_KIND_DATATYPE:
        return shunt_datatype_run(x, plan);
    case SHUNT_KIND_NATIVE:
        break;
    }
    return shunt_exchange_native(x);
}
