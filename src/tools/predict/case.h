/* SPDX-License-Identifier: BSD-3-Clause */
/* case.h: one of the calls that are asked about. */
#ifndef SHUNT_PREDICT_CASE_H
#define SHUNT_PREDICT_CASE_H

#include "tools/predict/asked.h"

struct shunt_case {
    struct shunt_layout layout; /* owned */
    int64_t block;              /* the largest, in bytes */
    int64_t *counts;            /* owned; at source * ranks + destination; NULL: all are `block` */
};

/* The call with the first axis (ranks, or nodes) and the block at these places. An exit code, after
 * saying what is wrong. Release in any case. */
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

#endif
