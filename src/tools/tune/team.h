/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team.h: the ranks of one layout, which measure what their rank 0 orders. All that is decided is
 * decided there and sent to the others, so that ranks never differ.
 */
#ifndef SHUNT_TUNE_TEAM_H
#define SHUNT_TUNE_TEAM_H

#include "tools/bench/bench.h"
#include "tools/tune/allocation.h"
#include "tools/tune/store.h"

/* A candidate that is open: it has a communicator, plans and memory. */
struct tune_member {
    struct bench_selection selection; /* its table is owned */
    struct bench_candidate candidate;
    bool native; /* after an agreement: TUNE_NATIVE_AGREED */
    bool fresh;  /* not called yet */
    bool failed; /* cannot run, is wrong, or hopeless: on all ranks */
};

struct tune_team {
    struct bench bench; /* world, rank and size of the team; its seed */
    struct tune_place place;
    int member_count, case_count;
    struct tune_member *members[TUNE_BATCH_MOST];
    struct bench_case cases[BENCH_LIST_MOST];
    char names[BENCH_LIST_MOST][64]; /* of the distributions of these cases */
    bool wrong;                      /* a candidate delivered a wrong byte */
    /* Rank 0: */
    struct tune_store *store;
    double deadline;               /* by shunt_clock */
    void (*before)(void *context); /* each batch: for progress */
    void (*after)(void *context, const struct tune_batch *batch,
                  const struct tune_samples *samples); /* likewise */
    void *context;
};

/*
 * Collective over MPI_COMM_WORLD. Ranks that take no part rest until those that do are done; true:
 * this rank takes part. The others do what they are told by tune_team_obey; rank 0 uses the lab,
 * and ends with tune_team_end. All end with tune_team_close.
 */
bool tune_team_open(struct tune_team *team, const struct tune_options *options,
                    const struct tune_allocation *allocation, const struct tune_place *place);
void tune_team_obey(struct tune_team *team);
void tune_team_end(struct tune_team *team);
void tune_team_close(struct tune_team *team);

/* Rank 0: the team as a lab. */
struct tune_lab tune_team_lab(struct tune_team *team);

#endif
