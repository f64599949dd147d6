/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c: sorted rows, each growing at its end, and a binary heap in an array for what fits none
 * of them. */
#include "model/queue.h"

#include <stdlib.h>
#include <string.h>

enum { HEAP = SHUNT_QUEUE_ROWS };

static bool grow(struct shunt_due **due, size_t *capacity)
{
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    struct shunt_due *larger = realloc(*due, wanted * sizeof *larger);
    if (!larger)
        return false;
    *due = larger;
    *capacity = wanted;
    return true;
}

/* Behind the last one of a row, whose taken ones make room first. */
static bool append(struct shunt_queue_row *row, const struct shunt_due *due)
{
    if (row->end == row->capacity && row->begin > row->end / 2) {
        row->end -= row->begin;
        memmove(row->due, row->due + row->begin, row->end * sizeof *row->due);
        row->begin = 0;
    }
    if (row->end == row->capacity && !grow(&row->due, &row->capacity))
        return false;
    row->due[row->end++] = *due;
    return true;
}

/* Up from the end of the heap to its place. */
static bool rise(struct shunt_queue *queue, const struct shunt_due *due)
{
    if (queue->heap_count == queue->heap_capacity && !grow(&queue->heap, &queue->heap_capacity))
        return false;
    size_t at = queue->heap_count++;
    for (; at > 0 && shunt_due_before(due, &queue->heap[(at - 1) / 2]); at = (at - 1) / 2)
        queue->heap[at] = queue->heap[(at - 1) / 2];
    queue->heap[at] = *due;
    return true;
}

/* Puts `due` where the first one of the heap was, and then down to its place. */
static void sink(struct shunt_queue *queue, struct shunt_due due)
{
    size_t at = 0;
    for (size_t child = 1; child < queue->heap_count; child = 2 * at + 1) {
        if (child + 1 < queue->heap_count &&
            shunt_due_before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (!shunt_due_before(&queue->heap[child], &due))
            break;
        queue->heap[at] = queue->heap[child];
        at = child;
    }
    queue->heap[at] = due;
}

/* The row that ends latest of those that end before `due`, else an empty one, else the heap. */
static int place_of(const struct shunt_queue *queue, const struct shunt_due *due)
{
    const struct shunt_due *latest = NULL;
    int place = HEAP;
    for (int i = 0; i < SHUNT_QUEUE_ROWS; i++) {
        const struct shunt_queue_row *row = &queue->row[i];
        if (row->begin == row->end) {
            place = place == HEAP ? i : place;
            continue;
        }
        const struct shunt_due *last = &row->due[row->end - 1];
        if (shunt_due_before(last, due) && (!latest || shunt_due_before(latest, last))) {
            latest = last;
            place = i;
        }
    }
    return place;
}

int shunt_queue_put(struct shunt_queue *queue, struct shunt_due due)
{
    const int place = place_of(queue, &due);
    if (!(place == HEAP ? rise(queue, &due) : append(&queue->row[place], &due)))
        return -1;
    if (queue->count++ == 0 || shunt_due_before(&due, shunt_queue_first(queue)))
        queue->first = place;
    return 0;
}

/* Where the first one is, once it was taken. */
static void find_first(struct shunt_queue *queue)
{
    const struct shunt_due *first = queue->heap_count > 0 ? queue->heap : NULL;
    queue->first = HEAP;
    for (int i = 0; i < SHUNT_QUEUE_ROWS; i++) {
        const struct shunt_queue_row *row = &queue->row[i];
        if (row->begin == row->end || (first && shunt_due_before(first, &row->due[row->begin])))
            continue;
        first = &row->due[row->begin];
        queue->first = i;
    }
}

struct shunt_due shunt_queue_take(struct shunt_queue *queue)
{
    const struct shunt_due due = *shunt_queue_first(queue);
    queue->count--;
    if (queue->first == HEAP) {
        const struct shunt_due last = queue->heap[--queue->heap_count];
        if (queue->heap_count > 0)
            sink(queue, last);
    } else {
        struct shunt_queue_row *row = &queue->row[queue->first];
        if (++row->begin == row->end)
            row->begin = row->end = 0;
    }
    find_first(queue);
    return due;
}

void shunt_queue_clear(struct shunt_queue *queue)
{
    for (int i = 0; i < SHUNT_QUEUE_ROWS; i++)
        free(queue->row[i].due);
    free(queue->heap);
    *queue = (struct shunt_queue){0};
}
