/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lab.h: where times come from: what the search for the best asks for, and what it gets. Ranks
 * that measure, samples of an earlier run, or the cost model; no MPI here.
 */
#ifndef SHUNT_TUNE_LAB_H
#define SHUNT_TUNE_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/operation.h"

enum { TUNE_BATCH_MOST = 40, TUNE_TEXT_ROOM = 96 };

/* A candidate: an MPI_Alltoallv that stays native because no rule of the table is for its size,
 * which ranks must have agreed about to know. */
#define TUNE_NATIVE_AGREED "native-agreed"

/*
 * How calls that are measured follow each other. Programs seldom have a barrier before an exchange:
 * then a rank that is done goes on to the next call while others are still in this one, which some
 * algorithms allow and others do not. So both are measured.
 */
enum tune_mode {
    TUNE_MODE_ROW,    /* back to back: many calls, without a barrier between them */
    TUNE_MODE_SINGLE, /* each call after a barrier */
    TUNE_MODE_COUNT
};

/* As files and results have it: "back-to-back", "single". */
const char *tune_mode_name(enum tune_mode mode);

/* How many calls make a sample, where a native one takes so many seconds; a single one with its
 * barrier. */
int tune_mode_calls(enum tune_mode mode, double native);

/* Parts of a cell: tells its samples apart. Those between are numbers of groups, or of rounds. */
enum tune_stage {
    TUNE_STAGE_TRIAL = 0,      /* + group */
    TUNE_STAGE_ROUND = 100,    /* + round */
    TUNE_STAGE_FINAL = 200,    /* the last few */
    TUNE_STAGE_HELD_OUT = 201, /* the winner again */
    TUNE_STAGE_THRESHOLD = 300,
    TUNE_STAGE_VALIDATE = 400,
    TUNE_STAGE_QUIET = 500 /* native alone: how quiet the machine is */
};

/* What is to be run in turn, so many times each. */
struct tune_batch {
    enum shunt_op op;
    int64_t block; /* bytes, as asked for: the largest of the distribution */
    int stage;
    int count;                               /* of candidates, 1 to TUNE_BATCH_MOST */
    const char *candidates[TUNE_BATCH_MOST]; /* as SHUNT_FORCE spells them; the first is native */
    int repetitions;
    double seconds; /* once they have passed there are no more, but MEASURE_VALUES_LEAST; 0: no
                       limit */
};

struct tune_samples {
    int count, cases, repetitions; /* cases: distributions of the sizes, each in all modes */
    int64_t largest;               /* bytes of the real largest block, which rules test */
    int calls[TUNE_MODE_COUNT];    /* in one sample */
    double each; /* seconds of a repetition with all around it; 0: nothing was measured now */
    /* Array of count * cases * repetitions, by candidate, case, repetition: seconds per call, the
     * most of any rank; INFINITY: cannot run, or hopeless. Owned: freed by tune_samples_clear. */
    double *seconds;
};

struct tune_lab {
    void *context;
    /* False: memory is short; then there is nothing to release. */
    bool (*run)(void *context, const struct tune_batch *batch, struct tune_samples *samples);
    /* Seconds until the time limit. */
    double (*left)(void *context);
};

/* The mode of a case, and its distribution. */
static inline enum tune_mode tune_case_mode(int c)
{
    return (enum tune_mode)(c % TUNE_MODE_COUNT);
}

static inline int tune_case_distribution(int c)
{
    return c / TUNE_MODE_COUNT;
}

bool tune_samples_make(struct tune_samples *samples, int count, int cases, int repetitions);
void tune_samples_clear(struct tune_samples *samples);
/* Leaves the first repetitions alone. */
void tune_samples_cut(struct tune_samples *samples, int repetitions);

static inline double *tune_samples_of(const struct tune_samples *samples, int candidate, int c)
{
    return samples->seconds + ((int64_t)candidate * samples->cases + c) * samples->repetitions;
}

#endif
