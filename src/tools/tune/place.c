/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: see place.h. */
#include "tools/tune/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tune_place_same(const struct tune_place *a, const struct tune_place *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void tune_place_print(const struct tune_place *place, char *text, size_t capacity)
{
    if (place->ppn_min == place->ppn_max)
        snprintf(text, capacity, "%dx%d", place->nodes, place->ppn_max);
    else
        snprintf(text, capacity, "%dx%d-%d", place->nodes, place->ppn_min, place->ppn_max);
}

struct tune_place tune_place_whole(const struct measure_nodes *job)
{
    return (struct tune_place){job->ranks, job->count, job->ppn_min, job->ppn_max};
}

bool tune_place_part(const struct measure_nodes *job, int nodes, int ppn, struct tune_place *place)
{
    int enough = 0;
    for (int node = 0; node < job->count; node++)
        enough += job->ppn[node] >= ppn;
    if (enough < nodes || job->ppn[0] < ppn)
        return false;
    *place = (struct tune_place){nodes * ppn, nodes, ppn, ppn};
    return true;
}

/* 1, 2, 4, ... and the most. */
static int next_of(int number, int most)
{
    return number == most ? most + 1 : 2 * number < most ? 2 * number : most;
}

static int add(struct tune_place *places, int count, const struct tune_place *place)
{
    for (int i = 0; i < count; i++)
        if (tune_place_same(&places[i], place))
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

bool tune_place_list(const struct measure_nodes *job, const struct tune_options *options,
                     struct tune_place *places, int *count, char *diagnostic, size_t capacity)
{
    struct tune_place place = tune_place_whole(job);
    *count = 0;
    if (options->layout_count == 0)
        *count = add(places, *count, &place);
    for (int n = 1; options->all_layouts && n <= job->count; n = next_of(n, job->count))
        for (int q = 1; q <= job->ppn_max; q = next_of(q, job->ppn_max))
            if (tune_place_part(job, n, q, &place))
                *count = add(places, *count, &place);
    for (int i = 0; i < options->layout_count; i++) {
        if (!tune_place_part(job, options->layouts[i].nodes, options->layouts[i].ppn, &place)) {
            snprintf(diagnostic, capacity,
                     "--layout: %dx%d is not to be had from %d ranks on %d nodes of %d to %d, the "
                     "first of %d",
                     options->layouts[i].nodes, options->layouts[i].ppn, job->ranks, job->count,
                     job->ppn_min, job->ppn_max, job->ppn[0]);
            return false;
        }
        *count = add(places, *count, &place);
    }
    qsort(places, (size_t)*count, sizeof *places, descending);
    return true;
}

bool tune_place_takes(const struct measure_nodes *job, const struct tune_place *place, int rank)
{
    int before = 0; /* nodes that have enough */
    if (place->ranks == job->ranks)
        return true;
    for (int node = 0; node < job->node_of[rank]; node++)
        before += job->ppn[node] >= place->ppn_max;
    return job->ppn[job->node_of[rank]] >= place->ppn_max && before < place->nodes &&
           job->local_of[rank] < place->ppn_max;
}

bool tune_place_layout(const struct measure_nodes *job, const struct tune_place *place,
                       bool oversubscribed, struct shunt_layout *layout)
{
    int count = 0;
    int *keys = calloc((size_t)job->ranks, sizeof *keys);
    for (int rank = 0; keys && rank < job->ranks; rank++)
        if (tune_place_takes(job, place, rank))
            keys[count++] = job->node_of[rank];
    const bool made = keys && shunt_layout_from_keys(layout, count, keys) == 0;
    free(keys);
    if (made)
        layout->oversubscribed = oversubscribed;
    return made;
}
