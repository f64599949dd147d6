/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forecast.h: what proposals (proposals.h) would take for a class of calls, against the library's
 * own, as the model has it: on the machine that is described, or on several that it may be like
 * (model/plausible.h). Pure.
 *
 * For hints, and for the order in which proposals are tried. Figures are products and quotients of
 * floating point that may differ between processors: ranks must not decide by their own, but by
 * those of one of them.
 */
#ifndef SHUNT_ROUTE_FORECAST_H
#define SHUNT_ROUTE_FORECAST_H

#include "route/proposals.h"

struct shunt_forecast_ask {
    enum shunt_op op;
    const struct shunt_layout *layout;
    struct shunt_range block;            /* bytes, all sizes that proposals have to serve */
    int64_t size;                        /* of these, the one that is predicted */
    int64_t memory;                      /* bytes of scratch that a rank may take */
    const struct shunt_machine *machine; /* the one described; NULL: none is */
    int processors;                      /* of a node, where none is described; 0: one per rank */
    uint64_t work;                       /* events that may be run, about: some 50 ns each */
};

/* A proposal: how many times as long native takes, the least and the most of the machines; 0: it
 * was not predicted, for want of work or memory. */
struct shunt_forecast_one {
    struct shunt_rule rule;
    struct shunt_params params;
    int number; /* among the proposals, from 0 on */
    double low, high;
};

struct shunt_forecast {
    int count; /* of proposals */
    /* The most promising first: by the sum over machines of the share of native's time that it
     * takes. What was not predicted counts as native, and keeps its place among its like. */
    struct shunt_forecast_one one[SHUNT_PROPOSALS_MOST];
    /* Of the best proposal on each machine, the least and the most; a machine that is described
     * counts as wrong by SHUNT_FORECAST_BOX either way. 0: nothing was predicted. */
    double low, high;
};

#define SHUNT_FORECAST_BOX 1.5

void shunt_forecast(struct shunt_forecast *forecast, const struct shunt_forecast_ask *ask);

#endif
