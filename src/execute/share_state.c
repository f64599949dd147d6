/* SPDX-License-Identifier: BSD-3-Clause */
/* share_state.c: shared memory for exchanges inside nodes, made before the first call that needs
 * it. */
#include "execute/share_state.h"

#include <stdlib.h>

#include "comm/node.h"
#include "schedule/bundle.h"

/* Larger than asked for, so that slowly growing blocks do not mean a new segment each time; within
 * the memory cap all the same. */
static int64_t generous_capacity(const struct shunt_layout *layout, const struct shunt_plan *plan,
                                 int64_t block)
{
    int64_t capacity = SHUNT_CAPACITY_LEAST;
    while (capacity < block && capacity <= INT64_MAX / 2)
        capacity *= 2;
    const int64_t needed =
        plan->entry.key.algorithm->memory(layout, shunt_plan_params(plan), capacity);
    return capacity >= block && needed <= plan->memory_cap ? capacity : shunt_capacity_of(block);
}

static bool is_enough(const struct shunt_share_state *state, const struct shunt_shared *shared)
{
    return shared->made && state->capacity <= shared->capacity &&
           state->arriving <= shared->arriving;
}

bool shunt_share_fits(const struct shunt_plan *plan, const struct shunt_comm *comm)
{
    const struct shunt_share_state *state =
        (const struct shunt_share_state *)(const void *)plan->state;
    return is_enough(state, &comm->node.shared);
}

bool shunt_share_make(struct shunt_comm *comm, struct shunt_plan *plan, int64_t block,
                      int64_t arriving)
{
    struct shunt_share_state *state = shunt_share_state(plan);
    struct shunt_node *node = &comm->node;
    const struct shunt_layout *layout = &comm->layout;
    if (!node->control)
        return false;
    struct shunt_shared *next = &node->next;
    const struct shunt_shared *now = &node->shared;
    *next = (struct shunt_shared){0};
    state->capacity = generous_capacity(layout, plan, block);
    state->arriving = arriving;
    if (is_enough(state, now))
        return true;
    /* For the plans of before as well, if all of it stays within the cap; otherwise they are made
     * ready again when their turn comes. */
    const struct shunt_shared both = {
        .capacity = now->capacity > state->capacity ? now->capacity : state->capacity,
        .arriving = now->arriving > arriving ? now->arriving : arriving};
    const bool keep =
        now->made && shunt_shared_most(layout, both.arriving, both.capacity) <= plan->memory_cap;
    next->capacity = keep ? both.capacity : state->capacity;
    next->arriving = keep ? both.arriving : arriving;
    const int64_t area = shunt_area_bytes(layout, next->capacity),
                  arrivals = shunt_arrivals_half(layout, next->arriving, next->capacity);
    if (area == INT64_MAX || arrivals == INT64_MAX)
        return false;
    next->area_bytes = (size_t)area;
    next->half_bytes = (size_t)arrivals;
    next->bytes = 2 * (size_t)arrivals;
    return shunt_node_offer(comm);
}

bool shunt_share_prepare(struct shunt_plan *plan, size_t bundles)
{
    struct shunt_share_state *state = shunt_share_state(plan);
    state->bundle_bytes = calloc(bundles, sizeof *state->bundle_bytes);
    state->bundle_at = calloc(bundles, sizeof *state->bundle_at);
    return state->bundle_bytes && state->bundle_at;
}

/* Capacities stay: they belong to the segment. */
void shunt_share_release(struct shunt_plan *plan)
{
    struct shunt_share_state *state = shunt_share_state(plan);
    free(state->bundle_bytes);
    free(state->bundle_at);
    state->bundle_bytes = NULL;
    state->bundle_at = NULL;
}
