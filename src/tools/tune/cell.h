/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.h: the best algorithm for one operation at one size on one layout: trial, rounds of
 * halving, the last few, and the winner once more. No MPI.
 */
#ifndef SHUNT_TUNE_CELL_H
#define SHUNT_TUNE_CELL_H

#include "tools/measure/statistics.h"
#include "tools/tune/lab.h"

/* A candidate. The first one of each list is native. */
struct tune_entry {
    char text[TUNE_TEXT_ROOM]; /* as SHUNT_FORCE spells it */
    int simplicity;            /* less is simpler; native: 0 */
    double predicted;          /* seconds by the model; INFINITY: it does not tell */
};

struct tune_entries {
    int count; /* <= TUNE_BATCH_MOST - 2 */
    struct tune_entry entry[TUNE_BATCH_MOST];
    int builtin; /* what the built-in table takes: an index, 0: native */
};

/* The place of a text in the list; -1: it is not there. */
int tune_entries_find(const struct tune_entries *entries, const char *text);

struct tune_outcome {
    bool measured;             /* false: there was no time */
    bool busy;                 /* native's times spread: see measure_busy */
    bool withdrawn;            /* something won, but not when measured again */
    char text[TUNE_TEXT_ROOM]; /* the winner: "native" */
    int simplicity;
    int64_t largest;
    struct measure_interval gain; /* held out: of samples that did not decide; native: 1 */
    enum tune_mode mode;          /* in which that gain was; the other one has a greater */
    bool loses;                   /* what a table takes is slower than native: in any mode */
    double builtin_gain;          /* of the built-in table's choice, likewise; native: 1 */
    double native;                /* seconds of a call, back to back */
    int pairs;                    /* repetitions that `gain` rests on */
};

/* The name of the mode of its gain; "-": native has none. */
const char *tune_outcome_mode(const struct tune_outcome *outcome);

/* `favourite`: what won at the size before, which wins ties; or NULL. `budget`: seconds. False when
 * memory is short. */
bool tune_cell(const struct tune_lab *lab, enum shunt_op op, int64_t block,
               const struct tune_entries *entries, const char *favourite, double budget,
               struct tune_outcome *outcome);

/* A size: as asked for, and the real largest block, which rules test; bytes. */
struct tune_size {
    int64_t block, largest;
};

enum tune_side {
    TUNE_SIDE_LOWER,  /* what won below still wins here */
    TUNE_SIDE_UPPER,  /* what wins above does */
    TUNE_SIDE_NATIVE, /* neither is faster than native */
    TUNE_SIDE_UNKNOWN /* no time to find out */
};

/* Which of two wins at a size in between; either may be native. False when memory is short. */
bool tune_between(const struct tune_lab *lab, enum shunt_op op, struct tune_size *size,
                  const struct tune_outcome *lower, const struct tune_outcome *upper, double budget,
                  enum tune_side *side);

/* About how long a cell takes at most, by the model: for --dry-run. */
double tune_cell_estimate(const struct tune_entries *entries, int distributions);

#endif
