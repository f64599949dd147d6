/* SPDX-License-Identifier: BSD-3-Clause */
/* plot.h: lines of costs over a radix or over the ranks, and their drawing. */
#ifndef SHUNT_PREDICT_PLOT_H
#define SHUNT_PREDICT_PLOT_H

#include "model/cost.h"
#include "tools/predict/predict.h"
#include "tools/predict/ticks.h"

struct shunt_point {
    int64_t at; /* radix, or ranks */
    struct shunt_place place;
    struct shunt_cost cost;
};

struct shunt_line {
    char name[SHUNT_PREDICT_ROOM]; /* "bruck:radix=sqrt(P)" */
    int count;
    struct shunt_point *point; /* array of count, owned */
};

/* One panel of a drawing: a number of every point. */
struct shunt_measure {
    const char *name;
    enum shunt_tick_unit unit;
    double (*of)(const struct shunt_cost *cost);
};

struct shunt_plot {
    const struct shunt_predict *predict;
    const char *across; /* "radix" or "ranks" */
    int count;
    struct shunt_line *line; /* array of count, owned */
    int left;                /* points that cannot be predicted */
    int measures;
    const struct shunt_measure *measure;
};

/* A panel per measure, both axes logarithmic; what is 0 is not drawn. An exit code,
 * after saying what is wrong. */
int shunt_plot_draw(const struct shunt_plot *plot, const char *path);

#endif
