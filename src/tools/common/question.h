/* SPDX-License-Identifier: BSD-3-Clause */
/* question.h: the one call that `shunt explain` and `shunt schedule` are asked about. */
#ifndef SHUNT_TOOLS_QUESTION_H
#define SHUNT_TOOLS_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithms/registry.h"
#include "tools/common/shape.h"

struct shunt_question {
    const struct shunt_subcommand *asker; /* one of the two */
    enum shunt_op op;
    struct shunt_shape shape;   /* as it was given */
    struct shunt_layout layout; /* that follows from it; owned */
    int64_t block;              /* bytes */
    int density;                /* percent, see shunt_density; `shunt explain` alone */
    bool oversubscribed;        /* likewise; then the layout is as well */
    int64_t memory;             /* cap in bytes, -1: the table's */
    int rank;                   /* whose schedule is counted, or shown */
    const char *file;           /* NULL: the table of a job whose rank 0 runs here */
    bool json;
    /* A description of a machine or its name. NULL: that of the table; `shunt schedule`: no times.
     */
    const char *machine;
    /* `shunt explain` alone. */
    bool predict; /* costs by the model as well */
    /* `shunt schedule` alone. */
    const char *algorithm; /* "parlogna:radix=4" */
    const char *counts;    /* file with the bytes of every block; NULL: all have `block` */
    bool all;              /* every rank's schedule */
    bool sweep;            /* one line per radix */
    int sweep_over;        /* 0, the radix */
    bool csv;              /* these lines for programs */
    bool moves;            /* with `json`: which block goes where */
};

/* The layout of the shape, `alone` as for shunt_shape_layout, and whether it has the rank: an exit
 * code, after saying what is wrong. Release with shunt_question_clear in any case. */
int shunt_question_place(struct shunt_question *question, bool alone);
/* The call asked about, in one line. */
void shunt_question_print(const struct shunt_question *question);
void shunt_question_clear(struct shunt_question *question);

#endif
