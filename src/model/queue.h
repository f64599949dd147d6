/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h: what is due, earliest first.
 *
 * Ranks that do the same are put in the order in which they were taken, so that most of what is put
 * comes behind what was put before it: it goes to the end of a sorted row, of which there are some,
 * and only what would lie behind none of them goes into a heap.
 *
 * Of things due at one time those come first that were due before that time came; what they bring
 * about at the same time follows (generations), and so on. Then the order is that of local ranks,
 * of what each has still to send, and of nodes. So the ranks of every node come in the order in
 * which those of one node would come alone (cost.h: SHUNT_COST_SYMMETRIC). No two entries are
 * equal.
 */
#ifndef SHUNT_MODEL_QUEUE_H
#define SHUNT_MODEL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shunt_due {
    double time; /* seconds */
    uint32_t generation;
    uint32_t local, node;
    uint32_t send; /* 0: the rank itself goes on; else what it sends, from 1 */
    uint32_t what; /* the rank, or what is sent: belongs to the caller */
};

enum { SHUNT_QUEUE_ROWS = 8 };

struct shunt_queue_row {
    struct shunt_due *due; /* array of capacity; sorted from `begin` to before `end` */
    size_t begin, end, capacity;
};

struct shunt_queue {
    size_t count; /* in all */
    struct shunt_queue_row row[SHUNT_QUEUE_ROWS];
    struct shunt_due *heap; /* array of heap_count */
    size_t heap_count, heap_capacity;
    int first; /* the row of the first one; SHUNT_QUEUE_ROWS: the heap */
};

/* The first one; the queue must not be empty. */
static inline const struct shunt_due *shunt_queue_first(const struct shunt_queue *queue)
{
    if (queue->first == SHUNT_QUEUE_ROWS)
        return queue->heap;
    return &queue->row[queue->first].due[queue->row[queue->first].begin];
}

/* Whether a comes before b. */
static inline bool shunt_due_before(const struct shunt_due *a, const struct shunt_due *b)
{
    if (a->time < b->time || a->time > b->time)
        return a->time < b->time;
    /* Many are due at one time: two comparisons instead of four. */
    const uint64_t first = (uint64_t)a->generation << 32 | a->local,
                   second = (uint64_t)b->generation << 32 | b->local;
    if (first != second)
        return first < second;
    return ((uint64_t)a->send << 32 | a->node) < ((uint64_t)b->send << 32 | b->node);
}

/* Returns 0, or -1 when memory is short. */
int shunt_queue_put(struct shunt_queue *queue, struct shunt_due due);
/* Takes the first one; the queue must not be empty. */
struct shunt_due shunt_queue_take(struct shunt_queue *queue);
void shunt_queue_clear(struct shunt_queue *queue);

#endif
