/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c: a binary heap in an array. */
#include "model/queue.h"

#include <stdlib.h>

bool shunt_due_before(const struct shunt_due *a, const struct shunt_due *b)
{
    if (a->time < b->time || a->time > b->time)
        return a->time < b->time;
    if (a->generation != b->generation)
        return a->generation < b->generation;
    if (a->local != b->local)
        return a->local < b->local;
    if (a->send != b->send)
        return a->send < b->send;
    return a->node < b->node;
}

static bool grow(struct shunt_queue *queue)
{
    const size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
    struct shunt_due *larger = realloc(queue->due, capacity * sizeof *larger);
    if (!larger)
        return false;
    queue->due = larger;
    queue->capacity = capacity;
    return true;
}

int shunt_queue_put(struct shunt_queue *queue, struct shunt_due due)
{
    if (queue->count == queue->capacity && !grow(queue))
        return -1;
    size_t at = queue->count++;
    for (; at > 0 && shunt_due_before(&due, &queue->due[(at - 1) / 2]); at = (at - 1) / 2)
        queue->due[at] = queue->due[(at - 1) / 2];
    queue->due[at] = due;
    return 0;
}

/* Puts `due` where the first one was, and then down to its place. */
static void sink(struct shunt_queue *queue, struct shunt_due due)
{
    size_t at = 0;
    for (size_t child = 1; child < queue->count; child = 2 * at + 1) {
        if (child + 1 < queue->count &&
            shunt_due_before(&queue->due[child + 1], &queue->due[child]))
            child++;
        if (!shunt_due_before(&queue->due[child], &due))
            break;
        queue->due[at] = queue->due[child];
        at = child;
    }
    queue->due[at] = due;
}

struct shunt_due shunt_queue_take(struct shunt_queue *queue)
{
    const struct shunt_due first = queue->due[0], last = queue->due[--queue->count];
    if (queue->count > 0)
        sink(queue, last);
    return first;
}

void shunt_queue_clear(struct shunt_queue *queue)
{
    free(queue->due);
    *queue = (struct shunt_queue){0};
}
