/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c: what the ranks of a context told each other: who is on which node, and how crowded
 * that is. */
#include <stdlib.h>

#include "communicator/make_context.h"

struct keyed_rank {
    uint64_t node;
    int rank;
};

static int by_node_then_rank(const void *left, const void *right)
{
    const struct keyed_rank *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Fills first_of. Returns how many ranks are on this one's node, 0: no memory; *shared: some node
 * has two. */
static int find_nodes(struct shunt_context *context, const struct shunt_context_record *records,
                      bool *shared)
{
    struct keyed_rank *sorted = malloc((size_t)context->size * sizeof *sorted);
    int here = 0;
    if (!sorted)
        return 0;
    for (int p = 0; p < context->size; p++)
        sorted[p] = (struct keyed_rank){records[p].node, p};
    qsort(sorted, (size_t)context->size, sizeof *sorted, by_node_then_rank);
    int first = 0;
    *shared = false;
    for (int i = 0; i < context->size; i++) {
        if (i == 0 || sorted[i].node != sorted[i - 1].node)
            first = sorted[i].rank;
        else
            *shared = true;
        context->first_of[sorted[i].rank] = first;
        here += sorted[i].node == records[context->rank].node;
    }
    free(sorted);
    return here;
}

/* Ranks may be bound to processors, each to its own or several to the same. */
static bool is_oversubscribed(const struct shunt_context *context,
                              const struct shunt_context_record *records, int here)
{
    const int me = context->rank;
    const struct shunt_seat *mine = &records[me].seat;
    int processors = mine->processors, ranks = here > mine->ranks_here ? here : mine->ranks_here;
    for (int p = 0, last = mine->processor; p < context->size; p++) {
        const struct shunt_seat *seat = &records[p].seat;
        if (records[p].node != records[me].node || seat->processor == last)
            continue;
        processors += seat->processors; /* bound elsewhere than the one before */
        last = seat->processor;
    }
    return ranks > processors;
}

/* What all ranks told each other, so that all find the same. False: no memory. */
static bool find_crowded(struct shunt_context *context, const struct shunt_context_record *records)
{
    struct shunt_seat *seats = malloc((size_t)context->size * sizeof *seats);
    if (!seats)
        return false;
    for (int p = 0; p < context->size; p++)
        seats[p] = records[p].seat;
    context->crowded = shunt_seats_crowded(seats, context->size);
    free(seats);
    return true;
}

/* False: no memory. */
static bool find_neighbours(struct shunt_context *context, int here)
{
    const int first = context->first_of[context->rank];
    context->neighbours = malloc((size_t)here * sizeof *context->neighbours);
    if (!context->neighbours)
        return false;
    context->here = 0;
    for (int p = first; p < context->size && context->here < here; p++)
        if (context->first_of[p] == first)
            context->neighbours[context->here++] = p;
    return true;
}

void shunt_context_read_records(struct shunt_context_draft *draft)
{
    struct shunt_context *context = draft->context;
    draft->here = find_nodes(context, draft->records, &draft->shared);
    draft->offer = draft->records[context->first_of[context->rank]].offer;
    context->oversubscribed = is_oversubscribed(context, draft->records, draft->here);
    if (!find_crowded(context, draft->records) || draft->here == 0 ||
        !find_neighbours(context, draft->here))
        draft->here = 0;
    free(draft->records);
    draft->records = NULL;
}
