/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.h: what the parts of `shunt predict` share: the question, and the costs of one call's
 * candidates. Times are in seconds, energies in joules, sizes in bytes.
 */
#ifndef SHUNT_PREDICT_PREDICT_H
#define SHUNT_PREDICT_PREDICT_H

#include <stdio.h>

#include "log/json.h"
#include "model/candidates.h"
#include "model/choose.h"
#include "model/cost.h"
#include "tools/bench/options.h"
#include "tools/predict/axis.h"
#include "tools/shape.h"

struct shunt_subcommand;

/* One call; the winners of many; one algorithm over its radix; algorithms over the ranks. */
enum shunt_form { SHUNT_FORM_CALL, SHUNT_FORM_GRID, SHUNT_FORM_SWEEP, SHUNT_FORM_CURVES };

struct shunt_predict {
    const struct shunt_subcommand *asker;
    enum shunt_form form;
    enum shunt_op op;
    struct shunt_axis ranks, nodes, block;
    int ppn;            /* 0: not given */
    const char *layout; /* sizes of the nodes, or NULL */
    const char *file;   /* table whose machine is asked about, or NULL */
    const char *machine_name;
    struct shunt_machine machine;
    const char *counts;       /* file with the bytes of every block, or NULL */
    const char *distribution; /* as it was given, or NULL: all blocks are equal */
    struct bench_distribution sizes;
    uint64_t seed;
    enum shunt_objective objective;
    double energy_most;           /* negative: any */
    int64_t memory_most;          /* negative: any */
    struct bench_options *chosen; /* the algorithms of --algorithm, owned; NULL: all */
    const char *svg;              /* file, or NULL */
    bool sweep, curves, all, csv, json, help;
};

/* predict/options.c: an exit code, after saying what is wrong. Release in any case. */
int shunt_predict_read(struct shunt_predict *predict, const struct shunt_subcommand *asker,
                       int argc, char **argv);
void shunt_predict_clear(struct shunt_predict *predict);

/* predict/machine.c: the description by its name or path, or else that of the table. An exit code,
 * after saying what is wrong. */
int shunt_predict_machine(struct shunt_machine *machine, const struct shunt_subcommand *asker,
                          const char *name, const char *path);

/* One call to be asked about. */
struct shunt_case {
    struct shunt_layout layout; /* owned */
    int64_t block;              /* the largest */
    int64_t *counts;            /* owned; at source * ranks + destination; NULL: all are `block` */
};

/* predict/case.c: the call with the first axis (ranks, or nodes) and the block at these places. An
 * exit code, after saying what is wrong. Release in any case. */
int shunt_case_make(struct shunt_case *c, const struct shunt_predict *predict, int first,
                    int block);
void shunt_case_clear(struct shunt_case *c);

/* Which call a line of figures is about. */
struct shunt_place {
    int ranks, nodes, ppn_min, ppn_max;
    int64_t block; /* the largest */
};

/* predict/csv.c: the first columns of every CSV form, with those that follow in `rest`. */
struct shunt_place shunt_case_place(const struct shunt_case *c);
void shunt_predict_csv_head(const char *rest);
/* A number and a comma; nothing but the comma where it is not known. */
void shunt_predict_csv_real(double value);
void shunt_predict_csv_place(const struct shunt_predict *predict, const struct shunt_place *place);
/* "constant" where all blocks are equal; NULL: a file has the sizes. */
const char *shunt_predict_distribution(const struct shunt_predict *predict);

struct shunt_prediction {
    struct shunt_candidate candidate;
    struct shunt_cost cost;
    int parameters; /* that the algorithm takes */
    bool pareto;    /* none is better in one of time, energy and memory and as good in the others */
    bool allowed;   /* no more energy and memory than was allowed */
};

/* All that can serve a call, the best by the objective first. */
struct shunt_predictions {
    size_t count;
    struct shunt_prediction *prediction; /* array of count, owned */
    size_t native;                       /* its place */
    size_t choice;                       /* the best that is allowed; count: none is */
    size_t large;                        /* that were left out: too many events */
};

/* predict/rank.c: an exit code, after saying what is wrong. Release in any case. */
int shunt_predictions_make(struct shunt_predictions *predictions,
                           const struct shunt_predict *predict, const struct shunt_case *c);
void shunt_predictions_clear(struct shunt_predictions *predictions);
/* Whether the messages of an algorithm are known: ours, or those of the MPI library as described.
 */
static inline bool shunt_predict_can(const struct shunt_algorithm *row)
{
    return row->build || row->kind == SHUNT_KIND_NATIVE || row->kind == SHUNT_KIND_LIBRARY;
}
/* Says that a schedule is wrong; an exit code. */
int shunt_predict_stuck(const struct shunt_algorithm *row);
/* Whether the description says anything of energy. */
bool shunt_predict_knows_energy(const struct shunt_machine *machine);
/* What one setting costs in a call, energies NAN where the machine's are not known; false with
 * *result. */
bool shunt_predict_cost(struct shunt_cost *cost, const struct shunt_machine *machine,
                        enum shunt_op op, const struct shunt_case *c,
                        const struct shunt_candidate *candidate, enum shunt_cost_result *result);
/* An algorithm of --algorithm on a layout. */
struct shunt_candidate shunt_predict_selected(const struct bench_selection *selection,
                                              enum shunt_op op, const struct shunt_layout *layout);
/* How many times as fast as native; negative: it takes no time at all. */
double shunt_predict_gain(const struct shunt_cost *cost, const struct shunt_cost *native);

/* predict/text.c: for people. */
enum { SHUNT_PREDICT_ROOM = 160 };
void shunt_predict_name(const struct shunt_candidate *candidate, char *text, size_t capacity);
void shunt_seconds_print(double seconds, char *text, size_t capacity);
/* "-" where it is not known. */
void shunt_joules_print(double joules, char *text, size_t capacity);
/* Bytes; ">8 EiB" where a number cannot say. */
void shunt_volume_print(int64_t bytes, char *text, size_t capacity);
/* Closes the file of a drawing (NULL: it could not be opened; errno says why). An exit code, after
 * saying what is wrong. */
int shunt_predict_close(FILE *file, const char *path);

/* predict/json.c: members of an object. */
void shunt_predict_json_begin(struct shunt_json *json, const struct shunt_predict *predict);
void shunt_predict_json_case(struct shunt_json *json, const struct shunt_case *c);
void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c);
void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost);
/* null where it takes no time. */
void shunt_predict_json_gain(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native);

/* predict/progress.c: on a terminal, after a second. `done` of `all` calls. */
void shunt_progress_show(const char *what, size_t done, size_t all);
void shunt_progress_clear(void);

/* The forms: an exit code. predict/call.c, predict/grid.c, predict/lines.c. */
int shunt_predict_call(const struct shunt_predict *predict);
int shunt_predict_grid(const struct shunt_predict *predict);
int shunt_predict_sweep(const struct shunt_predict *predict);
int shunt_predict_curves(const struct shunt_predict *predict);

#endif
