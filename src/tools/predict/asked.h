/* SPDX-License-Identifier: BSD-3-Clause */
/* asked.h: what `shunt predict` is asked. Sizes are in bytes, energies in joules. */
#ifndef SHUNT_PREDICT_ASKED_H
#define SHUNT_PREDICT_ASKED_H

#include "model/choose.h"
#include "tools/bench/options.h"
#include "tools/predict/axis.h"

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
    const char *html;              /* file, or NULL */
    bool best_only;               /* nothing but the choice and native is looked at */
    bool sweep, curves, all, csv, json;
    int sweep_over; /* 0, the radix */
};

#endif
