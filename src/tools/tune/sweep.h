/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep.h: all sizes of one operation on one layout: the winner of each, the thresholds between
 * them, and the rules that follow. No MPI.
 */
#ifndef SHUNT_TUNE_SWEEP_H
#define SHUNT_TUNE_SWEEP_H

#include "route/table.h"
#include "tools/tune/cell.h"
#include "tools/tune/place.h"

/* What was won below ends at `low`; what is won above begins at `high`. */
struct tune_gap {
    struct tune_size low, high;
    bool native; /* between them native was found to be best */
};

/* Near enough: the upper size is no more than this times the lower one. */
#define TUNE_NEAR 1.25

/*
 * Narrows the gap, with at most `steps` sizes looked at: the middle in proportion each time.
 * decide: tells for a size, and sets its `largest`.
 */
void tune_threshold(struct tune_gap *gap, int steps,
                    enum tune_side (*decide)(void *context, struct tune_size *size), void *context);

struct tune_sweep {
    enum shunt_op op;
    struct tune_place place;
    int count;                       /* of sizes */
    int64_t blocks[BENCH_LIST_MOST]; /* bytes, ascending */
    double weights[BENCH_LIST_MOST]; /* of the time; all 1, or the time that an application spent */
    struct tune_outcome outcomes[BENCH_LIST_MOST];
    struct tune_gap gaps[BENCH_LIST_MOST]; /* between a size and the next one */
};

/* A rule, with its evidence. */
struct tune_rule {
    enum shunt_op op;
    struct tune_place place;
    char text[TUNE_TEXT_ROOM];
    struct shunt_range block; /* bytes, of the real largest block */
    struct measure_interval gain,
        most;            /* of the sizes: the one with the least low end; the greatest */
    enum tune_mode mode; /* of `gain` */
    int sizes, pairs;    /* pairs: of held-out calls, all sizes together */
};

/* The candidates for a size, native first. False when memory is short. */
typedef bool (*tune_nominate)(void *context, const struct tune_sweep *sweep, int64_t block,
                              struct tune_entries *entries);
/* Told of each size once it is decided: for progress; NULL: nobody is. */
typedef void (*tune_told)(void *context, const struct tune_sweep *sweep, int index);

/* Runs the sweep with about so many seconds. What there is no time for stays not measured. False
 * when memory is short. */
bool tune_sweep_run(struct tune_sweep *sweep, const struct tune_lab *lab, double budget,
                    tune_nominate nominate, tune_told told, void *context);

/* The rules, ascending; rules: array of sweep->count. Returns how many. */
int tune_sweep_rules(const struct tune_sweep *sweep, struct tune_rule *rules);

#endif
