/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c: schedules and scratch memory of a communicator.
 *
 * A plan is made at the first call that needs it, and scratch grows when a call has larger blocks
 * than any before. Both moments follow from agreed values, so all ranks get there together; each
 * makes what it needs, then all agree that everybody could. Calls in between allocate nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "communicator/agree.h"
#include "communicator/node.h"
#include "execute/bundle.h"
#include "schedule/bundle.h"

enum { SCRATCH_LARGE = 1 << 20 };

static void plan_free(struct shunt_plan *plan)
{
    if (!plan || --plan->users > 0)
        return;
    shunt_schedule_clear(&plan->schedule);
    shunt_arena_clear(&plan->arena);
    free(plan->marks);
    free(plan->landing);
    free(plan->requests);
    free(plan->peers);
    free(plan->full);
    free(plan->slot_bytes);
    shunt_types_free(plan->types);
    free(plan->bundle_bytes);
    free(plan->bundle_at);
    free(plan);
}

/* What is large is address space: it is made for the largest case, and what no call touches costs
 * nothing. */
static void *scratch_make(size_t bytes)
{
    if (bytes < SCRATCH_LARGE)
        return malloc(bytes);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void scratch_free(struct shunt_comm *comm)
{
    if (comm->scratch_bytes < SCRATCH_LARGE)
        free(comm->scratch);
    else
        munmap(comm->scratch, comm->scratch_bytes);
    comm->scratch = NULL;
    comm->scratch_bytes = 0;
}

static void release_plans(struct shunt_comm *comm)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (size_t i = 0; comm->plans[op] && i < comm->map[op].count; i++)
            plan_free(comm->plans[op][i]);
        free(comm->plans[op]);
        comm->plans[op] = NULL;
    }
    scratch_free(comm);
    if (comm->staging)
        munmap(comm->staging, comm->staging_bytes);
    comm->staging = NULL;
    comm->staging_bytes = 0;
}

/* A plan of another decision with the same algorithm and parameters serves as well; and the same
 * cap, where that chooses the executor. */
static struct shunt_plan *find_twin(const struct shunt_comm *comm,
                                    const struct shunt_decision *decision, int64_t cap)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        for (size_t i = 0; i < comm->map[op].count; i++) {
            struct shunt_plan *plan = comm->plans[op][i];
            if (plan && plan->algorithm == decision->algorithm &&
                memcmp(&plan->params, &decision->params, sizeof plan->params) == 0 &&
                (!plan->algorithm->kept || plan->memory_cap == cap))
                return plan;
        }
    }
    return NULL;
}

static int64_t forward_bytes(uint32_t blocks, int64_t block)
{
    return blocks > 0 && block > (INT64_MAX >> 2) / (int64_t)blocks ? INT64_MAX >> 2
                                                                    : (int64_t)blocks * block;
}

static int64_t forward_scratch(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t data = forward_bytes(s->slots, block) + forward_bytes(s->max_round_send, block) +
                         forward_bytes(s->max_round_recv, block);
    const int64_t lengths = ((int64_t)s->max_round_send + s->max_round_recv) *
                            shunt_algorithm_length(plan->algorithm, block);
    return data >= INT64_MAX >> 2 ? INT64_MAX : data + lengths;
}

static int64_t fused_scratch(const struct shunt_plan *plan, int64_t block)
{
    const int64_t bytes = forward_bytes(plan->arena.blocks + plan->schedule.max_round_send,
                                        block + SHUNT_LENGTH_FUSED);
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

/* Calls with smaller blocks may come later, and keep messages that need more. */
static int64_t slots_or_kept(const struct shunt_plan *plan, int64_t block)
{
    if (block <= plan->kept)
        return fused_scratch(plan, block);
    const int64_t slots = forward_scratch(plan, block),
                  kept = plan->kept >= 0 ? fused_scratch(plan, plan->kept) : 0;
    return slots > kept ? slots : kept;
}

static int64_t datatype_scratch(const struct shunt_schedule *s, int64_t block)
{
    const int64_t bytes = forward_bytes(s->slots, block) +
                          forward_bytes((uint32_t)s->ranks, block) +
                          forward_bytes(s->max_round_send, block);
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

int64_t shunt_plan_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                           int64_t block)
{
    switch (plan->algorithm->kind) {
    case SHUNT_KIND_FORWARD:
    case SHUNT_KIND_PADDED:
        return slots_or_kept(plan, block);
    case SHUNT_KIND_LIBRARY: {
        const int64_t bytes =
            2 * forward_bytes((uint32_t)comm->size,
                              block + 1); /* and a byte that says whether the block is there */
        return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
    }
    case SHUNT_KIND_DATATYPE:
        return datatype_scratch(&plan->schedule, block);
    case SHUNT_KIND_NATIVE:
    case SHUNT_KIND_DIRECT:
    case SHUNT_KIND_SEGMENT: /* reserved with the shared memory */
    case SHUNT_KIND_COLLECT:
    case SHUNT_KIND_READ:
        break;
    }
    return 0;
}

/* Whether a call with such blocks is one for forward.c. */
static bool in_slots(const struct shunt_plan *plan, int64_t block)
{
    const enum shunt_kind kind = plan->algorithm->kind;
    return (kind == SHUNT_KIND_FORWARD || kind == SHUNT_KIND_PADDED) && block > plan->kept;
}

/* Requests of one round: each step's two messages, and more where messages of over a gigabyte are
 * cut. */
static size_t requests_needed(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t longest = block + SHUNT_LENGTH_FUSED;
    const int64_t bytes =
        forward_bytes(s->max_round_send, longest) + forward_bytes(s->max_round_recv, longest);
    return 2 * (size_t)s->max_round_steps + (size_t)(bytes / SHUNT_MESSAGE_MAX) + 2;
}

static bool reserve_requests(struct shunt_plan *plan, size_t count)
{
    if (count <= plan->request_capacity)
        return true;
    MPI_Request *requests = realloc(plan->requests, count * sizeof *requests);
    if (requests)
        plan->requests = requests;
    int *peers = realloc(plan->peers, count * sizeof *peers);
    if (peers)
        plan->peers = peers;
    bool *full = realloc(plan->full, count * sizeof *full);
    if (full)
        plan->full = full;
    if (!requests || !peers || !full)
        return false;
    plan->request_capacity = count;
    return true;
}

static bool reserve_scratch(struct shunt_comm *comm, int64_t bytes)
{
    if (bytes == INT64_MAX)
        return false;
    if ((size_t)bytes <= comm->scratch_bytes)
        return true;
    void *larger = scratch_make((size_t)bytes); /* not realloc: nothing in it outlives a call, and
                                                   other plans rely on the old one */
    if (!larger)
        return false;
    scratch_free(comm);
    comm->scratch = larger;
    comm->scratch_bytes = (size_t)bytes;
    return true;
}

static bool build_slots(struct shunt_plan *plan)
{
    if (!plan->slot_bytes)
        plan->slot_bytes = calloc((size_t)plan->schedule.slots + 1, sizeof *plan->slot_bytes);
    return plan->slot_bytes;
}

/* What was made when memory was short stays with the plan, for the next try. */
static bool build_arena(struct shunt_plan *plan)
{
    shunt_arena_clear(&plan->arena);
    if (shunt_arena_build(&plan->arena, &plan->schedule))
        return false;
    free(plan->marks);
    free(plan->landing);
    plan->marks = calloc((size_t)plan->arena.mark_count + 1, sizeof *plan->marks);
    plan->landing = calloc((size_t)plan->schedule.max_round_steps + 1, sizeof *plan->landing);
    return plan->marks && plan->landing;
}

static bool build_types(struct shunt_plan *plan)
{
    plan->types = shunt_types_make(&plan->schedule);
    return plan->types;
}

static bool build_bundles(struct shunt_plan *plan, size_t count)
{
    free(plan->bundle_bytes);
    free(plan->bundle_at);
    plan->bundle_bytes = calloc(count, sizeof *plan->bundle_bytes);
    plan->bundle_at = calloc(count, sizeof *plan->bundle_at);
    return plan->bundle_bytes && plan->bundle_at;
}

/* What the executor of the kind keeps between rounds. */
static bool build_state(const struct shunt_comm *comm, struct shunt_plan *plan)
{
    switch (plan->algorithm->kind) {
    case SHUNT_KIND_FORWARD:
    case SHUNT_KIND_PADDED:
        return plan->kept < 0 || build_arena(plan);
    case SHUNT_KIND_DATATYPE:
        return build_types(plan);
    case SHUNT_KIND_SEGMENT:
        return build_bundles(plan, (size_t)plan->schedule.slots + 1);
    case SHUNT_KIND_COLLECT:
        return build_bundles(plan, (size_t)comm->layout.nodes);
    case SHUNT_KIND_NATIVE:
    case SHUNT_KIND_DIRECT:
    case SHUNT_KIND_READ:
    case SHUNT_KIND_LIBRARY:
        break;
    }
    return true;
}

static bool build(struct shunt_comm *comm, struct shunt_plan *plan)
{
    if (plan->built)
        return true;
    if (plan->algorithm->build &&
        plan->algorithm->build(&plan->schedule, &comm->layout, comm->rank, &plan->params))
        return false;
    plan->kept =
        shunt_algorithm_kept(plan->algorithm, &comm->layout, &plan->params, plan->memory_cap);
    if (!build_state(comm, plan)) {
        shunt_schedule_clear(&plan->schedule);
        return false;
    }
    plan->built = true;
    return true;
}

static bool make_ready_segment(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const bool shared = shunt_bundle_prepare(x, plan, x->block);
    const bool built = build(x->comm, plan);
    const struct shunt_node *node = &x->comm->node;
    const int64_t scratch =
        plan->algorithm->kind == SHUNT_KIND_COLLECT
            ? shunt_collect_scratch(&x->comm->layout, node->index,
                                    plan->params.value[SHUNT_PARAM_BATCH_SIZE], plan->capacity)
            : shunt_bundle_scratch(x->comm, plan, plan->capacity);
    const size_t pieces =
        plan->algorithm->params[SHUNT_PARAM_FRAGMENT].used ? SHUNT_BUNDLE_PIECES : 1;
    return shared && built && reserve_scratch(x->comm, scratch) &&
           reserve_requests(plan, 2 * (size_t)plan->schedule.max_round_steps * pieces + 2);
}

/* What messages need is made as well, should the system refuse to read. */
static bool make_ready_read(struct shunt_exchange *x, struct shunt_plan *plan, bool staging)
{
    struct shunt_comm *comm = x->comm;
    const bool shared = shunt_bundle_prepare(x, plan, SHUNT_CAPACITY_LEAST);
    const bool built = build(comm, plan);
    const int64_t all = forward_bytes((uint32_t)comm->size, x->block);
    return shared && comm->node.proved && built && reserve_scratch(comm, x->block) &&
           reserve_requests(plan, 2 * (size_t)plan->schedule.max_round_steps + 2) &&
           (!staging || (all < INT64_MAX >> 2 && shunt_staging_reserve(comm, all)));
}

/* This rank's part of making a plan ready. */
static bool make_ready(struct shunt_exchange *x, struct shunt_plan *plan, bool staging)
{
    struct shunt_comm *comm = x->comm;
    if (shunt_kind_joins(plan->algorithm->kind))
        return make_ready_segment(x, plan);
    if (plan->algorithm->kind == SHUNT_KIND_READ)
        return make_ready_read(x, plan, staging);
    if (!build(comm, plan) || (in_slots(plan, x->block) && !build_slots(plan)) ||
        !reserve_scratch(comm, shunt_plan_scratch(comm, plan, x->block)) ||
        !reserve_requests(plan, requests_needed(plan, x->block)))
        return false;
    const int64_t all = forward_bytes((uint32_t)comm->size, x->block);
    return !staging || (all < INT64_MAX >> 2 && shunt_staging_reserve(comm, all));
}

struct shunt_plan *shunt_plan_get(struct shunt_exchange *x, const struct shunt_decision *decision,
                                  bool staging)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_plan **entry = &comm->plans[x->op][decision - comm->map[x->op].decisions];
    struct shunt_plan *plan = *entry;
    staging = staging && !shunt_kind_joins(
                             decision->algorithm->kind); /* what is published need not be staged */
    const bool shares = shunt_kind_shares(decision->algorithm->kind);
    if (plan && plan->ready >= x->block &&
        (!shares || shunt_bundle_fits(plan, &comm->node.shared)) &&
        (!staging || plan->ready_staging >= x->block))
        return plan;
    comm->release_plans = release_plans;
    const int64_t rule = decision->rule ? decision->rule->memory : INT64_MAX;
    const int64_t cap = rule < comm->agreed.memory ? rule : comm->agreed.memory;
    if (!plan) {
        plan = find_twin(comm, decision, cap);
        if (plan) {
            plan->users++;
        } else {
            plan = calloc(1, sizeof *plan);
            if (plan)
                *plan = (struct shunt_plan){.algorithm = decision->algorithm,
                                            .params = decision->params,
                                            .ready = -1,
                                            .ready_staging = -1,
                                            .users = 1};
        }
        *entry = plan;
    }
    if (plan)
        plan->memory_cap = cap;
    if (decision->algorithm->kind == SHUNT_KIND_READ && !comm->node.proving)
        shunt_peer_read_prove(comm); /* together, whatever failed here */
    /* Not skipped when a twin is ready already: whether a rank has a twin is the same everywhere,
     * but one rule is easier to trust. */
    const bool everywhere = shunt_agree_all(comm, plan && make_ready(x, plan, staging));
    if (shares)
        shunt_node_commit(comm, everywhere);
    if (!everywhere || !plan)
        return NULL;
    if (shunt_kind_joins(plan->algorithm->kind))
        plan->ready = plan->capacity;
    else
        plan->ready = x->block > plan->ready ? x->block : plan->ready;
    if (staging)
        plan->ready_staging = x->block > plan->ready_staging ? x->block : plan->ready_staging;
    return plan;
}

int shunt_shared_exchange(struct shunt_exchange *x, struct shunt_plan *plan,
                          struct shunt_agreement *values)
{
    return plan->algorithm->kind == SHUNT_KIND_COLLECT ? shunt_collect_exchange(x, plan, values)
                                                       : shunt_bundle_exchange(x, plan, values);
}

int shunt_shared_copy_out(struct shunt_exchange *x, struct shunt_plan *plan)
{
    return plan->algorithm->kind == SHUNT_KIND_COLLECT ? shunt_collect_copy_out(x, plan)
                                                       : shunt_bundle_copy_out(x, plan);
}

/* After an agreement of its own, or for an Alltoall. */
static int run_shared(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct shunt_agreement values = {.largest = x->block};
    const int status = shunt_shared_exchange(x, plan, x->op == SHUNT_OP_ALLTOALL ? NULL : &values);
    if (status != MPI_SUCCESS)
        return status; /* what has arrived cannot be relied on */
    if (values.flags &
        (SHUNT_FLAG_NATIVE |
         SHUNT_FLAG_FAILED)) /* some rank could not even read its blocks; all see it */
        return MPI_ERR_OTHER;
    return shunt_shared_copy_out(x, plan);
}

int shunt_plan_run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    switch (plan->algorithm->kind) {
    case SHUNT_KIND_DIRECT:
        return shunt_direct_run(x, plan);
    case SHUNT_KIND_FORWARD:
        return in_slots(plan, x->block) ? shunt_forward_run(x, plan) : shunt_fused_run(x, plan);
    case SHUNT_KIND_PADDED:
        return shunt_forward_run(x, plan);
    case SHUNT_KIND_LIBRARY:
        return shunt_library_run(x, plan);
    case SHUNT_KIND_DATATYPE:
        return shunt_datatype_run(x, plan);
    case SHUNT_KIND_SEGMENT:
    case SHUNT_KIND_COLLECT:
        return run_shared(x, plan);
    case SHUNT_KIND_READ:
        return shunt_peer_read_run(x, plan);
    case SHUNT_KIND_NATIVE:
        break;
    }
    return shunt_exchange_native(x);
}
