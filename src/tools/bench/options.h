/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: what `shunt bench` is asked to measure, from its command line. No MPI. */
#ifndef SHUNT_BENCH_OPTIONS_H
#define SHUNT_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "route/table.h"
#include "tools/common/options.h"
#include "tools/measure/distribution.h"

enum { BENCH_LIST_MOST = 64, BENCH_SELECTIONS_MOST = 256, BENCH_SELECTION_ROOM = 96 };

/* An algorithm with values for its parameters, as SHUNT_FORCE spells it: "parlogna:radix=sqrt(P)".
 */
struct bench_selection {
    char text[BENCH_SELECTION_ROOM];
    const struct shunt_algorithm *algorithm;
    struct shunt_table *force; /* for all operations that are measured and that it serves; owned */
};

struct bench_options {
    bool op[SHUNT_OP_COUNT];
    int distribution_count, block_count, selection_count;
    struct measure_distribution distributions[BENCH_LIST_MOST];
    int64_t blocks[BENCH_LIST_MOST]; /* bytes */
    struct bench_selection selections[BENCH_SELECTIONS_MOST];
    int repetitions, warm_up, inner;
    int skew; /* microseconds: most that a rank arrives late to a call */
    uint64_t seed;
    bool all; /* every algorithm that serves an operation, with its default parameters */
    bool check, lower_bound, phases, plain, paired;
    const char *csv, *json, *rules; /* file names, "-" for stdout, or NULL */
};

extern const struct shunt_subcommand shunt_subcommand_bench;

/* Options that `shunt tune` has as well; `field` is where the struct bench_options begins. */
#define BENCH_OPTION_OP(type, field, about)                                                        \
    SHUNT_VALUE("op", "LIST", type, field, bench_read_ops, about)
#define BENCH_OPTION_BLOCK(type, field, about)                                                     \
    SHUNT_VALUE("block", "LIST", type, field, bench_read_blocks, about)
#define BENCH_OPTION_DISTRIBUTION(type, field, about)                                              \
    SHUNT_VALUE("distribution", "LIST", type, field, bench_read_distributions, about)
bool bench_read_ops(struct shunt_option_value *value);
bool bench_read_blocks(struct shunt_option_value *value);
bool bench_read_distributions(struct shunt_option_value *value);

/*
 * Reads the command line; argv[0] is not looked at. False with one line in `diagnostic` when
 * something is wrong. Release with bench_options_clear in any case.
 */
bool bench_options_read(struct bench_options *options, struct shunt_words *words, int argc,
                        char **argv, char *diagnostic, size_t capacity);
void bench_options_clear(struct bench_options *options);

/* selections.c: adds what a value of --algorithm stands for: names with parameters, lists of values
 * for them, or "all". Likewise. */
bool bench_selections_add(struct bench_options *options, const char *list, char *diagnostic,
                          size_t capacity);
/* Adds "all" and makes the tables, once the operations are known. */
bool bench_selections_prepare(struct bench_options *options, char *diagnostic, size_t capacity);

#endif
