/* SPDX-License-Identifier: BSD-3-Clause */
/* graph_make.c: graphs of any size to find paths in, and a file format for them. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define SOURCE 8.0 /* steps of the shortest rivers */
#define LONGEST 64 /* of all but the long one */

static void edge(struct graph *graph, uint64_t from, uint64_t to)
{
    graph->edges[graph->count++] = pair_make((uint32_t)from, (uint32_t)to);
}

/* A chain of so many steps, from a new vertex on. About a quarter of its vertices have an arm
 * beside them: another vertex between the same neighbours. The edges are ascending. */
static void river(struct graph *graph, uint64_t steps, uint64_t *random)
{
    uint64_t at = graph->nodes++;
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t next = graph->nodes++;
        edge(graph, at, next);
        if (i + 1 < steps && random_below(random, 3) == 0) {
            uint64_t arm = graph->nodes++, mouth = graph->nodes++;
            edge(graph, at, arm);
            edge(graph, next, mouth);
            edge(graph, arm, mouth);
            next = mouth;
            i++;
        }
        at = next;
    }
}

int graph_make(struct graph *graph, uint64_t edges, uint64_t seed)
{
    *graph = (struct graph){0};
    uint64_t random = hash64(seed), longest = (uint64_t)(5.8 * sqrt((double)edges));
    if (longest > edges / 2)
        longest = edges / 2;
    size_t room = (size_t)edges + 3 * (size_t)LONGEST; /* the last river may go beyond the number */
    graph->edges = malloc(room * sizeof *graph->edges);
    if (!graph->edges)
        return -1;
    river(graph, longest, &random);
    while (graph->count < edges) {
        double length = SOURCE * UINT32_MAX / (1.0 + random_below(&random, UINT32_MAX));
        river(graph, length < LONGEST ? (uint64_t)length : LONGEST, &random);
    }
    return 0;
}

int graph_write(const struct graph *graph, const char *path, char *error, size_t capacity)
{
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file,
                "%%%%MatrixMarket matrix coordinate pattern general\n%" PRIu64 " %" PRIu64 " %zu\n",
                graph->nodes, graph->nodes, graph->count);
        for (size_t i = 0; i < graph->count; i++)
            fprintf(file, "%" PRIu64 " %" PRIu64 "\n", (uint64_t)pair_from(graph->edges[i]) + 1,
                    (uint64_t)pair_to(graph->edges[i]) + 1);
        int bad = ferror(file);
        if (fclose(file) == 0 && !bad)
            return 0;
    }
    snprintf(error, capacity, "%s: cannot be written: %s; name a file in a folder with room", path,
             strerror(errno));
    return -1;
}
