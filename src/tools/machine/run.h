/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h: what all parts of `shunt machine` have in common: who measures, how ranks wait for each
 * other, and how much time there is.
 *
 * Ranks are numbered anew: node by node, the one with the most ranks first (of several, that of
 * rank 0). Rank 0 of that order leads: it is an end of every measurement, decides how often things
 * are repeated, and has the results. Whoever has no part in a step sleeps, for MPI libraries spin
 * while they wait, and would take processors and caches from those who measure.
 *
 * Only PMPI functions are called: no preloaded library changes what is measured.
 */
#ifndef SHUNT_TOOLS_MACHINE_RUN_H
#define SHUNT_TOOLS_MACHINE_RUN_H

#include <mpi.h>

#include "model/machine.h"
#include "tools/bench/bench.h"
#include "tools/machine/fit.h"
#include "tools/machine/options.h"
#include "tools/machine/results.h"

enum { MACHINE_HOST_ROOM = 256, MACHINE_REQUESTS_MOST = 256 };

struct machine_run {
    struct machine_options options;
    struct bench_machine facts;
    char host[MACHINE_HOST_ROOM];   /* of the leader */
    char hosts[MACHINE_HOST_ROOM];  /* a pattern for all of them, or "" */
    MPI_Comm all;                   /* everybody, in the new order */
    MPI_Comm node;                  /* the ranks of this node, likewise */
    int rank, size;                 /* in `all` */
    int nodes, index;               /* of them; this rank's */
    int local, ppn;                 /* this rank's number on its node; ranks of the node */
    int *first;                     /* array of nodes + 1: the first rank of each */
    int processors;                 /* of the first node that its ranks may use, whole ones */
    int running;                    /* most processes of others that were running on a node */
    int sharing;                    /* nodes in a row that are one machine, at least 1 */
    bool yields;                    /* ranks give the processor up while they wait */
    bool bound;                     /* the launcher gave every rank processors of its own */
    int step, steps;                /* of the measurement, for the time and for people */
    double begin;                   /* when it began */
    struct machine_results results; /* the leader's */
};

/* How often one thing is measured, as the leader tells the others. */
struct machine_plan {
    int64_t size;         /* bytes, messages or ranks */
    int32_t count, inner; /* samples, and repetitions in each; count 0: that was all */
};
enum { MACHINE_SAMPLES_LEAST = 9, MACHINE_SAMPLES_MOST = 201 };

/* Collective: communicators, processors, hosts, what else is running. False, on all ranks, with one
 * line in `diagnostic` when there is nothing to measure. */
bool machine_run_open(struct machine_run *run, char *diagnostic, size_t capacity);
void machine_run_close(struct machine_run *run);

/* Ranks on the first node. */
static inline int machine_run_home(const struct machine_run *run)
{
    return run->first[1];
}

/* Waits for all ranks of the communicator, asleep but for a look now and then. */
void machine_rest(MPI_Comm comm);

/* Collective: the next step; waits asleep until everybody is there. */
void machine_step(struct machine_run *run, const char *what);
/* Seconds that each of `parts` parts of this step may take. The leader's. */
double machine_share(const struct machine_run *run, int parts);

/* How often to measure something that takes `seconds`, in `share` seconds: samples are long enough
 * for the clock. */
struct machine_plan machine_plan_make(int64_t size, double seconds, double share);

/* Blocking, and yielding where that is needed; of MACHINE_REQUESTS_MOST requests at most. */
void machine_send(const struct machine_run *run, const void *bytes, int64_t count, int rank);
void machine_receive(const struct machine_run *run, void *bytes, int64_t count, int rank);
void machine_wait(const struct machine_run *run, int count, MPI_Request *requests);
void machine_meet(const struct machine_run *run, MPI_Comm comm);
/* From rank 0 of the communicator to all. */
void machine_tell(const struct machine_run *run, MPI_Comm comm, void *bytes, int count);
/* Sleeps. */
void machine_pause(double seconds);

/* Adds a sample, or ends the job when memory is short. */
void machine_add(struct machine_samples *samples, double value);

#endif
