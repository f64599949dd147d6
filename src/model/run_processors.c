/* SPDX-License-Identifier: BSD-3-Clause */
/* run_processors.c: who has a processor, where ranks outnumber them. */
#include "model/run_state.h"

static struct shunt_run_pool *pool_of(struct shunt_run *run, uint32_t rank)
{
    return &run->pool[run->layout->node_of[rank] / run->sharing];
}

void shunt_run_put(struct shunt_run *run, uint32_t rank)
{
    const double time = run->rank[rank].clock;
    const struct shunt_due due = {.time = time,
                                  .generation = shunt_run_generation(run, time),
                                  .local = (uint32_t)run->layout->local_of[rank],
                                  .node = (uint32_t)run->layout->node_of[rank],
                                  .what = rank};
    run->rank[rank].doing = SHUNT_RUN_GOING;
    if (shunt_queue_put(&run->queue, due))
        run->failed = true;
}

void shunt_run_wake(struct shunt_run *run, uint32_t rank, double time, double work)
{
    struct shunt_run_rank *r = &run->rank[rank];
    r->clock = time;
    r->due = work;
    r->waits_for_processor = true;
    shunt_run_put(run, rank);
}

/* It has one from now on. */
static void begin(struct shunt_run_rank *r)
{
    r->clock += r->due;
    r->waits_for_processor = false;
}

bool shunt_run_acquire(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    if (!r->waits_for_processor)
        return true;
    struct shunt_run_pool *pool = pool_of(run, rank);
    if (run->limited && pool->free == 0) {
        pool->queue[(pool->first + pool->queued++) % pool->ranks] = rank;
        return false;
    }
    pool->free--;
    begin(r);
    return true;
}

void shunt_run_release(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_pool *pool = pool_of(run, rank);
    if (!run->limited || pool->queued == 0) {
        pool->free++;
        return;
    }
    const uint32_t next = pool->queue[pool->first];
    pool->first = (pool->first + 1) % pool->ranks;
    pool->queued--;
    run->rank[next].clock = run->rank[rank].clock + run->machine->turn;
    begin(&run->rank[next]);
    shunt_run_put(run, next);
}
