/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h: what all parts of `shunt machine` have in common: who measures, how ranks wait for each
 * other, and how much time there is; and the parts.
 *
 * Ranks are numbered anew: node by node, the one with the most ranks first (of several, that of
 * rank 0). Rank 0 of that order leads: it is an end of every measurement, decides how often things
 * are repeated, and has the results. Whoever has no part in a step sleeps.
 */
#ifndef SHUNT_TOOLS_MACHINE_RUN_H
#define SHUNT_TOOLS_MACHINE_RUN_H

#include <mpi.h>

#include "tools/machine/options.h"
#include "tools/machine/results.h"
#include "tools/measure/output.h"
#include "tools/measure/program.h"

enum { MACHINE_REQUESTS_MOST = 256, MACHINE_WARNINGS_MOST = 8, MACHINE_WARNING_ROOM = 320 };

/* What makes the numbers doubtful, or a description that says less than it could. */
struct machine_warnings {
    int count;
    bool busy; /* the machine did something else meanwhile */
    char text[MACHINE_WARNINGS_MOST][MACHINE_WARNING_ROOM];
};

struct machine_run {
    struct measure_job job;
    struct machine_options options;
    MPI_Comm all;     /* everybody, in the new order */
    MPI_Comm node;    /* the ranks of this node, likewise */
    int rank, size;   /* in `all` */
    int nodes, index; /* of them; this rank's */
    int local;        /* this rank's number on its node */
    int *first;       /* array of nodes + 1, owned: the first rank of each */
    int processors;   /* of the first node that its ranks may use, whole ones */
    int running;      /* most processes of others that were running on a node */
    int sharing;      /* nodes in a row that are one machine, at least 1 */
    bool yields;      /* ranks give the processor up while they wait */
    bool bound;       /* the launcher gave every rank processors of its own */
    int step, steps;  /* of the measurement, for the time and for people */
    double begin;     /* when it began */
    /* The leader's: */
    struct machine_results results;
    struct machine_warnings warnings;
    struct measure_output output;
    struct shunt_machine energy; /* of --energy-from */
};

/* How often one thing is measured, as the leader tells the others. */
struct machine_plan {
    int64_t size;         /* bytes, messages or ranks */
    int32_t count, inner; /* samples, and repetitions in each; count 0: that was all */
};
enum { MACHINE_SAMPLES_LEAST = 9, MACHINE_SAMPLES_MOST = 201 };

/* Collective: the new order and its communicators. */
void machine_run_open(struct machine_run *run);
void machine_run_close(struct machine_run *run);

/* Ranks on the first node. */
static inline int machine_run_home(const struct machine_run *run)
{
    return run->first[1];
}

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

/* processors.c, collective: how many processors the ranks of a node may use, and who else uses
 * them. */
void machine_processors_find(struct machine_run *run);

/* native.c, of the leader: what the library says about how it chooses its own algorithms. */
void machine_native_find(struct machine_run *run);

/*
 * The parts of the measurement. Collective; the leader has the numbers and their rows afterwards.
 * Each takes so many steps.
 */

/* pairs.c: what messages between two ranks cost. No step where there is no such pair. */
int machine_pairs_steps(const struct machine_run *run, enum shunt_level level);
void machine_pairs_measure(struct machine_run *run, enum shunt_level level);

/* memory.c: what blocks cost that are copied, and that are read from a neighbour's memory. */
enum { MACHINE_MEMORY_STEPS = 2 };
void machine_memory_measure(struct machine_run *run);

/* types.c: what a message takes longer that is a derived datatype. */
enum { MACHINE_TYPES_STEPS = 1 };
void machine_types_measure(struct machine_run *run);

/* match.c: how long a message is looked for among the receives that are posted. */
enum { MACHINE_MATCH_STEPS = 1 };
void machine_match_measure(struct machine_run *run);

/* node.c: barriers of a node's ranks, and turns of ranks that share a processor. */
enum { MACHINE_NODE_STEPS = 2 };
void machine_node_measure(struct machine_run *run);

/* cards.c: what a node's cards need for messages and bytes. Nothing where there is one node. */
int machine_cards_steps(const struct machine_run *run);
void machine_cards_measure(struct machine_run *run);

/* load.c, after everything else: exchanges of all ranks, and a description that agrees with them;
 * its rows say what it was before. */
enum { MACHINE_LOAD_STEPS = 2 }; /* measuring, and fitting */
void machine_load_measure(struct machine_run *run);

/* What was found, of the leader. */

/* warnings.c */
void machine_warnings_find(struct machine_run *run);

/* report.c: where and how it was measured, and a line for each number: parameter, value, unit,
 * residual, samples, note. Every line begins with `before`. */
void machine_report_table(const struct machine_run *run, FILE *stream, const char *before);
/* One JSON object: machine.schema.json. A SHUNT_EXIT code. */
int machine_report_json(const struct machine_run *run, FILE *stream);

#endif
