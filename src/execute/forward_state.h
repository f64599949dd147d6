/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forward_state.h: what is kept between calls of algorithms that forward blocks in messages: for
 * fused.c, which leaves messages where they arrived, and for forward.c, which copies blocks to
 * slots.
 */
#ifndef SHUNT_EXECUTE_FORWARD_STATE_H
#define SHUNT_EXECUTE_FORWARD_STATE_H

#include "execute/plan.h"
#include "schedule/arena.h"

struct shunt_forward_state {
    int64_t kept; /* largest block for fused.c; with larger ones forward.c runs. Equal on all ranks;
                     -1: none */
    int64_t *slot_bytes; /* for forward.c: array of slots: length of the block in each. NULL: not
                            needed so far */
    struct shunt_arena arena;
    char **marks;   /* for fused.c: array of arena.mark_count: where blocks begin */
    char **landing; /* and array of schedule.max_round_steps: where messages arrive */
};

static inline struct shunt_forward_state *shunt_forward_state(struct shunt_plan *plan)
{
    return (struct shunt_forward_state *)(void *)plan->state;
}

/* With plan->ready covering x->block; shunt_fused_run for blocks up to `kept`, else
 * shunt_forward_run. Returns as shunt_executor's run. */
int shunt_fused_run(struct shunt_exchange *x, struct shunt_plan *plan);
int shunt_forward_run(struct shunt_exchange *x, struct shunt_plan *plan);

#endif
