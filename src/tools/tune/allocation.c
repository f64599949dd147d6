/* SPDX-License-Identifier: BSD-3-Clause */
/* allocation.c: see allocation.h. */
#include "tools/tune/allocation.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bench/fail.h"

static void count_nodes(struct tune_allocation *a)
{
    a->ppn = bench_need(calloc((size_t)a->ranks + 1, sizeof *a->ppn));
    for (int rank = 0; rank < a->ranks; rank++) {
        a->nodes = a->node_of[rank] >= a->nodes ? a->node_of[rank] + 1 : a->nodes;
        a->local_of[rank] = a->ppn[a->node_of[rank]]++;
    }
    a->ppn_min = a->ppn_max = a->ppn[0];
    for (int node = 0; node < a->nodes; node++) {
        a->ppn_min = a->ppn[node] < a->ppn_min ? a->ppn[node] : a->ppn_min;
        a->ppn_max = a->ppn[node] > a->ppn_max ? a->ppn[node] : a->ppn_max;
    }
}

static void make_room(struct tune_allocation *a, int ranks)
{
    *a = (struct tune_allocation){.ranks = ranks};
    a->node_of = bench_need(calloc((size_t)ranks, sizeof *a->node_of));
    a->local_of = bench_need(calloc((size_t)ranks, sizeof *a->local_of));
}

void tune_allocation_find(struct tune_allocation *a)
{
    int rank = 0, ranks = 1, first = 0, known = 0;
    MPI_Comm node;
    bench_must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    bench_must(PMPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    make_room(a, ranks);
    bench_must(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
               "MPI_Comm_split_type");
    bench_must(PMPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
    bench_must(PMPI_Comm_free(&node), "MPI_Comm_free");
    int *firsts = bench_need(calloc((size_t)ranks, sizeof *firsts));
    bench_must(PMPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD),
               "MPI_Allgather");
    /* From the first rank of a node to the number of the node: it comes before the others. */
    for (int i = 0; i < ranks; i++)
        a->node_of[i] = firsts[i] == i ? known++ : a->node_of[firsts[i]];
    free(firsts);
    count_nodes(a);
}

void tune_allocation_make(struct tune_allocation *a, int nodes, int ppn)
{
    make_room(a, nodes * ppn);
    for (int i = 0; i < a->ranks; i++)
        a->node_of[i] = i / ppn;
    count_nodes(a);
}

void tune_allocation_clear(struct tune_allocation *a)
{
    free(a->node_of);
    free(a->local_of);
    free(a->ppn);
    *a = (struct tune_allocation){0};
}

struct tune_place tune_allocation_whole(const struct tune_allocation *a)
{
    return (struct tune_place){a->ranks, a->nodes, a->ppn_min, a->ppn_max};
}

bool tune_allocation_part(const struct tune_allocation *a, int nodes, int ppn,
                          struct tune_place *place)
{
    int enough = 0;
    for (int node = 0; node < a->nodes; node++)
        enough += a->ppn[node] >= ppn;
    *place = (struct tune_place){nodes * ppn, nodes, ppn, ppn};
    return enough >= nodes && a->ppn[0] >= ppn;
}

/* 1, 2, 4, ... and the most. */
static int next_of(int number, int most)
{
    return number == most ? most + 1 : 2 * number < most ? 2 * number : most;
}

static int add(struct tune_place *places, int count, const struct tune_place *place)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&places[i], place, sizeof *place) == 0)
            return count;
    if (count < TUNE_LAYOUTS_MOST && place->ranks > 1)
        places[count++] = *place;
    return count;
}

static int descending(const void *a, const void *b)
{
    const struct tune_place *x = a, *y = b;
    if (x->ranks != y->ranks)
        return x->ranks > y->ranks ? -1 : 1;
    return (x->nodes < y->nodes) - (x->nodes > y->nodes);
}

bool tune_allocation_places(const struct tune_allocation *a, const struct tune_options *options,
                            struct tune_place *places, int *count, char *diagnostic,
                            size_t capacity)
{
    struct tune_place place = tune_allocation_whole(a);
    *count = 0;
    if (options->layout_count == 0)
        *count = add(places, *count, &place);
    for (int n = 1; options->all_layouts && n <= a->nodes; n = next_of(n, a->nodes))
        for (int q = 1; q <= a->ppn_max; q = next_of(q, a->ppn_max))
            if (tune_allocation_part(a, n, q, &place))
                *count = add(places, *count, &place);
    for (int i = 0; i < options->layout_count; i++) {
        if (!tune_allocation_part(a, options->layouts[i].nodes, options->layouts[i].ppn, &place)) {
            snprintf(diagnostic, capacity,
                     "--layout: %dx%d is not to be had from %d ranks on %d nodes of %d to %d, the "
                     "first of %d",
                     options->layouts[i].nodes, options->layouts[i].ppn, a->ranks, a->nodes,
                     a->ppn_min, a->ppn_max, a->ppn[0]);
            return false;
        }
        *count = add(places, *count, &place);
    }
    qsort(places, (size_t)*count, sizeof *places, descending);
    return true;
}

bool tune_allocation_takes(const struct tune_allocation *a, const struct tune_place *place,
                           int rank)
{
    int before = 0; /* nodes that have enough */
    if (place->ranks == a->ranks)
        return true;
    for (int node = 0; node < a->node_of[rank]; node++)
        before += a->ppn[node] >= place->ppn_max;
    return a->ppn[a->node_of[rank]] >= place->ppn_max && before < place->nodes &&
           a->local_of[rank] < place->ppn_max;
}

bool tune_allocation_layout(const struct tune_allocation *a, const struct tune_place *place,
                            struct shunt_layout *layout)
{
    int count = 0;
    int *keys = calloc((size_t)a->ranks, sizeof *keys);
    for (int rank = 0; keys && rank < a->ranks; rank++)
        if (tune_allocation_takes(a, place, rank))
            keys[count++] = a->node_of[rank];
    const bool made = keys && shunt_layout_from_keys(layout, count, keys) == 0;
    free(keys);
    if (made)
        layout->oversubscribed = a->oversubscribed;
    return made;
}
