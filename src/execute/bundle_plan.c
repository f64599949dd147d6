/* SPDX-License-Identifier: BSD-3-Clause */
/* bundle_plan.c: the executors of algorithms that carry all blocks through shared memory, and what
 * they need. */
#include "comm/node.h"
#include "execute/bundle.h"
#include "execute/executor.h"
#include "schedule/bundle.h"

static int64_t radix_between(const struct shunt_plan *plan, const struct shunt_layout *layout)
{
    const int64_t radix = shunt_plan_params(plan)->value[SHUNT_PARAM_RADIX];
    return radix ? radix : layout->nodes;
}

static bool share_bundles(struct shunt_exchange *x, struct shunt_plan *plan, int64_t *covered)
{
    const struct shunt_layout *layout = &x->comm->layout;
    const int64_t arriving =
        layout->nodes > 1 ? shunt_node_messages_of(layout, 1, radix_between(plan, layout)).arriving
                          : 0;
    const bool made = shunt_share_make(x->comm, plan, x->block, arriving);
    *covered = shunt_share_state(plan)->capacity;
    return made;
}

static bool share_areas(struct shunt_exchange *x, struct shunt_plan *plan, int64_t *covered)
{
    const bool made = shunt_share_make(x->comm, plan, x->block, 0);
    *covered = shunt_share_state(plan)->capacity;
    return made;
}

static bool prepare_bundles(const struct shunt_comm *comm, struct shunt_plan *plan)
{
    (void)comm;
    return shunt_share_prepare(plan, (size_t)plan->schedule.slots + 1);
}

static bool prepare_collected(const struct shunt_comm *comm, struct shunt_plan *plan)
{
    return shunt_share_prepare(plan, (size_t)comm->layout.nodes);
}

static int64_t capacity_of(const struct shunt_plan *plan)
{
    return ((const struct shunt_share_state *)(const void *)plan->state)->capacity;
}

static int64_t bundle_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                              int64_t block)
{
    const struct shunt_layout *layout = &comm->layout;
    const int64_t wanted = shunt_plan_params(plan)->value[SHUNT_PARAM_LEADERS];
    const int64_t leaders = wanted < comm->node.ppn ? wanted : comm->node.ppn;
    (void)block; /* what the segment takes may come */
    return shunt_arrivals_bytes(
        layout, shunt_node_messages_of(layout, leaders, radix_between(plan, layout)).leaving,
        capacity_of(plan));
}

static int64_t collect_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                               int64_t block)
{
    (void)block;
    return shunt_collect_scratch(&comm->layout, comm->node.index,
                                 shunt_plan_params(plan)->value[SHUNT_PARAM_BATCH_SIZE],
                                 capacity_of(plan));
}

static size_t requests(const struct shunt_plan *plan, int64_t block)
{
    const bool cut = plan->entry.key.algorithm->params[SHUNT_PARAM_FRAGMENT].used;
    (void)block;
    return 2 * (size_t)plan->schedule.max_round_steps * (cut ? SHUNT_BUNDLE_PIECES : 1) + 2;
}

static int exchange_and_copy(struct shunt_exchange *x, struct shunt_plan *plan)
{
    struct shunt_agreement values = {.largest = x->block};
    const int status =
        plan->executor->exchange(x, plan, x->op == SHUNT_OP_ALLTOALL ? NULL : &values);
    if (status != MPI_SUCCESS || x->declined)
        return status; /* what has arrived cannot be relied on */
    if (values.flags & (SHUNT_FLAG_NATIVE | SHUNT_FLAG_FAILED))
        return MPI_ERR_OTHER; /* some rank could not even read its blocks; all see it */
    return plan->executor->copy_out(x, plan);
}

/* After an agreement of its own, or for an Alltoall. */
static int run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    const int status = exchange_and_copy(x, plan);
    shunt_node_end_exchange(x->comm);
    return status;
}

const struct shunt_executor shunt_executor_segment = {
    .state_bytes = sizeof(struct shunt_share_state),
    .share = share_bundles,
    .fits = shunt_share_fits,
    .lacks = SHUNT_LACKS_SHARED_MEMORY,
    .prepare = prepare_bundles,
    .scratch = bundle_scratch,
    .requests = requests,
    .run = run,
    .exchange = shunt_bundle_exchange,
    .copy_out = shunt_bundle_copy_out,
    .leave = shunt_bundle_leave,
    .release = shunt_share_release,
};

const struct shunt_executor shunt_executor_collect = {
    .state_bytes = sizeof(struct shunt_share_state),
    .share = share_areas,
    .fits = shunt_share_fits,
    .lacks = SHUNT_LACKS_SHARED_MEMORY,
    .prepare = prepare_collected,
    .scratch = collect_scratch,
    .requests = requests,
    .run = run,
    .exchange = shunt_collect_exchange,
    .copy_out = shunt_collect_copy_out,
    .leave = shunt_collect_leave,
    .release = shunt_share_release,
};
