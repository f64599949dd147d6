/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * descend.h: a search for the numbers with which something is small, along one number after the
 * other, by factors that become smaller. No MPI.
 *
 * What is to be small may have many valleys that differ little, so numbers are also held near to
 * where they began: one that nothing depends on does not move.
 */
#ifndef SHUNT_TOOLS_MACHINE_DESCEND_H
#define SHUNT_TOOLS_MACHINE_DESCEND_H

#include <stdint.h>

enum { DESCEND_NUMBERS_MOST = 24 };

struct descend {
    int count;
    double *value[DESCEND_NUMBERS_MOST]; /* > 0, changed in place */
    double begin[DESCEND_NUMBERS_MOST];  /* what they were: set by descend_add */
    /* What is to be small with the numbers as they are; not negative. */
    double (*distance)(void *context);
    void *context;
    int64_t until; /* nanoseconds of shunt_now(): nothing is tried after that */
};

/* What is 0 begins at `least`, for factors leave a 0 as it is. More than there is room for are left
 * out. */
void descend_add(struct descend *descend, double *value, double least);

/* A prediction's part of a distance: the logarithm of predicted / measured, a little more for what
 * is far off. */
double descend_off(double predicted, double measured);

void descend_run(struct descend *descend);

#endif
