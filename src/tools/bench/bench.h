/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.h: what all parts of the measuring program have in common: everything under comparison is
 * run in one job, call by call in turn.
 *
 * Ranks run the same code and differ only in what they print: rank 0 speaks. Only PMPI functions
 * are called, except by --plain.
 */
#ifndef SHUNT_BENCH_BENCH_H
#define SHUNT_BENCH_BENCH_H

#include <stdio.h>

#include "comm/comm.h"
#include "log/json.h"
#include "tools/bench/options.h"
#include "tools/bench/output.h"
#include "tools/bench/rules.h"
#include "tools/bench/statistics.h"

/* What the figures depend on; printed with them. */
struct bench_machine {
    char processor[128], library[128], date[32],
        helper[128];         /* helper: what is preloaded under UCX, or "" */
    const char *test_layout; /* SHUNT_TEST_LAYOUT, or "" */
    int processors;          /* that the ranks of rank 0's node may use */
    int nodes, ppn_min, ppn_max;
    bool oversubscribed; /* some node has more ranks than processors */
    bool groups;         /* ranks of a node are scheduling groups of their own: yields do little */
    bool yields;         /* the helper, or the library, gives the processor up while it waits */
    const char *remedy;  /* what to do that it does */
};

enum bench_kind { BENCH_NATIVE, BENCH_ROUTED, BENCH_LOWER_BOUND, BENCH_AS_IS };

struct bench_candidate {
    enum bench_kind kind;
    const struct bench_selection *selection; /* BENCH_ROUTED */
    struct shunt_comm *comm;                 /* likewise */
};

/* One operation with one distribution of sizes. */
struct bench_case {
    enum shunt_op op;
    MPI_Comm world; /* all that take part */
    const struct bench_distribution *distribution;
    int64_t block;   /* S, as asked for */
    int64_t largest; /* of any rank */
    double mean;     /* bytes per block, over all ranks */
    int *send_counts, *send_displs, *recv_counts,
        *recv_displs; /* arrays of P, bytes; one allocation, at send_counts */
    size_t send_bytes, recv_bytes;
    char *send, *recv; /* recv: with BENCH_GUARD bytes before and after it */
};
#define BENCH_GUARD ((size_t)64)

enum { BENCH_CANDIDATE_ROOM = 64 + 128 };

/* What became of one candidate in one case. Figures are rank 0's. */
struct bench_result {
    const struct bench_candidate *candidate;
    char name[64], params[128];
    char text[BENCH_CANDIDATE_ROOM]; /* both, as --algorithm and SHUNT_FORCE take them */
    char reason[200];                /* why it was not measured, or "" */
    int64_t wrong;                   /* --check: calls of any rank with a wrong byte */
    double *seconds; /* array of repetitions: maximum over ranks of the time of one call */
    struct bench_interval time, speedup,
        lower_bound; /* speed-up against native; time in units of the lower bound */
    double phases[SHUNT_PHASE_COUNT]; /* seconds per call, mean over ranks */
};

struct bench {
    struct bench_options options;
    struct bench_machine machine;
    MPI_Comm world;      /* all that take part: MPI_COMM_WORLD, or a part of it */
    int rank, size;      /* there */
    const char *command; /* the command line, for the header */
    int candidate_count, case_count, case_index;
    struct bench_candidate *candidates;
    struct bench_output csv, json, file; /* rank 0; file: of the rules */
    long json_bytes;                     /* of `json` that stay */
    struct shunt_log_text text;          /* what is to go into `json` */
    struct shunt_json writer;
    struct bench_rules rules; /* rank 0; its candidates are the selections */
    const char **selections;  /* array: their texts */
    int busy_cases, below_cases;
    bool table;   /* stdout is for people */
    bool found;   /* --check found something */
    double begin; /* for the time that is left */
};

#endif
