/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h: what a points-to analysis has to know about a program, read from a file or generated,
 * and a serial analysis to compare with. No MPI.
 */
#ifndef SHUNT_TESTS_FACTS_H
#define SHUNT_TESTS_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "pairs.h"

/* Statements of a program, by what they do to pointers. p and q are variables; what p points to are
 * variables too: named ones, and one for each place that allocates. */
enum fact_kind { FACT_ADDRESS, FACT_COPY, FACT_LOAD, FACT_STORE, FACT_KINDS };

/* Their names in files: p = &q, p = q, p = *q, *p = q; each is followed by the numbers of p and q.
 */
#define FACT_NAMES                                                                                 \
    {                                                                                              \
        "address", "copy", "load", "store"                                                         \
    }

#define VARIABLE_MAX (UINT32_MAX / 2 - 1)

struct facts {
    struct list of[FACT_KINDS]; /* pairs (p, q), ascending, each once */
    uint64_t variables;         /* one more than the largest number */
};

/*
 * Reads a file with a fact per line, such as "load 12 7"; what follows # is a comment. Returns 0,
 * or -1 with a message (file, line, what is wrong, what to do) in `error`.
 */
int facts_read(struct facts *facts, const char *path, char *error, size_t capacity);

/*
 * Makes the facts of a program of so many functions (the same for the same seed on every machine):
 * in modules whose functions call the next one and others ahead, with parameters, results, local
 * variables and objects; a parameter that all of a module hand on, which few of them store into or
 * load from; and some functions that all modules call. Returns 0, or -1 when memory is short.
 */
int facts_make(struct facts *facts, uint64_t functions, uint64_t seed);

/* Writes a file that facts_read reads. Returns 0, or -1 with a message in `error`. */
int facts_write(const struct facts *facts, const char *path, char *error, size_t capacity);

/* Adds one; 0, or -1 when memory is short. facts_sort puts them in order, when all are there. */
int facts_add(struct facts *facts, enum fact_kind kind, uint32_t p, uint32_t q);
void facts_sort(struct facts *facts);
void facts_clear(struct facts *facts);

/* What an analysis is compared by. */
struct answer {
    uint64_t points;   /* pairs (p, x): p may point to x */
    uint64_t edges;    /* pairs (q, p): whatever q points to, p may point to; copies and derived */
    uint64_t checksum; /* sum of hash64 over both, edges with FACT_EDGE, modulo 2^64 */
};

/* Tells an edge from a pair of the first kind. */
#define FACT_EDGE (UINT64_C(1) << 63)

/* The answer by a worklist, one fact after the other. Returns 0, or -1 when memory is
 * short. */
int facts_solve(const struct facts *facts, struct answer *answer);

#endif
