/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.h: what all that can serve a call costs, in order. */
#ifndef SHUNT_PREDICT_RANK_H
#define SHUNT_PREDICT_RANK_H

#include "tools/predict/cost.h"

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

/* An exit code, after saying what is wrong. Release in any case. */
int shunt_predictions_make(struct shunt_predictions *predictions,
                           const struct shunt_predict *predict, const struct shunt_case *c);
void shunt_predictions_clear(struct shunt_predictions *predictions);

#endif
