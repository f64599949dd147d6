/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h: where the blocks of a schedule lie when received messages stay where they arrived.
 *
 * Instead of copying each forwarded block into a temporary slot, a rank remembers a mark: the
 * address where the block begins. Messages lie one after the other; a round in which no block is
 * passed on leaves its room to the next one. Blocks that lie behind each other in one message and
 * travel on behind each other form a run, which is copied at once.
 */
#ifndef SHUNT_SCHEDULE_ARENA_H
#define SHUNT_SCHEDULE_ARENA_H

#include "schedule/schedule.h"

/* `count` blocks in a row: marks first.. (SHUNT_REF_SLOT | mark) or user blocks of ranks first.. */
struct shunt_run {
    shunt_ref first;
    uint32_t count;
};

/* The lists of runs of one step. */
enum shunt_run_list {
    SHUNT_RUNS_HOME,    /* sent, blocks that reach their final rank */
    SHUNT_RUNS_FORWARD, /* sent, the others */
    SHUNT_RUNS_ARRIVING /* received, blocks for this rank: user blocks */
};
enum { SHUNT_RUN_LISTS = 3 };

struct shunt_arena {
    uint32_t blocks;     /* most received blocks whose messages lie in memory together */
    uint32_t mark_count; /* one per block that is received to be passed on, and one per message for
                            the end of the last of them */
    uint32_t
        *mark_first; /* array of step_count: mark of the first such block received in each step */
    struct shunt_run *runs;
    uint32_t *list_first; /* array of SHUNT_RUN_LISTS * step_count + 1: first run of each list */
};

/* Returns 0, or -1 when memory is short (the arena is then empty). Release with shunt_arena_clear.
 */
int shunt_arena_build(struct shunt_arena *arena, const struct shunt_schedule *schedule);
void shunt_arena_clear(struct shunt_arena *arena);

#endif
