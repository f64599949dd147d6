/* SPDX-License-Identifier: BSD-3-Clause */
/* bundle_memory.c: shared memory and scratch for exchanges inside nodes, made ready before the
 * first call that needs it. */
#include "communicator/node.h"
#include "execute/bundle.h"
#include "schedule/bundle.h"

/* Larger than asked for, so that slowly growing blocks do not mean a new segment each time; within
 * the memory cap all the same. */
static int64_t generous_capacity(const struct shunt_exchange *x, const struct shunt_plan *plan,
                                 int64_t block)
{
    const struct shunt_layout *layout = &x->comm->layout;
    int64_t capacity = SHUNT_CAPACITY_LEAST;
    while (capacity < block && capacity <= INT64_MAX / 2)
        capacity *= 2;
    const int64_t needed = plan->algorithm->memory(layout, &plan->params, capacity);
    return capacity >= block && needed <= plan->memory_cap ? capacity
           : block > SHUNT_CAPACITY_LEAST                  ? block
                                                           : SHUNT_CAPACITY_LEAST;
}

static int64_t radix_between(const struct shunt_plan *plan, const struct shunt_layout *layout)
{
    return plan->params.value[SHUNT_PARAM_RADIX] ? plan->params.value[SHUNT_PARAM_RADIX]
                                                 : layout->nodes;
}

int64_t shunt_bundle_scratch(const struct shunt_comm *comm, const struct shunt_plan *plan,
                             int64_t capacity)
{
    const struct shunt_layout *layout = &comm->layout;
    const int64_t wanted = plan->params.value[SHUNT_PARAM_LEADERS];
    const int64_t leaders = wanted < comm->node.ppn ? wanted : comm->node.ppn;
    return shunt_arrivals_bytes(
        layout, shunt_node_messages_of(layout, leaders, radix_between(plan, layout)).leaving,
        capacity);
}

bool shunt_bundle_fits(const struct shunt_plan *plan, const struct shunt_shared *shared)
{
    return shared->data && plan->capacity <= shared->capacity && plan->arriving <= shared->arriving;
}

bool shunt_bundle_prepare(struct shunt_exchange *x, struct shunt_plan *plan, int64_t block)
{
    struct shunt_node *node = &x->comm->node;
    const struct shunt_layout *layout = &x->comm->layout;
    const bool bundles = plan->algorithm->kind == SHUNT_KIND_SEGMENT && layout->nodes > 1;
    const int64_t arriving =
        bundles ? shunt_node_messages_of(layout, 1, radix_between(plan, layout)).arriving : 0;
    while (plan->largest_node < layout->nodes - 1 &&
           shunt_layout_ppn(layout, plan->largest_node) < layout->ppn_max)
        plan->largest_node++;
    if (!node->control)
        return false;
    struct shunt_shared *next = &node->next;
    const struct shunt_shared *now = &node->shared;
    *next = (struct shunt_shared){0};
    plan->capacity = generous_capacity(x, plan, block);
    plan->arriving = arriving;
    if (shunt_bundle_fits(plan, now))
        return true;
    /* For the plans of before as well, if all of it stays within the cap; otherwise they are made
     * ready again when their turn comes. */
    const struct shunt_shared both = {
        .capacity = now->capacity > plan->capacity ? now->capacity : plan->capacity,
        .arriving = now->arriving > arriving ? now->arriving : arriving};
    const bool keep =
        now->data && shunt_shared_most(layout, both.arriving, both.capacity) <= plan->memory_cap;
    next->capacity = keep ? both.capacity : plan->capacity;
    next->arriving = keep ? both.arriving : arriving;
    const int64_t bytes = shunt_shared_bytes(layout, node->index, next->arriving, next->capacity);
    if (bytes == INT64_MAX)
        return false;
    next->bytes = (size_t)bytes;
    next->half_bytes = (size_t)bytes / 2;
    next->area_bytes = (size_t)shunt_area_bytes(layout, next->capacity);
    return shunt_node_offer(x->comm);
}
