/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h: what is measured: one operation with one distribution of sizes (a case), and the
 * candidates that it is called with: the library's own, algorithms, and a lower bound. Everything
 * is collective over the ranks that measure, and equal on all of them where it tells something.
 */
#ifndef SHUNT_MEASURE_EXCHANGE_H
#define SHUNT_MEASURE_EXCHANGE_H

#include "comm/comm.h"
#include "tools/measure/distribution.h"
#include "tools/measure/facts.h"
#include "tools/measure/statistics.h"

/* The ranks that measure together: all, or those of a layout. */
struct measure_world {
    MPI_Comm comm;
    int rank, size;                    /* there */
    uint64_t seed;                     /* of sizes, and of the order of calls */
    const struct measure_facts *facts; /* not owned */
};

struct measure_case {
    enum shunt_op op;
    const struct measure_world *world;
    const struct measure_distribution *distribution;
    int64_t block;   /* S, as asked for */
    int64_t largest; /* of any rank */
    double mean;     /* bytes per block, over all ranks */
    int *send_counts, *send_displs, *recv_counts,
        *recv_displs; /* arrays of P, bytes; one allocation, at send_counts */
    size_t send_bytes, recv_bytes;
    char *send, *recv; /* recv: with guards before and after it */
};

/* Displacements are ints. False with one line in `diagnostic`: blocks of so many bytes do not fit.
 */
bool measure_block_fits(int64_t block, int ranks, char *diagnostic, size_t capacity);
/* The same for a file of counts, which rank 0 reads. An exit code. */
int measure_matrix_check(const struct measure_world *world, const char *path, char *diagnostic,
                         size_t capacity);

/* For what was checked as above. */
void measure_case_open(struct measure_case *c, const struct measure_world *world, enum shunt_op op,
                       const struct measure_distribution *distribution, int64_t block);
void measure_case_close(struct measure_case *c);
/* Before a call, and whether every byte is right after it. */
void measure_case_poison(struct measure_case *c);
bool measure_case_right(const struct measure_case *c);

enum measure_kind { MEASURE_NATIVE, MEASURE_ROUTED, MEASURE_LOWER_BOUND, MEASURE_AS_IS };

struct measure_candidate {
    enum measure_kind kind;
    const char *text;        /* MEASURE_ROUTED: "parlogna:radix=sqrt(P)", not owned */
    int number;              /* likewise: its place among those that were asked for */
    struct shunt_comm *comm; /* likewise; closed with shunt_comm_close */
};

enum { MEASURE_CANDIDATE_ROOM = 64 + 128 };

/* What became of one candidate in one case. Figures are rank 0's. */
struct measure_result {
    const struct measure_candidate *candidate;
    char name[64], params[128];
    char text[MEASURE_CANDIDATE_ROOM]; /* both, as --algorithm and SHUNT_FORCE take them */
    char reason[200];                  /* why it was not measured, or "" */
    int64_t wrong;                     /* calls of any rank with a wrong byte */
    double *seconds; /* array of repetitions: maximum over ranks of the time of one call */
    struct measure_interval time, speedup,
        lower_bound; /* speed-up against native; time in units of the lower bound */
    double phases[SHUNT_PHASE_COUNT]; /* seconds per call, mean over ranks */
};

/* Routed as the table says. `text`, `table`: stay until it is closed. */
void measure_candidate_open(struct measure_candidate *candidate, const struct measure_world *world,
                            const char *text, const struct shunt_table *table);
/* Name, parameters, and whether candidates[index] can be measured in this case (else the reason:
 * one of those before it may be the same here). */
bool measure_candidate_fits(const struct measure_case *c,
                            const struct measure_candidate *candidates, int index,
                            struct measure_result *result);
/* Whether it really runs (after a first call), and does not fall back; else the reason. */
bool measure_candidate_runs(const struct measure_case *c, struct measure_result *result);
void measure_candidate_call(const struct measure_candidate *candidate,
                            const struct measure_case *c);
/* Seconds of so many calls back to back, after a barrier: of this rank. */
double measure_candidate_time(const struct measure_candidate *candidate,
                              const struct measure_case *c, int calls);

/* lower_bound.c: the least an exchange through shared memory has to do: one barrier, each byte
 * copied once in and once out. One at a time. */
bool measure_lower_bound_open(const struct measure_case *c);
void measure_lower_bound_close(void);
void measure_lower_bound_call(const struct measure_case *c);

#endif
