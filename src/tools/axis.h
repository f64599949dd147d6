/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.h: axes of drawings, with their ticks, units and the lines of the grid. */
#ifndef SHUNT_TOOLS_AXIS_H
#define SHUNT_TOOLS_AXIS_H

#include "log/text.h"
#include "tools/predict/ticks.h"

struct shunt_drawing_axis {
    double low, high; /* values at the ends; of a logarithmic axis, their logarithms of 10 */
    double from, to;  /* the places of the ends, in pixels */
    enum shunt_tick_unit unit;
    bool upright, linear;
    const char *name; /* below the axis if it is not upright; NULL: none */
};

double shunt_drawing_axis_place(const struct shunt_drawing_axis *axis, double value);

/* Makes room for the value; begin with an axis from INFINITY to -INFINITY. */
void shunt_drawing_axis_widen(struct shunt_drawing_axis *axis, double value);

/* The axis lies at `at`, its labels outside; lines of the grid go from there to `across`. */
void shunt_drawing_axis_draw(struct shunt_log_text *svg, const struct shunt_drawing_axis *axis,
                             double at, double across);

#endif
