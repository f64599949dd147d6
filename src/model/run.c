/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: the ranks of a program, one operation after the other. */
#include "model/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/run_state.h"

static int64_t bytes_at(const uint32_t *word)
{
    int64_t bytes;
    memcpy(&bytes, word + 1, sizeof bytes);
    return bytes;
}

static double seconds_at(const uint32_t *word)
{
    double seconds;
    memcpy(&seconds, word + 1, sizeof seconds);
    return seconds;
}

static uint32_t neighbour(const struct shunt_run *run, uint32_t rank, int local)
{
    return (uint32_t)shunt_layout_rank(run->layout, run->layout->node_of[rank], local);
}

/* The last rank to arrive sends all of them on. */
static void reach_barrier(struct shunt_run *run, uint32_t rank)
{
    const struct shunt_machine *m = run->machine;
    struct shunt_run_rank *r = &run->rank[rank];
    struct shunt_run_node *node = &run->node[run->layout->node_of[rank]];
    r->doing = SHUNT_RUN_BARRIER;
    shunt_run_release(run, rank);
    node->last = r->clock > node->last ? r->clock : node->last;
    if (++node->arrived < node->ranks)
        return;
    const double end = node->last + (m->barrier_start + node->ranks * m->barrier_rank);
    node->arrived = 0;
    node->last = 0;
    for (int local = 0; local < node->ranks; local++) {
        const uint32_t other = neighbour(run, rank, local);
        run->rank[other].barriers++;
        shunt_run_wake(run, other, end, 0);
    }
}

/* Everybody who awaits this leader goes on. */
static void raise_signal(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    r->raised = r->barriers;
    r->raised_at = r->clock;
    for (int local = 0; local < run->node[run->layout->node_of[rank]].ranks; local++) {
        const uint32_t other = neighbour(run, rank, local);
        const struct shunt_run_rank *o = &run->rank[other];
        if (o->doing == SHUNT_RUN_AWAITING && o->awaited == rank && o->barriers == r->raised)
            shunt_run_wake(run, other, o->clock > r->clock ? o->clock : r->clock, 0);
    }
}

/* True: it has done so already. */
static bool await_leader(struct shunt_run *run, uint32_t rank, uint32_t leader)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const struct shunt_run_rank *l = &run->rank[leader];
    if (l->raised == r->barriers) {
        r->clock = l->raised_at > r->clock ? l->raised_at : r->clock;
        return true;
    }
    r->doing = SHUNT_RUN_AWAITING;
    r->awaited = leader;
    shunt_run_release(run, rank);
    return false;
}

/* So many words further. */
static void advance(struct shunt_run_rank *r, int words)
{
    r->at += words;
    if (r->at < r->end)
        r->word = *r->at;
}

/* One of the messages that the word stands for; and behind it after the last. */
static void send_one(struct shunt_run *run, uint32_t rank, uint32_t word)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const bool inside = word >> SHUNT_CODE_SHIFT == SHUNT_CODE_SEND_INSIDE;
    if (++r->part == (word & SHUNT_CODE_MASK)) {
        r->part = 0;
        advance(r, 1);
    }
    shunt_run_send(run, rank, inside ? SHUNT_LEVEL_INSIDE : SHUNT_LEVEL_BETWEEN);
}

/* One operation. False: the rank waits for somebody, or is due again. */
static bool step(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    const uint32_t word = r->word, value = word & SHUNT_CODE_MASK;
    const enum shunt_op_code code = (enum shunt_op_code)(word >> SHUNT_CODE_SHIFT);
    if (run->record && r->part == 0)
        shunt_run_note(run, rank);
    switch (code) {
    case SHUNT_CODE_SEND_INSIDE:
    case SHUNT_CODE_SEND_BETWEEN:
        send_one(run, rank, word);
        return true;
    case SHUNT_CODE_BYTES:
        r->bytes = bytes_at(r->at);
        advance(r, 3);
        return true;
    case SHUNT_CODE_WORK:
        r->clock += seconds_at(r->at);
        advance(r, 3);
        return true;
    default:
        advance(r, 1);
    }
    switch (code) {
    case SHUNT_CODE_WAIT:
        return shunt_run_wait(run, rank);
    case SHUNT_CODE_BARRIER:
        reach_barrier(run, rank);
        return false;
    case SHUNT_CODE_RAISE:
        raise_signal(run, rank);
        return true;
    case SHUNT_CODE_AWAIT:
        return await_leader(run, rank, value);
    default:
        shunt_run_post(run, rank, value);
        return true;
    }
}

/* Whether something else comes first; otherwise the rank's clock is the time. */
static bool is_early(struct shunt_run *run, uint32_t rank)
{
    const double time = run->rank[rank].clock;
    const struct shunt_due due = {.time = time,
                                  .generation = time > run->now ? 0 : run->generation,
                                  .local = (uint32_t)run->layout->local_of[rank],
                                  .node = (uint32_t)run->layout->node_of[rank]};
    if (!run->ordered)
        return false;
    if (run->queue.count > 0 && shunt_due_before(shunt_queue_first(&run->queue), &due))
        return true;
    run->now = time;
    run->generation = due.generation;
    return false;
}

static void go(struct shunt_run *run, uint32_t rank)
{
    struct shunt_run_rank *r = &run->rank[rank];
    if (!shunt_run_acquire(run, rank))
        return;
    while (r->at < r->end) {
        if (is_early(run, rank)) {
            shunt_run_put(run, rank);
            return;
        }
        if (!step(run, rank))
            return;
    }
    if (run->record)
        shunt_run_note(run, rank);
    r->doing = SHUNT_RUN_DONE;
    shunt_run_release(run, rank);
}

static enum shunt_cost_result run_all(struct shunt_run *run, double *time)
{
    const uint32_t period = (uint32_t)run->program->period;
    run->now = -1; /* nothing has happened */
    for (uint32_t p = 0; p < period; p++)
        shunt_run_wake(run, p, 0, 0);
    while (run->queue.count > 0 && !run->failed) {
        const struct shunt_due due = shunt_queue_take(&run->queue);
        run->now = due.time;
        run->generation = due.generation;
        if (due.send > 0)
            shunt_run_inject_long(run, due.what);
        else
            go(run, due.what);
    }
    bool done = true;
    *time = 0;
    for (uint32_t p = 0; p < period; p++) {
        done = done && run->rank[p].doing == SHUNT_RUN_DONE;
        *time = run->rank[p].clock > *time ? run->rank[p].clock : *time;
    }
    return run->failed ? SHUNT_COST_MEMORY : done ? SHUNT_COST_OK : SHUNT_COST_STUCK;
}

static bool prepare_pool(struct shunt_run *run, struct shunt_run_pool *pool)
{
    const int processors = run->machine->processors;
    pool->free = processors > 0 && processors < pool->ranks ? processors : pool->ranks;
    run->limited = run->limited || pool->free < pool->ranks;
    pool->queue = calloc((size_t)pool->ranks + 1, sizeof *pool->queue);
    return pool->queue != NULL;
}

static bool prepare_nodes(struct shunt_run *run)
{
    const int nodes = run->program->nodes,
              sharing = run->machine->sharing > 1 ? run->machine->sharing : 1;
    run->sharing = sharing;
    run->pools = 1 + (nodes - 1) / sharing; /* nobody limits what files say of sharing */
    run->node = calloc((size_t)nodes, sizeof *run->node);
    run->pool = calloc((size_t)run->pools, sizeof *run->pool);
    if (!run->node || !run->pool)
        return false;
    for (int n = 0; n < nodes; n++) {
        run->node[n].ranks = shunt_layout_ppn(run->layout, n);
        run->pool[n / sharing].ranks += run->node[n].ranks;
    }
    for (int i = 0; i < run->pools; i++)
        if (!prepare_pool(run, &run->pool[i]))
            return false;
    return true;
}

/* Whether messages of a level differ in what they take of a processor. */
static bool messages_differ(const struct shunt_machine *m)
{
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        if (m->link[level].overhead_byte > 0 || m->link[level].rendezvous > 0)
            return true;
    return false;
}

static void begin_program(struct shunt_run_rank *r, const struct shunt_program_rank *program)
{
    r->at = program->word;
    r->end = program->words > 0 ? program->word + program->words : program->word;
    r->word = program->words > 0 ? program->word[0] : 0;
    r->to = program->sends > 0 ? program->to[0] : 0;
    r->slot = program->sends > 0 ? program->slot[0] : 0;
}

static bool prepare(struct shunt_run *run)
{
    const struct shunt_program *p = run->program;
    const struct shunt_machine *m = run->machine;
    run->rank = calloc((size_t)p->period, sizeof *run->rank);
    run->first = calloc((size_t)p->period + 1, sizeof *run->first);
    if (!run->rank || !run->first || !prepare_nodes(run))
        return false;
    uint32_t most = 0;
    for (int i = 0; i < p->period; i++) {
        begin_program(&run->rank[i], &p->rank[i]);
        run->first[i + 1] = run->first[i] + p->rank[i].receives;
        most = p->rank[i].receives > most ? p->rank[i].receives : most;
    }
    run->arrival = malloc((run->first[p->period] + 1) * sizeof *run->arrival);
    run->in = malloc(((size_t)most + 1) * sizeof *run->in);
    if (messages_differ(m))
        run->taking = malloc((run->first[p->period] + 1) * sizeof *run->taking);
    if (!run->arrival || !run->in || (messages_differ(m) && !run->taking) ||
        (run->record && !shunt_run_record_prepare(run)))
        return false;
    for (size_t i = 0; i < run->first[p->period]; i++)
        run->arrival[i] = -INFINITY;
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++)
        run->latency[level] = shunt_machine_latency(m, (enum shunt_level)level, run->layout->nodes);
    run->card_byte = shunt_machine_card_byte(m, run->layout->nodes);
    run->ordered = run->limited || m->card_message > 0 || run->card_byte > 0 ||
                   p->largest > m->link[SHUNT_LEVEL_INSIDE].eager ||
                   p->largest > m->link[SHUNT_LEVEL_BETWEEN].eager;
    return true;
}

enum shunt_cost_result shunt_run(double *time, const struct shunt_program *program,
                                 const struct shunt_machine *machine,
                                 const struct shunt_layout *layout, struct shunt_run_record *record)
{
    struct shunt_run run = {
        .program = program, .machine = machine, .layout = layout, .record = record};
    const enum shunt_cost_result result = prepare(&run) ? run_all(&run, time) : SHUNT_COST_MEMORY;
    if (record)
        shunt_run_record_end(&run);
    for (int i = 0; run.pool && i < run.pools; i++)
        free(run.pool[i].queue);
    free(run.pool);
    free(run.node);
    free(run.rank);
    free(run.first);
    free(run.arrival);
    free(run.taking);
    free(run.in);
    free(run.longs);
    shunt_queue_clear(&run.queue);
    return result;
}
