/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team.h: the ranks of one layout, which measure what their rank 0 orders. All that is decided is
 * decided there and sent to the others, so that ranks never differ.
 */
#ifndef SHUNT_TUNE_TEAM_H
#define SHUNT_TUNE_TEAM_H

#include "tools/measure/exchange.h"
#include "tools/tune/store.h"

/* A candidate that is open: it has a communicator, plans and memory. */
struct tune_member {
    char text[TUNE_TEXT_ROOM];
    struct shunt_table *table; /* that it is routed by, owned; NULL: native */
    struct measure_candidate candidate;
    bool native; /* after an agreement: TUNE_NATIVE_AGREED */
    bool fresh;  /* not called yet */
    bool failed; /* cannot run, is wrong, or hopeless: on all ranks */
};

struct tune_team {
    struct measure_world world;        /* the ranks of the team */
    const struct bench_options *asked; /* the distributions of cases */
    struct tune_place place;
    int member_count, case_count;
    struct tune_member *members[TUNE_BATCH_MOST];
    struct measure_case cases[BENCH_LIST_MOST];
    bool wrong; /* a candidate delivered a wrong byte */
    /* Rank 0: */
    const char *names[BENCH_LIST_MOST]; /* of the distributions of a batch */
    char name_text[BENCH_LIST_MOST][64];
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
 * and ends with tune_team_end. All end with tune_team_close. facts, options: stay until then.
 */
bool tune_team_open(struct tune_team *team, const struct tune_options *options,
                    const struct measure_facts *facts, const struct tune_place *place);
void tune_team_obey(struct tune_team *team);
void tune_team_end(struct tune_team *team);
void tune_team_close(struct tune_team *team);

/* Rank 0: the team as a lab. */
struct tune_lab tune_team_lab(struct tune_team *team);

/* order.c: what rank 0 has all ranks measure, and how it is measured: first calls, which may tell
 * that a candidate is hopeless, then repetitions in an order of their own each. */
struct tune_order {
    int end, op, stage, count, first, repetitions; /* first: those before it are known */
    double seconds;                                /* as in a batch */
    int64_t block;
    char texts[TUNE_BATCH_MOST][TUNE_TEXT_ROOM];
};

/* Under which its samples are in the store. */
struct tune_key tune_order_key(const struct tune_team *team, const struct tune_order *order);
/* Collective. batch, samples: rank 0's. */
void tune_order_carry_out(struct tune_team *team, const struct tune_order *order,
                          const struct tune_batch *batch, struct tune_samples *samples);

/* members.c: the candidates that are open, and the buffers that they are called with. Those of the
 * order, and no others: what is given up gives its memory back. What is held out is set up anew,
 * for some of its speed is the luck of where its memory lies. */
void tune_members_set(struct tune_team *team, const struct tune_order *order);
void tune_members_close(struct tune_team *team);
/* Bytes of the real largest block of all cases. */
int64_t tune_members_largest(const struct tune_team *team);

#endif
