/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h: reads directed graphs for tests/apps/paths. No MPI.
 */
#ifndef SHUNT_TESTS_GRAPH_H
#define SHUNT_TESTS_GRAPH_H

#include <stddef.h>
#include <stdint.h>

/* A pair of vertices in one integer: an edge, or a path from one to the other. The pair with all
 * bits set is never used. */
typedef uint64_t pair_t;

static inline pair_t pair_make(uint32_t from, uint32_t to)
{
    return (pair_t)from << 32 | to;
}

static inline uint32_t pair_from(pair_t pair)
{
    return (uint32_t)(pair >> 32);
}

static inline uint32_t pair_to(pair_t pair)
{
    return (uint32_t)pair;
}

/* A bijection on 64 bits in which every input bit reaches every output bit (the finaliser of
 * splitmix64). */
static inline uint64_t hash64(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

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
