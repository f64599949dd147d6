/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.h: what the parts of `shunt predict` share: the question, its calls, what settings of
 * algorithms cost in them, and the forms. Times are in seconds, sizes in bytes, energies in joules.
 * Functions that return an int give an exit code, after saying what is wrong.
 */
#ifndef SHUNT_PREDICT_PREDICT_H
#define SHUNT_PREDICT_PREDICT_H

#include "model/candidates.h"
#include "model/choose.h"
#include "model/cost.h"
#include "tools/bench/options.h"
#include "tools/common/axis.h"
#include "tools/common/sheet.h"

struct shunt_subcommand;

/* One call; the winners of many; one algorithm over its radix; algorithms over the ranks. */
enum shunt_form { SHUNT_FORM_CALL, SHUNT_FORM_GRID, SHUNT_FORM_SWEEP, SHUNT_FORM_CURVES };

struct shunt_predict {
    const struct shunt_subcommand *asker;
    enum shunt_form form;
    enum shunt_op op;
    struct shunt_axis ranks, nodes, block;
    int ppn;            /* 0: not given */
    const char *layout; /* as in struct shunt_shape, or NULL */
    const char *file;   /* table whose machine is asked about, or NULL */
    const char *machine_name;
    struct shunt_machine machine;
    const char *counts;       /* file with the bytes of every block, or NULL */
    const char *distribution; /* as it was given, or NULL: all blocks are equal */
    struct measure_distribution sizes;
    uint64_t seed;
    enum shunt_objective objective;
    double energy_most;           /* negative: any */
    int64_t memory_most;          /* negative: any */
    const char *algorithms;       /* of --algorithm, or NULL */
    struct bench_options *chosen; /* these, owned; NULL: all */
    const char *html;             /* file, or NULL */
    bool best_only;               /* nothing but the choice and native is looked at */
    bool sweep, curves, all, csv, json;
    int sweep_over; /* 0, the radix */
};

/* machine.c: the description by its name or path, or else that of the table. */
int shunt_predict_machine(struct shunt_machine *machine, const struct shunt_subcommand *asker,
                          const char *name, const char *path);

/* case.c */
struct shunt_case {
    struct shunt_layout layout; /* owned */
    int64_t block;              /* the largest, in bytes */
    int64_t *counts;            /* owned; at source * ranks + destination; NULL: all are `block` */
};

/* The call with the first axis (ranks, or nodes) and the block at these places.
 * Release in any case. */
int shunt_case_make(struct shunt_case *c, const struct shunt_predict *predict, int first,
                    int block);
void shunt_case_clear(struct shunt_case *c);

/* Which call a line of figures is about. */
struct shunt_place {
    int ranks, nodes, ppn_min, ppn_max;
    int64_t block; /* the largest */
};
struct shunt_place shunt_case_place(const struct shunt_case *c);

/* "constant" where all blocks are equal; NULL: a file has the sizes. */
const char *shunt_predict_distribution(const struct shunt_predict *predict);

/* cost.c: whether the messages of an algorithm are known: ours, or those of the MPI library as
 * described. */
static inline bool shunt_predict_can(const struct shunt_algorithm *row)
{
    return row->build || row->kind == SHUNT_KIND_NATIVE || row->kind == SHUNT_KIND_LIBRARY;
}
/* Says that a schedule is wrong. */
int shunt_predict_stuck(const struct shunt_algorithm *row);
/* Whether the description says anything of energy. */
bool shunt_predict_knows_energy(const struct shunt_machine *machine);
/* A setting in a call, as the model asks about it. Of what it is given. */
struct shunt_event_call shunt_predict_event_call(enum shunt_op op, const struct shunt_case *c,
                                                 const struct shunt_candidate *candidate);
/* Energies are NAN where the machine's are not known; false with *result. `most`: events, as in
 * model/cost.h. */
bool shunt_predict_cost(struct shunt_cost *cost, const struct shunt_machine *machine,
                        enum shunt_op op, const struct shunt_case *c,
                        const struct shunt_candidate *candidate, uint64_t most,
                        enum shunt_cost_result *result);
/* An algorithm of --algorithm on a layout. */
struct shunt_candidate shunt_predict_selected(const struct bench_selection *selection,
                                              enum shunt_op op, const struct shunt_layout *layout);
/* How many times as fast as native; negative: it takes no time at all. */
double shunt_predict_gain(const struct shunt_cost *cost, const struct shunt_cost *native);

/* limit.c: with very many ranks some settings are not even begun. To find out whether nodes do the
 * same takes the schedules of some ranks, which have a step or a block for each of all ranks: with
 * a million of them that takes minutes for all settings together, and nobody waits for it. With
 * more ranks than this all settings together may take some seconds of work. */
enum { SHUNT_LIMIT_RANKS = 65536 };

static inline bool shunt_limit_applies(const struct shunt_case *c)
{
    return c->layout.ranks > SHUNT_LIMIT_RANKS;
}

/* Marks in `beyond`, an array of the list's count, what is more work than is left for it: native is
 * the first that gets some, and the first of the list, then comes what takes least. False: memory
 * is short. */
bool shunt_limit_find(bool *beyond, const struct shunt_predict *predict, const struct shunt_case *c,
                      const struct shunt_candidates *list);

/* costs.c: what all settings of a list cost, and which need not be predicted. */
enum shunt_costs_state {
    SHUNT_COSTS_KNOWN,
    SHUNT_COSTS_LARGE, /* too many messages */
    SHUNT_COSTS_WORSE  /* cannot be the choice: where nothing but the choice is asked for */
};

struct shunt_costs {
    enum shunt_costs_state *state; /* arrays of the list's count, owned */
    struct shunt_cost *cost;
};

/* The same costs whatever the number of processors; which
 * are worse than the choice, and so unknown, may differ. Release in any case. */
int shunt_costs_make(struct shunt_costs *costs, const struct shunt_predict *predict,
                     const struct shunt_case *c, const struct shunt_candidates *list);
void shunt_costs_clear(struct shunt_costs *costs);

/* rank.c: these in order. */
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
    size_t native;                       /* its place; count, of a map: it is left out itself */
    size_t choice;                       /* the best that is allowed; count: none is */
    size_t large;                        /* that were left out: too many events */
    struct shunt_candidate *left;        /* these: array of large, owned */
};

/* Release in any case. */
int shunt_predictions_make(struct shunt_predictions *predictions,
                           const struct shunt_predict *predict, const struct shunt_case *c);
void shunt_predictions_clear(struct shunt_predictions *predictions);

/* call.c */
int shunt_predict_call(const struct shunt_predict *predict);

/* grid.c */
int shunt_predict_grid(const struct shunt_predict *predict);

/* lines.c */
int shunt_predict_sweep(const struct shunt_predict *predict);
int shunt_predict_curves(const struct shunt_predict *predict);

/* rows.c: parts of rows, and of documents. Whichever form shows a part of a call or of a cost, its
 * values are these, in this order; both return the place behind them. */
enum { SHUNT_PREDICT_PLACE = 7, SHUNT_PREDICT_COST = 13, SHUNT_PREDICT_ROOM = 160 };
/* operation, ranks, nodes, ppn_min, ppn_max, block, distribution. */
struct shunt_field *shunt_predict_place_put(struct shunt_field *row,
                                            const struct shunt_predict *predict,
                                            const struct shunt_place *place);
/* time_s, speedup, energy_j, dynamic_energy_j, memory, descriptors, messages, remote_messages,
 * bytes, remote_bytes, rounds, method, and speedup again, as JSON has it there. native: NULL where
 * nobody asks for the speedup. */
struct shunt_field *shunt_predict_cost_put(struct shunt_field *row, const struct shunt_cost *cost,
                                           const struct shunt_cost *native);
/* json: NULL where it is not JSON that is written. */
enum shunt_sheet_form shunt_predict_sheet_form(const struct shunt_predict *predict,
                                               const struct shunt_json *json);
/* "bruck radix=4". */
void shunt_predict_name(const struct shunt_candidate *candidate, char *text, size_t capacity);
/* Members behind those that tell what was asked. */
typedef void (*shunt_predict_answer)(struct shunt_json *json, const void *context);
/* The whole object to standard output. An exit code. */
int shunt_predict_json(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context);
/* A page with it, to the file of --html. An exit code, after saying what is wrong. */
int shunt_predict_html(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context);
/* Members of an object that is open. */
void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c);
void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native);

#endif
