/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h: what is due, earliest first: a binary heap.
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

struct shunt_queue {
    size_t count, capacity;
    struct shunt_due *due; /* array of count */
};

/* Whether a comes before b. */
bool shunt_due_before(const struct shunt_due *a, const struct shunt_due *b);

/* Returns 0, or -1 when memory is short. */
int shunt_queue_put(struct shunt_queue *queue, struct shunt_due due);
/* The first one; the queue must not be empty. */
struct shunt_due shunt_queue_take(struct shunt_queue *queue);
void shunt_queue_clear(struct shunt_queue *queue);

#endif
