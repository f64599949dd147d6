/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: one run of `shunt tune`: what is planned, what came of it, and its results. */
#ifndef SHUNT_TUNE_RUN_H
#define SHUNT_TUNE_RUN_H

#include "model/machine.h"
#include "tools/common/sheet.h"
#include "tools/measure/output.h"
#include "tools/measure/program.h"
#include "tools/tune/nominate.h"
#include "tools/tune/store.h"
#include "tools/tune/write.h"

struct tune_run {
    struct measure_job job; /* simulated: with the nodes that are asked about */
    struct tune_options options;
    int place_count; /* on all ranks */
    struct tune_place places[TUNE_LAYOUTS_MOST];
    /* Rank 0: */
    int sweep_count;
    struct tune_sweep *sweeps; /* array, owned: by place, as `places` are ordered */
    struct shunt_machine model;
    struct shunt_table *table;  /* of --validate, owned */
    struct shunt_layout layout; /* of the sweep that runs */
    struct tune_store store;
    char
        logged[128]; /* the MPI library of the logs, where it is another one than is measured; "" */
    struct measure_output output;
    double begin;
    int done, cells, losers;
    int looks;                      /* at what else runs on the host of rank 0: before each batch */
    double others;                  /* sum over these: processes that are no ranks */
    char best[TUNE_TEXT_ROOM + 48]; /* of the cell that is searched, or else of the last one */
    double best_gain;               /* over native, of the cell that is searched; 0: nothing yet */
    const struct tune_sweep *now;
    int64_t block;
};

/* Processes that ran beside the ranks, on average. */
static inline double tune_run_others(const struct tune_run *run)
{
    return run->looks > 0 ? run->others / run->looks : 0;
}

/* Bytes of scratch that a rank may take, as tables have it by default. */
static inline int64_t tune_run_memory(void)
{
    return shunt_policy_default().memory;
}

/* plan.c, rank 0: the model's machine, and the sweeps of all places. An exit code, with the problem
 * said or in `diagnostic`. */
int tune_run_plan(struct tune_run *run, char *diagnostic, size_t capacity);
/* The layout of a place, to be released. False when memory is short. */
bool tune_run_layout(const struct tune_run *run, const struct tune_place *place,
                     struct shunt_layout *layout);
/* What would be measured, and about how long it takes. */
void tune_run_show_plan(struct tune_run *run);
/* Candidates of a sweep, for tune_sweep_run; context: the run. */
bool tune_run_nominate(void *context, const struct tune_sweep *sweep, int64_t block,
                       struct tune_entries *entries);

/* logs.c, rank 0: sweeps of what applications called. Likewise. */
int tune_run_read_logs(struct tune_run *run, char *diagnostic, size_t capacity);

/* lead.c, collective: all places. Returns an exit code, rank 0's. */
int tune_run_measure(struct tune_run *run);

/* validate.c, rank 0: the sizes of a sweep against native. */
int tune_run_validate(struct tune_run *run, struct tune_sweep *sweep, const struct tune_lab *lab);
/* The sizes at which the table's rules begin and end on a layout, and one between. */
bool tune_run_sizes(const struct tune_run *run, struct tune_sweep *sweep);

/* simulate.c, rank 0: the sweeps by the model. */
int tune_run_simulate(struct tune_run *run);

/* results.c, rank 0: prints what came of it, and writes the table. An exit code. */
int tune_run_finish(struct tune_run *run);

/* rows.c, rank 0: a row for each cell, on a sheet without columns. */
void tune_rows_put(struct shunt_sheet *sheet, const struct tune_run *run);
/* One, for people, as soon as it is known; the first of a run has titles. */
void tune_row_print(const struct tune_run *run, const struct tune_sweep *sweep, int index);
/* All that came of it, for programs, on standard output. An exit code. */
int tune_run_print_json(const struct tune_run *run, const struct tune_evidence *evidence);

#endif
