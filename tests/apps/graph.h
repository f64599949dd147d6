/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h: reads directed graphs for tests/apps/paths. No MPI.
 */
#ifndef SHUNT_TESTS_GRAPH_H
#define SHUNT_TESTS_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "pairs.h"

#define VERTEX_MAX (UINT32_MAX - 1)

struct graph {
    pair_t *edges; /* ascending, each once; owned */
    size_t count;
    uint64_t nodes; /* Matrix Market: rows of the matrix; edge list: vertices that occur */
};

/*
 * Reads a Matrix Market file (told by its first line) or an edge list: "u v" per line, numbers 0 ..
 * VERTEX_MAX; what follows # or % is a comment. Returns 0, or -1 with a message (file, line, what
 * is wrong, what to do) in `error`.
 */
int graph_read(struct graph *graph, const char *path, char *error, size_t capacity);
void graph_clear(struct graph *graph);

/*
 * Makes a graph of about `edges` edges (at least 4; the same for the same seed on every machine):
 * one long river and many shorter ones, most of them a few vertices long, without a way between
 * them. A river is a chain with arms beside it that are no shorter. The long one has 5.8
 * sqrt(edges) steps: with a million edges, paths are found in 5,800 iterations, as many as the
 * graph of the HPDC'25 paper takes; they are about 35 for each edge, few in each of the late
 * iterations. Returns 0, or -1 when memory is short.
 */
int graph_make(struct graph *graph, uint64_t edges, uint64_t seed);

/* Writes a Matrix Market file (pattern, general) with 1 for vertex 0. Returns 0, or -1 with a
 * message in `error`. */
int graph_write(const struct graph *graph, const char *path, char *error, size_t capacity);

/* What a transitive closure is compared by. */
struct closure {
    uint64_t paths;
    uint64_t iterations; /* length in edges of the longest of all shortest paths; 0 without edges */
    /* sum of hash64(pair) over all paths, modulo 2^64: does not depend on order */
    uint64_t checksum;
};

/* The closure by a breadth-first search from every vertex. Returns 0, or -1 when memory is short.
 */
int graph_closure(const struct graph *graph, struct closure *closure);

#endif
