/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.c: runs the schedules of all ranks in one process and counts every block. */
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/arena.h"

enum { NO_BLOCK = -1 };

struct message {
    int count;
    int final, home;
    int64_t *blocks; /* source * P + destination */
    struct message *next;
};

struct queue {
    struct message *first, *last;
    int sent, received; /* messages so far: a send is complete once received has passed it */
};

/* Received messages that stay where they arrived: one cell per block. Schedules with local copies
 * are never executed in this way. */
struct memory {
    int used;
    struct shunt_arena arena;
    int64_t *cells;  /* array of arena.blocks */
    uint32_t *marks; /* array of arena.mark_count: cell of each */
    uint32_t begin;  /* of the current round's messages */
};

struct world {
    int P;
    int collects;          /* places to send from are neighbours, see SHUNT_KIND_COLLECT */
    struct memory *memory; /* array of P */
    struct shunt_schedule *schedules; /* array of P */
    int64_t **slots;                  /* per rank */
    int64_t *stores;      /* P*P: at [rank * P + receive block], what it keeps on the way */
    int64_t *copied_out;  /* P*P: at [destination * P + source], number of times */
    struct queue *queues; /* P*P: at [source * P + destination] */
    uint32_t *round;      /* per rank */
    int *posted;          /* per rank: sends of the current round are out */
    int **sent_mark;      /* per rank: index of each step's message in its queue */
    char error[256];
};

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static void fail(struct world *w, const char *what, int rank, int64_t detail)
{
    if (!w->error[0])
        snprintf(w->error, sizeof w->error, "%s (rank %d, %lld)", what, rank, (long long)detail);
}

static int64_t take(struct world *w, int rank, shunt_ref ref)
{
    const uint32_t index = shunt_ref_index(ref);
    if (shunt_ref_is_store(ref)) {
        const int64_t block =
            index < (uint32_t)w->P ? w->stores[(int64_t)rank * w->P + index] : NO_BLOCK;
        if (block == NO_BLOCK)
            fail(w, "sends an empty store", rank, index);
        else
            w->stores[(int64_t)rank * w->P + index] = NO_BLOCK;
        return block;
    }
    if (!shunt_ref_is_slot(ref)) {
        if (index >= (uint32_t)w->P || (int)index == rank)
            fail(w, "sends a block that does not exist", rank, index);
        return (int64_t)rank * w->P + index;
    }
    if (index >= w->schedules[rank].slots) {
        fail(w, "slot out of range", rank, index);
        return NO_BLOCK;
    }
    const int64_t block = w->slots[rank][index];
    if (block == NO_BLOCK)
        fail(w, "sends an empty slot", rank, index);
    w->slots[rank][index] = NO_BLOCK;
    return block;
}

/* `home`: the sender says that the block arrives. */
static void put(struct world *w, int rank, shunt_ref ref, int64_t block, int home)
{
    const uint32_t index = shunt_ref_index(ref);
    if (home == (shunt_ref_is_slot(ref) || shunt_ref_is_store(ref)))
        fail(w, "sender and receiver differ about where a block's way ends", rank, index);
    if (shunt_ref_is_slot(ref)) {
        if (index >= w->schedules[rank].slots)
            fail(w, "slot out of range", rank, index);
        else if (w->slots[rank][index] != NO_BLOCK)
            fail(w, "overwrites a slot in use", rank, index);
        else
            w->slots[rank][index] = block;
        return;
    }
    if (index >= (uint32_t)w->P || (int)index == rank ||
        w->stores[(int64_t)rank * w->P + index] != NO_BLOCK)
        fail(w, "writes to a receive block in use", rank, index);
    else if (shunt_ref_is_store(ref) && w->copied_out[(int64_t)rank * w->P + index])
        fail(w, "stores where a block has arrived", rank, index);
    else if (shunt_ref_is_store(ref))
        w->stores[(int64_t)rank * w->P + index] = block;
    else if (block % w->P != rank || block / w->P != index)
        fail(w, "delivers a wrong block", rank, block);
    else
        w->copied_out[(int64_t)rank * w->P + index]++;
}

/* Rotations and scans. */
static void copy_blocks(struct world *w, int rank, const struct shunt_copy *copies, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(w, rank, copies[i].to, take(w, rank, copies[i].from),
            !shunt_ref_is_slot(copies[i].to) && !shunt_ref_is_store(copies[i].to));
}

static const struct shunt_run *runs_of(const struct memory *m, uint32_t step,
                                       enum shunt_run_list list, const struct shunt_run **end)
{
    const uint32_t *first = m->arena.list_first + (size_t)step * SHUNT_RUN_LISTS + list;
    *end = m->arena.runs + first[1];
    return m->arena.runs + first[0];
}

/* The blocks of a message, gathered by the arena's runs, must be those that the schedule names.
 * Returns how many there were. */
static uint32_t compare_runs(struct world *w, int rank, uint32_t step, enum shunt_run_list list,
                             const int64_t *blocks)
{
    const struct memory *m = &w->memory[rank];
    const struct shunt_run *end, *run = runs_of(m, step, list, &end);
    uint32_t count = 0;
    for (; run < end; run++) {
        for (uint32_t k = 0; k < run->count; k++) {
            const uint32_t index = shunt_ref_index(run->first) + k;
            int64_t block = (int64_t)rank * w->P + index;
            if (shunt_ref_is_slot(run->first))
                block = m->cells[m->marks[index]];
            if (list == SHUNT_RUNS_ARRIVING)
                block = index;
            if (block != blocks[count++])
                fail(w, "a run of the arena has a wrong block", rank, index);
        }
        /* A run is copied at once, so its blocks must lie together. */
        const uint32_t first = shunt_ref_index(run->first);
        if (shunt_ref_is_slot(run->first) &&
            m->marks[first + run->count] - m->marks[first] != run->count)
            fail(w, "a run of the arena is not in one piece", rank, first);
    }
    return count;
}

static void compare_sends(struct world *w, int rank, uint32_t step, const struct message *m)
{
    if (!w->memory[rank].used)
        return;
    uint32_t count = compare_runs(w, rank, step, SHUNT_RUNS_HOME, m->blocks);
    if (count != (uint32_t)m->home)
        fail(w, "the arena sends another number of arriving blocks", rank, count);
    count += compare_runs(w, rank, step, SHUNT_RUNS_FORWARD, m->blocks + count);
    if (count != (uint32_t)m->count)
        fail(w, "the arena sends another number of blocks", rank, count);
}

/* A message stays where it arrived. */
static void keep_message(struct world *w, int rank, uint32_t step, const struct message *message)
{
    const struct shunt_schedule *s = &w->schedules[rank];
    struct memory *m = &w->memory[rank];
    if (!m->used)
        return;
    uint32_t at = m->begin, mark = m->arena.mark_first[step];
    for (uint32_t i = s->round_first[w->round[rank]]; i < step; i++)
        at += s->steps[i].recv_count;
    if (at + s->steps[step].recv_count > m->arena.blocks) {
        fail(w, "the arena is too small", rank, at);
        return;
    }
    int64_t *sources = need((size_t)message->count + 1, sizeof *sources);
    for (int b = 0; b < message->count; b++, at++) {
        m->cells[at] = message->blocks[b];
        sources[b] = message->blocks[b] / w->P;
        if (b >= message->home)
            m->marks[mark++] = at;
    }
    if (message->home < message->count)
        m->marks[mark] = at;
    if (compare_runs(w, rank, step, SHUNT_RUNS_ARRIVING, sources) != s->steps[step].recv_home)
        fail(w, "the arena stores another number of arriving blocks", rank, step);
    free(sources);
}

/* The next round begins behind the last message with blocks to be passed on. */
static void end_round(struct world *w, int rank)
{
    const struct shunt_schedule *s = &w->schedules[rank];
    uint32_t at = w->memory[rank].begin;
    for (uint32_t i = s->round_first[w->round[rank]]; i < s->round_first[w->round[rank] + 1]; i++) {
        at += s->steps[i].recv_count;
        if (s->steps[i].recv_home < s->steps[i].recv_count)
            w->memory[rank].begin = at;
    }
    w->round[rank]++;
    w->posted[rank] = 0;
}

static void post_round(struct world *w, int rank)
{
    const struct shunt_schedule *s = &w->schedules[rank];
    for (uint32_t i = s->round_first[w->round[rank]]; i < s->round_first[w->round[rank] + 1]; i++) {
        const struct shunt_step *step = &s->steps[i];
        if (step->send_to < 0)
            continue;
        struct message *m = need(1, sizeof *m);
        m->count = (int)step->send_count;
        m->final = step->send_final;
        m->home = (int)step->send_home;
        m->blocks = need(step->send_count, sizeof *m->blocks);
        for (uint32_t b = 0; b < step->send_count; b++)
            m->blocks[b] = w->collects
                               ? (int64_t)s->refs[step->send_first + b] * w->P + step->send_to
                               : take(w, rank, s->refs[step->send_first + b]);
        compare_sends(w, rank, i, m);
        struct queue *q = &w->queues[(int64_t)rank * w->P + step->send_to];
        if (q->last)
            q->last->next = m;
        else
            q->first = m;
        q->last = m;
        w->sent_mark[rank][i] = ++q->sent;
    }
    w->posted[rank] = 1;
}

/* Receives what is there, in step order per pair. Returns 1 when the round is complete. `got`
 * remembers received steps. */
static int finish_round(struct world *w, int rank, char *got)
{
    const struct shunt_schedule *s = &w->schedules[rank];
    int complete = 1;
    if (!got)
        abort();
    for (uint32_t i = s->round_first[w->round[rank]]; i < s->round_first[w->round[rank] + 1]; i++) {
        const struct shunt_step *step = &s->steps[i];
        if (step->recv_from >= 0 && !got[i]) {
            struct queue *q = &w->queues[(int64_t)step->recv_from * w->P + rank];
            struct message *m = q->first;
            if (!m) {
                complete = 0;
                continue;
            }
            q->first = m->next;
            q->last = q->first ? q->last : NULL;
            q->received++;
            got[i] = 1;
            if (m->count != (int)step->recv_count || m->final != step->recv_final ||
                m->home != (int)step->recv_home || m->final != (m->home == m->count))
                fail(w, "message of another shape than expected", rank, i);
            else
                keep_message(w, rank, i, m);
            for (uint32_t b = 0; b < step->recv_count && b < (uint32_t)m->count; b++)
                put(w, rank, s->refs[step->recv_first + b], m->blocks[b], (int)b < m->home);
            free(m->blocks);
            free(m);
        }
        if (step->send_to >= 0 &&
            w->queues[(int64_t)rank * w->P + step->send_to].received < w->sent_mark[rank][i])
            complete = 0;
    }
    return complete;
}

static void run(struct world *w, char **got)
{
    for (int p = 0; p < w->P; p++)
        copy_blocks(w, p, w->schedules[p].before, w->schedules[p].before_count);
    int progress = 1, left = w->P;
    while (left > 0 && progress && !w->error[0]) {
        progress = 0;
        left = 0;
        for (int p = 0; p < w->P; p++) {
            if (w->round[p] >= w->schedules[p].round_count)
                continue;
            left++;
            if (!w->posted[p]) {
                post_round(w, p);
                progress = 1;
            }
            if (finish_round(w, p, got[p])) {
                end_round(w, p);
                progress = 1;
            }
        }
    }
    if (left > 0)
        fail(w, "deadlock: ranks left", 0, left);
    for (int p = 0; p < w->P; p++)
        copy_blocks(w, p, w->schedules[p].after, w->schedules[p].after_count);
}

static void check_end(struct world *w, const struct shunt_algorithm *algorithm,
                      const struct shunt_layout *layout, const struct shunt_params *params)
{
    for (int p = 0; p < w->P; p++) {
        for (int q = 0; q < w->P; q++)
            if (w->copied_out[(int64_t)p * w->P + q] != (p != q))
                fail(w, "block not delivered exactly once, from", p, q);
        const struct shunt_schedule *s = &w->schedules[p];
        for (uint32_t i = 0; i < s->slots; i++)
            if (w->slots[p][i] != NO_BLOCK)
                fail(w, "forgets a block in a slot", p, i);
        for (int q = 0; q < w->P; q++)
            if (w->stores[(int64_t)p * w->P + q] != NO_BLOCK)
                fail(w, "forgets a block in a store", p, q);
        if (!algorithm->memory || shunt_kind_shares(algorithm->kind))
            continue; /* room for messages: sized by other rules */
        const int fused =
            algorithm->kind == SHUNT_KIND_FORWARD && !shunt_algorithm_separate(algorithm, params);
        if (fused && (!w->memory[p].used || !algorithm->kept)) {
            fail(w, "cannot keep messages, but is not executed in slots", p, 0);
            return;
        }
        const int64_t kept =
            ((int64_t)s->max_round_send + w->memory[p].arena.blocks) * (100 + SHUNT_LENGTH_FUSED);
        if (fused && kept > algorithm->kept(layout, params) * (100 + SHUNT_LENGTH_FUSED))
            fail(w, "keeps more than the registry says", p, kept);
        /* In the form that the executor takes when no more than that is allowed. */
        const int64_t cap = algorithm->memory(layout, params, 100),
                      moving = (int64_t)s->max_round_send + s->max_round_recv;
        const int64_t slots =
            (int64_t)s->slots * 100 + moving * (100 + shunt_algorithm_length(algorithm, 100));
        if ((shunt_algorithm_kept(algorithm, layout, params, cap) >= 100 ? kept : slots) > cap)
            fail(w, "needs more memory than the registry says", p, cap);
    }
}

static void memory_begin(struct world *w, int rank)
{
    const struct shunt_schedule *s = &w->schedules[rank];
    struct memory *m = &w->memory[rank];
    m->used = !w->collects && s->before_count == 0 && s->after_count == 0;
    if (!m->used)
        return;
    if (shunt_arena_build(&m->arena, &w->schedules[rank]))
        fail(w, "arena failed", rank, 0);
    m->cells = need((size_t)m->arena.blocks + 1, sizeof *m->cells);
    m->marks = need((size_t)m->arena.mark_count + 1, sizeof *m->marks);
}

static void memory_end(struct memory *m)
{
    shunt_arena_clear(&m->arena);
    free(m->cells);
    free(m->marks);
}

const char *simulate(const struct shunt_algorithm *algorithm, const struct shunt_layout *layout,
                     const struct shunt_params *params)
{
    static struct world w;
    /* Where nodes exchange bundles, a schedule is one of nodes. */
    const bool nodes = algorithm->kind == SHUNT_KIND_SEGMENT;
    const int P = nodes ? layout->nodes : layout->ranks;
    const size_t n = (size_t)P;
    w = (struct world){.P = P, .collects = algorithm->kind == SHUNT_KIND_COLLECT};
    w.schedules = need(n, sizeof *w.schedules);
    w.memory = need(n, sizeof *w.memory);
    w.slots = need(n, sizeof *w.slots);
    w.copied_out = need(n * n, sizeof *w.copied_out);
    for (int p = 0; w.collects && p < P; p++) /* inside a node no message is needed */
        for (int q = 0; q < P; q++)
            w.copied_out[(int64_t)p * P + q] = p != q && layout->node_of[p] == layout->node_of[q];
    w.stores = need(n * n, sizeof *w.stores);
    for (size_t i = 0; i < n * n; i++)
        w.stores[i] = NO_BLOCK;
    w.queues = need(n * n, sizeof *w.queues);
    w.round = need(n, sizeof *w.round);
    w.posted = need(n, sizeof *w.posted);
    w.sent_mark = need(n, sizeof *w.sent_mark);
    char **got = need(n, sizeof *got);
    for (int p = 0; p < P; p++) {
        if (algorithm->build(&w.schedules[p], layout, nodes ? shunt_layout_rank(layout, p, 0) : p,
                             params))
            fail(&w, "build failed", p, 0);
        memory_begin(&w, p);
        w.slots[p] = need(w.schedules[p].slots + 1, sizeof *w.slots[p]);
        for (uint32_t i = 0; i < w.schedules[p].slots; i++)
            w.slots[p][i] = NO_BLOCK;
        w.sent_mark[p] = need(w.schedules[p].step_count + 1, sizeof *w.sent_mark[p]);
        got[p] = need(w.schedules[p].step_count + 1, 1);
    }
    run(&w, got);
    if (!w.error[0])
        check_end(&w, algorithm, layout, params);
    for (int64_t i = 0; i < (int64_t)P * P; i++) {
        for (struct message *m = w.queues[i].first, *next; m; m = next) {
            next = m->next;
            free(m->blocks);
            free(m);
        }
    }
    for (int p = 0; p < P; p++) {
        shunt_schedule_clear(&w.schedules[p]);
        memory_end(&w.memory[p]);
        free(w.slots[p]);
        free(w.sent_mark[p]);
        free(got[p]);
    }
    free(w.schedules);
    free(w.memory);
    free(w.slots);
    free(w.copied_out);
    free(w.stores);
    free(w.queues);
    free(w.round);
    free(w.posted);
    free(w.sent_mark);
    free(got);
    return w.error[0] ? w.error : NULL;
}
