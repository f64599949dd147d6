/* SPDX-License-Identifier: BSD-3-Clause */
/* forward_plan.c: memory of algorithms that forward blocks, and which of fused.c and forward.c
 * carries out a call. */
#include <stdlib.h>

#include "execute/executor.h"
#include "execute/forward_state.h"

static const struct shunt_forward_state *state_of(const struct shunt_plan *plan)
{
    return (const struct shunt_forward_state *)(const void *)plan->state;
}

static int64_t sum_or_none(int64_t bytes)
{
    return bytes >= INT64_MAX >> 2 ? INT64_MAX : bytes;
}

/* The slots, one round's messages, and the lengths that go with them. */
static int64_t slots_scratch(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_schedule *s = &plan->schedule;
    const int64_t data = sum_or_none(shunt_reserve_bytes(s->slots, block) +
                                     shunt_reserve_bytes(s->max_round_send, block) +
                                     shunt_reserve_bytes(s->max_round_recv, block));
    const int64_t lengths = ((int64_t)s->max_round_send + s->max_round_recv) *
                            shunt_algorithm_length(plan->entry.key.algorithm, block);
    return data == INT64_MAX ? INT64_MAX : data + lengths;
}

/* What lies in the arena, and the messages that one round sends. */
static int64_t kept_scratch(const struct shunt_plan *plan, int64_t block)
{
    const struct shunt_arena *arena = &state_of(plan)->arena;
    return sum_or_none(shunt_reserve_bytes(arena->blocks + plan->schedule.max_round_send,
                                           block + SHUNT_LENGTH_FUSED));
}

/* Calls with smaller blocks may come later, and keep messages that need more. */
static int64_t scratch(const struct shunt_comm *comm, const struct shunt_plan *plan, int64_t block)
{
    const int64_t most = state_of(plan)->kept;
    (void)comm;
    if (block <= most)
        return kept_scratch(plan, block);
    const int64_t slots = slots_scratch(plan, block),
                  kept = most >= 0 ? kept_scratch(plan, most) : 0;
    return slots > kept ? slots : kept;
}

static bool prepare(const struct shunt_comm *comm, struct shunt_plan *plan)
{
    struct shunt_forward_state *state = shunt_forward_state(plan);
    state->kept = shunt_algorithm_kept(plan->entry.key.algorithm, &comm->layout,
                                       shunt_plan_params(plan), plan->memory_cap);
    if (state->kept < 0)
        return true;
    if (shunt_arena_build(&state->arena, &plan->schedule))
        return false;
    state->marks = calloc((size_t)state->arena.mark_count + 1, sizeof *state->marks);
    state->landing = calloc((size_t)plan->schedule.max_round_steps + 1, sizeof *state->landing);
    return state->marks && state->landing;
}

static bool grow(struct shunt_plan *plan, int64_t block)
{
    struct shunt_forward_state *state = shunt_forward_state(plan);
    if (block <= state->kept || state->slot_bytes)
        return true;
    state->slot_bytes = calloc((size_t)plan->schedule.slots + 1, sizeof *state->slot_bytes);
    return state->slot_bytes;
}

static void release(struct shunt_plan *plan)
{
    struct shunt_forward_state *state = shunt_forward_state(plan);
    shunt_arena_clear(&state->arena);
    free(state->marks);
    free(state->landing);
    free(state->slot_bytes);
    *state = (struct shunt_forward_state){0};
}

static int run(struct shunt_exchange *x, struct shunt_plan *plan)
{
    return x->block > state_of(plan)->kept ? shunt_forward_run(x, plan) : shunt_fused_run(x, plan);
}

const struct shunt_executor shunt_executor_forward = {
    .state_bytes = sizeof(struct shunt_forward_state),
    .prepare = prepare,
    .grow = grow,
    .scratch = scratch,
    .requests = shunt_executor_requests,
    .run = run,
    .release = release,
};

/* Padded blocks all have one length, and wait in slots. */
const struct shunt_executor shunt_executor_padded = {
    .state_bytes = sizeof(struct shunt_forward_state),
    .prepare = prepare,
    .grow = grow,
    .scratch = scratch,
    .requests = shunt_executor_requests,
    .run = shunt_forward_run,
    .release = release,
};
