/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: what `shunt bench` is asked to measure, from its command line. No MPI. */
#ifndef SHUNT_BENCH_OPTIONS_H
#define SHUNT_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "route/table.h"
#include "tools/bench/distribution.h"

enum { BENCH_LIST_MOST = 64, BENCH_CANDIDATES_MOST = 256, BENCH_CANDIDATE_ROOM = 96 };

/* An algorithm with values for its parameters, as SHUNT_FORCE spells it: "parlogna:radix=sqrt(P)". */
struct bench_candidate {
    char text[BENCH_CANDIDATE_ROOM];
    const struct shunt_algorithm *algorithm;
    struct shunt_table *force; /* for all operations that are measured and that it serves; owned */
};

struct bench_options {
    bool op[SHUNT_OP_COUNT];
    int distribution_count, block_count, candidate_count;
    struct bench_distribution distributions[BENCH_LIST_MOST];
    int64_t blocks[BENCH_LIST_MOST]; /* bytes */
    struct bench_candidate candidates[BENCH_CANDIDATES_MOST];
    int repetitions, warm_up, inner;
    int skew; /* microseconds: most that a rank comes late to a call */
    uint64_t seed;
    bool all; /* every algorithm that serves an operation, with its default parameters */
    bool check, floor, phases, plain, paired;
    const char *csv, *json; /* file names, "-" for stdout, or NULL */
};

/*
 * Reads the command line; argv[0] is not looked at. False with one line in `problem` when something is wrong. Release with
 * bench_options_clear in any case.
 */
bool bench_options_read(struct bench_options *options, int argc, char **argv, char *problem, size_t room);
void bench_options_clear(struct bench_options *options);

/* candidates.c: adds what a value of --algorithm stands for: names with parameters, lists of values for them, or "all". Likewise. */
bool bench_candidates_add(struct bench_options *options, const char *list, char *problem, size_t room);
/* Adds "all" and makes the tables, once the operations are known. */
bool bench_candidates_prepare(struct bench_options *options, char *problem, size_t room);

#endif
